"""The document of a table over several runs, and the notes under it."""
