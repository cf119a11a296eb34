"""The store of model answers: the SQLite file, its index, and the model that looks answers up in it."""
