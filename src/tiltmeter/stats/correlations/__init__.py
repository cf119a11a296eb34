"""Correlations of ranks and values, with intervals, tests and corrections for unreliability."""
