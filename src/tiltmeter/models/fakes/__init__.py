"""What the fake models answer."""
