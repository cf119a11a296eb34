"""Items of data sets, as studies score them, and the names of their categories."""
