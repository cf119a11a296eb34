"""In which order a person sees what a form asks: as the form says it, and as a person has it."""
