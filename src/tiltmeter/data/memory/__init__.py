"""Sequences of items that memory need not hold."""
