"""Rules: from what a model answers to one signed record an item."""
