"""Finds the answer that a written reply states in its sentences, lists, fields and boxes."""
