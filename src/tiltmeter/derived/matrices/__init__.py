"""Matrices of groups and traits: read from results, compared, and in which order they stand."""
