"""Sequences of items that need not be held in memory, and samples of items."""
