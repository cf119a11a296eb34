"""Logs of other programs as inputs of `tiltmeter import`."""
