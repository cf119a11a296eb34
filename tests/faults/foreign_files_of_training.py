"""Readers of files that mitigations take."""

from faults.foreign_files import Reader
from tiltmeter.mitigate.versions import read_words

READERS = (
    Reader("defining words", "d.toml", '[age]\ngroups = ["old", "young"]\nsets = [["old", "young"]]\n',
           lambda path: read_words("age", path)),
)  # fmt: skip
