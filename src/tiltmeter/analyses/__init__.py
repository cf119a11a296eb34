"""One file an analysis of finished runs or of people's answers; each has an ANALYSIS."""
