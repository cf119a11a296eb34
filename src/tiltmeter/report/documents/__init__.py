"""Build documents from results, with one small builder for each kind of result."""
