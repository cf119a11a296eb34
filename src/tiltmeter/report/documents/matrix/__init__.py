"""A matrix, groups by pairs of traits, in the documents of runs and comparisons."""
