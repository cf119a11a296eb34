"""Vectors of words and passages."""
