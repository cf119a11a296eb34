"""Functions that wings bring to `tiltmeter`, a file each, called as its function."""
