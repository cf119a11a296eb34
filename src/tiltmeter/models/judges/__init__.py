"""Models that judge written texts."""
