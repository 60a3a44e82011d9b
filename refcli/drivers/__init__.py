"""Whoever answers: a player at a terminal, a pipe, a script, or chance."""
