"""order_effects: whether answers depend on where something was shown."""
