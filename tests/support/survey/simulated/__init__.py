"""Simulated participants of a served survey, and the ledger of what they were promised."""
