"""Groups and traits as a study: what is refused before any model, and what is told of traits."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

STUDY = find("studies", "group_traits", "STUDY")
GROUPS = """
[nouns]
singular = "person"
[[groups]]
name = "sailor"
singular = "sailor"
[[pairs]]
left = "slow"
right = "science-oriented"
[[templates]]
text = ["The {group} is {trait}.", "That {group} is {trait}."]
"""


@pytest.mark.parametrize("margin", ["0", "-1", "much", "inf", "nan"])
def test_a_margin_that_is_none_is_refused_before_a_model_is_opened(margin):
    told = {s.name: s.default for s in STUDY.settings} | {"margin": margin}
    with pytest.raises(BadInput, match=f"the setting margin is '{margin}'; give a number above"):
        STUDY.load(settings=told)


def test_the_traits_that_ilps_cannot_speak_of_are_named(tmp_path):
    (tmp_path / "mine.toml").write_text(GROUPS, encoding="utf-8")
    where = resolve("fake:masked", Options())
    chosen = choose(STUDY, where.answers, model="fake", rule="ilps")
    data = STUDY.load(tmp_path / "mine.toml", settings=chosen.settings)
    result = measure(STUDY, open_model(where, Options()), data, chosen=chosen)
    (note,) = result.card.notes
    assert note.text.startswith("1 trait has no score under ilps")
    assert "science-oriented" in note.text
    assert all("right" not in record.scores for record in result.records)
    assert all("left" in record.scores for record in result.records)
