"""Changes to a model's states or logits that mitigate bias."""
