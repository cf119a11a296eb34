"""Training the small parts that a study needs and a model lacks. Needs the extra [hf]."""
