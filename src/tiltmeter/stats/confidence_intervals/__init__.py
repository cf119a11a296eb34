"""Confidence intervals by formula: of shares, means, mean squares and scores."""
