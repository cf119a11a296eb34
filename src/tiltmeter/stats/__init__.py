"""Statistics: intervals, tests, power, agreement. Needs numpy and scipy."""
