"""Pools of votes: where they come from, and which items take part."""
