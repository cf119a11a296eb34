"""Open a model given by its name or folder: files, kind, options, loading, and errors of loading."""
