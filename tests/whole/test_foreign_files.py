"""Files that others wrote, spoilt in every way, are read or refused with a reason."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from faults.foreign_files import every_reader, spoilt
from tiltmeter.core.errors import TiltmeterError, Undefined
from tiltmeter.core.text import visible_lines

FEW, MANY = 12, pytest.param(1500, marks=[pytest.mark.long, pytest.mark.timeout(1800)])
LONGEST = 20_000
"""Characters of an error."""
PYTHONS = (
    "object has no attribute",
    "Errno",
    "not subscriptable",
    "unhashable",
    "positional argument",
)


@pytest.mark.parametrize("reader", every_reader(), ids=str)
def test_the_examples_are_read(reader, tmp_path):
    reader.read(reader.written(tmp_path))


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize("reader", every_reader(), ids=str)
def test_spoilt_ones_are_read_or_refused_with_a_reason(reader, tmp_path, count):
    path = reader.written(tmp_path)

    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(spoilt(path.read_bytes()))
    def check(spoilt_one):
        path.write_bytes(spoilt_one.data)
        try:
            reader.read(path)
        except Undefined:
            raise
        except TiltmeterError as error:
            said = str(error)
            assert said == visible_lines(said) and 10 < len(said) < LONGEST
            assert not any(words in said for words in PYTHONS)

    check()
