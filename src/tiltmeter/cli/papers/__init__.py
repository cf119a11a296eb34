"""tiltmeter replicate."""
