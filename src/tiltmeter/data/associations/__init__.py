"""Word sets for association tests."""
