"""Run the command line: `python -m refcli`."""

from refcli.cli.app import main

if __name__ == "__main__":
    main()
