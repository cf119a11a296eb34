"""Confidence intervals by formula: for shares, means, mean squares and scores."""
