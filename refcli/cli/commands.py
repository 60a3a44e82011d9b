"""Which commands there are; kept apart from typer, so that a shell can complete them at once."""

COMMANDS = {
    "play": ("refcli.cli.play", "play", "Walk a chart at the table: answer what it asks, roll, get a ruling."),
    "resume": ("refcli.cli.resume", "resume", "Go on with a walk at the question where it stopped."),
    "log": ("refcli.cli.log", "log", "List the walks that were played."),
    "replay": ("refcli.cli.replay", "replay_walk", "Give the ruling of a walk again, from its journal."),
    "list": ("refcli.cli.list_", "list_charts", "List the books and their charts."),
    "show": ("refcli.cli.show", "show", "Read a chart or a book on screen."),
    "print": ("refcli.cli.print_", "print_charts", "Print a chart or a book: a web page, a booklet, pictures."),
    "batch": ("refcli.cli.batch", "batch", "Rule on many cases from a file."),
    "check": ("refcli.cli.check", "check", "Look for faults in charts and run their examples."),
}
"""Every command: its module, its function, and its line in `refcli --help`."""
