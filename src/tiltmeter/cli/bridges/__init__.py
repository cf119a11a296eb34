"""tiltmeter import."""
