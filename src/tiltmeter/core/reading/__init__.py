"""Values that users give, in files and as options: read with their types, and refused with a way out."""
