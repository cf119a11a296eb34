"""Rankings: ranges of ranks, areas under curves, and weights that rank as well as possible."""
