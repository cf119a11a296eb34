"""How likely texts are: log-probabilities of tokens, next sentences, attention, and texts read as a tree."""
