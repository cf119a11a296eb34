"""Scores a model on a study: plans the run, asks the model, stores its answers and writes the run folder."""
