"""Agreement of raters, errors of raters, and the true labels behind their answers."""
