"""Making a model lean less: directions to take out of it, and what else the literature does.

What is fitted here is saved as a folder, and `models/mitigated.py` opens a model through it, so that
every study runs on the mitigated model as on any other.
"""
