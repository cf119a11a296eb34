"""A model before and after something was done to it."""
