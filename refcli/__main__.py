"""Run the command line: `python -m refcli`."""

from refcli.cli.main import main

if __name__ == "__main__":
    main()
