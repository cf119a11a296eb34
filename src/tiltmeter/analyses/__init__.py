"""Analyses of finished runs or of people’s answers: a file each, or a folder; its `analysis.py` has ANALYSIS.

Everything about one stands together: its options, computation, numbers, what is shown and what is said.
"""
