"""intersections: intersectional groups (Black women) and their components."""
