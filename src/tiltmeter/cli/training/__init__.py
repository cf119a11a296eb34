"""tiltmeter train … and tiltmeter mitigate …."""
