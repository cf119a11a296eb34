"""ls: studies, what a model can answer, and one study explained."""
