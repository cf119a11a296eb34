"""What people said: ratings, answers of annotators, judgments of hypotheses."""
