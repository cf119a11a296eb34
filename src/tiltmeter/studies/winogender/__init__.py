"""Winogender: pronouns and sixty occupations, as published and rebuilt in ways that should not matter."""
