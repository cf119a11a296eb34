"""BBQ: who was it? Questions about two people, before and after the context says who."""
