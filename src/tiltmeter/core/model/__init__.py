"""What a model is asked and answers: questions, protocols, requests, and what kinds of models declare."""
