"""Files from the Hugging Face hub or a mirror of it."""
