"""Tests, corrections for many of them, and their power."""
