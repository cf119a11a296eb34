"""Intersectional groups and their components."""
