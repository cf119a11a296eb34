"""Files of users: text, tables, TOML, and what is wrong with them."""
