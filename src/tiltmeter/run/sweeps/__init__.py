"""Sweeps: many studies on one or more models, planned, resumable and run model by model."""
