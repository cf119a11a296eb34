"""Whoever comes: the next vote in the simulation's random order, anybody in a live round."""

CHOICE = None
