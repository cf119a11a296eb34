"""One module a kind of view: from a result to the tables and pictures that its card asks for."""
