"""How the fake models make up their answers."""
