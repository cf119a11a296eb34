"""Triples of the context association test, predictions about them, and splits."""
