"""Whom to ask about an item, one file each, found by the file's name.

The three that are not random follow van der Meer et al. 2024 (annotator-centric active learning,
doi:10.18653/v1/2024.emnlp-main.1031).
"""
