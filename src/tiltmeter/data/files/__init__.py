"""Reading users' files (text, tables, TOML) with clear errors, and writing files safely."""
