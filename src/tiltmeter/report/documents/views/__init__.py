"""Build the tables and pictures that a result's card asks for, with one module for each kind of view."""
