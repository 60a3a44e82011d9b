"""The commands: options in, one call, print."""
