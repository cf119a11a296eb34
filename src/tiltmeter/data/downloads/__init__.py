"""Registered data sets and weights: addresses, checksums, downloads, the cache."""
