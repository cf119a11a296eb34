"""Results of active learning."""
