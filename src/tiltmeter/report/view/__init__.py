"""The view: one page over all results of a folder, and the data files that it loads as they are needed."""
