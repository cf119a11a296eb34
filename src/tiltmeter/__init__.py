"""Tiltmeter measures how far a language model leans: which groups it stereotypes, and how surely."""

__version__ = "0.1.0"
