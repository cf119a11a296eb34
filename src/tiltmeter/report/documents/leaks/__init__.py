"""The document of `leak`: flows between languages and leaked traits."""
