"""Other evaluation programs: their logs read, and Tiltmeter's studies as tasks of theirs."""
