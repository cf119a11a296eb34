"""Pure functions from arrays to a number, one family per file."""
