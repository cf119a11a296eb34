"""Hate detection by prompts: sexist and racist comments of ETHOS, zero-, one- and few-shot."""
