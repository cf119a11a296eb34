"""Train classifiers, next-sentence heads, writers of hypotheses, and models further; needs the extra [hf]."""
