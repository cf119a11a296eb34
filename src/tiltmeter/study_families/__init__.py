"""Families of studies: the rules, measures, conventions and views that several studies share, a file each."""
