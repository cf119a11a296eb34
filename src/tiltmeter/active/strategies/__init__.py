"""Query strategies, one file each, found by the file's name."""
