"""annotations: what people said about hypotheses that models wrote, on one scale."""
