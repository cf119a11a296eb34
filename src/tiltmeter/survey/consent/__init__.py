"""The consent: the text and facts that people read before they agree, and what they agreed to."""
