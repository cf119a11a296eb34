"""Score a model on a study: remember every answer, resume, write the run folder."""
