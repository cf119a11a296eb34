"""Difference awareness: does a model treat groups differently where they differ, and alike where not?"""
