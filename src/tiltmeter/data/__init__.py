"""Data sets and weights: the registry, downloads, checksums, the cache, and reading users' files."""
