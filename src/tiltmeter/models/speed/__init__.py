"""What makes answers fast: packed weights, batches, shapes, precision, work only where answers are read."""
