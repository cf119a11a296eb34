"""Bootstraps and jackknives, of items, of clusters and of two crossed factors."""
