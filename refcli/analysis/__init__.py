"""Questions about a whole chart: what can be reached, what is missing, what the examples cover."""
