"""Regression: mixed models, predictors measured with error, and pooling of effects."""
