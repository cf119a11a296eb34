"""Hypothesis tests, corrections for multiple testing, and statistical power."""
