"""Pure functions from arrays to a number, one family a file."""
