"""Published data sets with single votes, one file each, found by the file's name.

Each reads a copy that the user has (`tiltmeter data import`), checked against the registered checksum.
`sample` is made up and comes with the package.
"""
