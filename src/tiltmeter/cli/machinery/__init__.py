"""How commands are made of functions and options, found, and loaded only when they are called."""
