"""Inferences about people: what a model writes may be true of a person of a group in a situation."""
