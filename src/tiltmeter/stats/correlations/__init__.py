"""Correlations of ranks and of values, with intervals, tests and corrections for reliability."""
