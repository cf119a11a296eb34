"""Mitigations of a model's bias: directions to remove from its states, prompts, and further training.

Directions and prompts are saved as a folder, through which `models/mitigated.py` opens the model, so that
every study runs on a mitigated model as on any other. Further training writes an ordinary checkpoint.
"""
