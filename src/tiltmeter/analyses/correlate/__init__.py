"""correlate: how measures relate over models, groups, or the cells of both."""
