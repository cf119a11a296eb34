"""Tables and texts as LaTeX."""
