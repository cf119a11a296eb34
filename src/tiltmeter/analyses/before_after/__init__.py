"""before-after: one model before and after something was done to it, over several studies."""
