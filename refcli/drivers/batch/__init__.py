"""Long files of cases: cut into blocks, read row by row, counted, shared out to workers, and resumed after a kill."""
