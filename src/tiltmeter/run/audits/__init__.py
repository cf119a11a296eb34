"""Audits: what a profile asks for, and the jobs that it makes."""
