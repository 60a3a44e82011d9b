"""The pure heart: charts, expressions and the walk. No disk, clock, chance or terminal; standard library only."""
