"""Prompt sets: any question in words about texts."""
