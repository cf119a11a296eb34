"""Answers as files: tables of our own, and those of Potato and Label Studio."""
