"""How sure are we? Intervals, tests, power, agreement. numpy and scipy."""
