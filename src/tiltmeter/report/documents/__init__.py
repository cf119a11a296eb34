"""A document for each kind of result."""
