"""How good a data set is: counts, oddities, annotations."""
