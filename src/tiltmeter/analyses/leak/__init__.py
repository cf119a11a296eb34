"""leak: how far the stereotypes of other countries explain what a model says in one language."""
