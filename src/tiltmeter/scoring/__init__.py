"""Rules: from a model's answers to one signed record per item."""
