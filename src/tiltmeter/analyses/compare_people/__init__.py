"""compare-people: matrices of groups × traits and what people say."""
