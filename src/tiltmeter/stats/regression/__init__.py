"""Regression: mixed models, predictors measured with errors, pooling of effects."""
