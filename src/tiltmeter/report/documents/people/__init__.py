"""Matrices compared with what people say."""
