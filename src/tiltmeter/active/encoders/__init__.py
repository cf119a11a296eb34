"""Encoders of texts: their frozen vectors, and their training."""
