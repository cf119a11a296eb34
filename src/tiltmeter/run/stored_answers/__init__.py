"""Every answer of a model, kept as it is made: the file, its index, and the model behind it."""
