"""Statistics on arrays: confidence intervals, tests, power, correlations, regression and rater agreement."""
