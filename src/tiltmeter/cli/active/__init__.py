"""tiltmeter active …: which items get the next votes."""
