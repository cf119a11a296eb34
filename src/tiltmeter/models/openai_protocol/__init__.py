"""Models behind an OpenAI-compatible server: addresses, requests, answers."""
