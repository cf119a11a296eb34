"""Bootstraps and jackknives over items, clusters and two crossed factors."""
