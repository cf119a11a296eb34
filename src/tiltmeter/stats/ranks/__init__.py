"""Rankings: ranges of ranks, areas under curves, weights that rank as well as possible."""
