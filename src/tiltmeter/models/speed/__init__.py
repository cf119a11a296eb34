"""Faster answers: packed weights, batches, shapes, precision, and logits only where they are read."""
