"""Planning before a model is loaded: the study, its rule and settings, and the items."""
