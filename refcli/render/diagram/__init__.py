"""A flow chart drawn in a terminal."""
