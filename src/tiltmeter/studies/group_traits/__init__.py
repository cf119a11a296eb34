"""Groups × traits: which of two opposite traits a model associates with a group."""
