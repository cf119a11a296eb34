"""Effect minus placebo, from a table of scores of edited texts."""
