"""One file a benchmark; the file name is the name on the command line."""
