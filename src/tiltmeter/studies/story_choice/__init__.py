"""Choice of a story's theme: which of two opposite traits does a model choose for a group?"""
