import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.studies import pairs


def test_own_pairs_need_a_file():
    with pytest.raises(BadInput, match="name your file with --data PATH"):
        pairs.load()
