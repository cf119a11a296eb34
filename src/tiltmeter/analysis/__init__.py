"""Over results: two models compared, the quality of a data set."""
