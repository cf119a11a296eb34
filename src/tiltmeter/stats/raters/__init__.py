"""Agreement between raters, their individual errors, and estimates of the true labels."""
