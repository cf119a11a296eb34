"""One small builder for each kind of result: from what was found to a document."""
