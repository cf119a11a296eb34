"""Where data and weights come from: registry, download, checksum, cache, reading tables."""
