"""Registered data sets and weights: their addresses and checksums, downloads and the cache."""
