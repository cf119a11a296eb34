"""Correlations of measures."""
