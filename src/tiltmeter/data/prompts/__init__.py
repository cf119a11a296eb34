"""What models are asked in words: prompt sets, and the published ones."""
