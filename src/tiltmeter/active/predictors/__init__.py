"""Models of label distributions, one a file."""
