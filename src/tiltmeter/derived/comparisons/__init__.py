"""How far results of one study are apart, item by item, and how measures rank models."""
