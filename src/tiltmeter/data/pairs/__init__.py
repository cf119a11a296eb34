"""Sentence pairs: reading, checking, and scores from elsewhere."""
