"""import: what was made elsewhere, recognised by what it holds."""
