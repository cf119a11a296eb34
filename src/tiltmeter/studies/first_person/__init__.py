"""First-person fairness: the same request by users of two groups, and which of them gets the better reply."""
