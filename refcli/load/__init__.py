"""From chart text to a resolved chart; every fault is collected before anything fails."""
