"""Which comments are drawn, and which are shown as examples."""

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.studies.hate_prompts.comments import load

pytestmark = published.needs("ethos/Ethos_Dataset_Multi_Label.csv")


def loaded(**told):
    return load(settings=told).items


@pytest.mark.parametrize("drawn", ["0", "7"])
def test_no_example_is_tested_on_in_its_setting(drawn):
    for setting in ("one", "few", "mixed"):
        items = loaded(settings=setting, drawn=drawn)
        tested = {i.text for i in items}
        heads = {i.prompt.plain.rpartition(f"‘{i.text}’")[0] for i in items}
        assert all("‘" in head for head in heads)
        assert not [text for text in tested for head in heads if f"‘{text}’" in head]


def test_more_texts_than_there_are():
    with pytest.raises(BadInput, match=r"mixed needs 90 texts labelled \w+; ETHOS has \d\d that"):
        loaded(settings="mixed", per_category="40")


def test_the_draw_is_seeded():
    draws = [[i.text for i in loaded(settings="zero", drawn=d)] for d in "112"]
    assert draws[0] == draws[1] != draws[2]
