"""Systematic offensive stereotyping of word vectors: how close words for groups are to profanity."""
