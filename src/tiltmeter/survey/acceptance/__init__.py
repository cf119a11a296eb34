"""Pairs and triples that people judge: as items of a form, and which of them their answers accept."""
