"""Files of the Hugging Face hub, or of a mirror."""
