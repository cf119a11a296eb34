"""Answers of annotators as annotation programs export them."""
