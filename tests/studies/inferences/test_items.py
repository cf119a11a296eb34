"""Which situations of a list are asked about."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.groups.premises import PremiseFile
from tiltmeter.studies.inferences.items import chosen_situations


def test_situations_are_those_that_people_judged_or_so_many_drawn():
    file = PremiseFile.named()
    assert len(chosen_situations(file, "annotated", 0)) == 21
    assert len(chosen_situations(file, "5", 0)) == 5
    assert chosen_situations(file, "5", 0) != chosen_situations(file, "5", 1)
    with pytest.raises(BadInput, match="1 to 102"):
        chosen_situations(file, "0", 0)
