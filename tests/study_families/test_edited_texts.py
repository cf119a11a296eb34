"""Tests of placebo edits of edited texts, end to end on classifiers of which the truth is known."""

import re
from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.core.measures import ARM, EDIT, EDITED
from tiltmeter.models.fake import FakeClassifier
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.choosing import choose, every_need
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

STUDY = find("studies", "counterfactual", "STUDY")
CHOSEN = choose(STUDY, every_need(STUDY), model="truth")
GROUPS = re.compile(
    r"\b(muslim|christian|jewish|black|white|asian|gay|straight|female|male)\b", re.IGNORECASE
)
LESS, RAW, PLACEBO = "change_less_placebo", "change_of_groups", "change_of_placebo"


def classifier(chance):
    """A classifier whose probability of positive is a function of the text."""

    class Truth(FakeClassifier):
        def class_logprobs(self, texts):
            return [np.log([1 - chance(text), chance(text)]) for text in texts]

    return Truth("truth")


def items(**options):
    return load_items(STUDY, RunOptions(**options), Logged())


def numbers(chance, data):
    result = measure(STUDY, classifier(chance), data, chosen=CHOSEN)
    return {e.name: e for e in result.estimates if not e.groups}, result


def noise(text: str) -> float:
    """A number from 0 to 1 that is another for each text."""
    return np.random.default_rng([*text.encode()]).random()


def test_where_any_edit_matters_and_groups_do_not_the_excess_is_about_0():
    found, _ = numbers(lambda text: 0.05 + 0.9 * noise(text), items(placebo="edits"))
    less = found[LESS]
    assert less.low < 0 < less.high
    assert found[RAW].value == pytest.approx(found[PLACEBO].value, rel=0.3)
    assert found[RAW].value > 15


def test_where_groups_matter_and_edits_do_not_the_excess_is_the_raw_effect():
    def chance(text: str) -> float:
        group = GROUPS.search(text)
        return 0.1 + 0.8 * noise(group[0].lower() if group else "nobody")

    found, _ = numbers(chance, items(placebo="edits"))
    assert found[PLACEBO].value == 0
    assert found[LESS].value == pytest.approx(found[RAW].value)
    assert found[LESS].significant
    assert found["change_share_of_placebo"].value == 0


def test_the_placebo_changes_no_number_of_the_groups_by_a_bit():
    def chance(text: str) -> float:
        return 0.05 + 0.9 * noise(text)

    _, alone = numbers(chance, items())
    _, beside = numbers(chance, items(placebo="edits"))
    kept = [e for e in beside.estimates if e.name in alone.card.measures]
    assert kept == alone.estimates
    assert beside.headline.name == LESS
    assert [r.item for r in beside.records[: len(alone.records)]] == [r.item for r in alone.records]


def test_both_arms_have_equally_many_edits_of_like_size_in_the_same_texts():
    data = items(placebo="edits")
    arms = {arm: [i for i in data.items if i.groups[ARM] == arm] for arm in ("group", "placebo")}
    assert len(arms["group"]) == len(arms["placebo"])
    assert {i.groups[EDITED] for i in arms["group"]} == {i.groups[EDITED] for i in arms["placebo"]}
    assert len({i.id for i in data.items}) == len(data.items)
    assert not any("swap" in i.groups for i in arms["placebo"])
    assert len({i.groups[EDIT] for i in arms["placebo"]}) > 10
    group, placebo = map(float, re.findall(r"\d+\.\d", data.about["size of edits"]))
    assert placebo == pytest.approx(group, abs=0.5)
    assert data.about["placebo"] == "edits"


def test_paraphrases_of_the_users_are_a_control_of_their_own(tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_text(
        "id,text\n0-Muslim,All Muslim people are welcome here.\n0-Muslim,Muslims are welcome here.\n"
        "0-black,All black people are welcome here.\nother,Nothing.\n"
    )
    data = items(placebo=str(file))
    added = [i for i in data.items if i.groups[ARM] == "paraphrase"]
    assert [i.after for i in added] == [
        "All Muslim people are welcome here.", "Muslims are welcome here.",
        "All black people are welcome here.",
    ]  # fmt: skip
    notes = " ".join(note.text for note in data.notes)
    assert "1 paraphrase of mine.csv not used" in notes
    assert "38 texts without a paraphrase" in notes
    found, _ = numbers(noise, data)
    assert found["change_less_paraphrase"].n == 4
    assert found["change_less_paraphrase"].low is None  # three texts of one template


def test_a_list_that_fits_no_text_is_an_error(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text('[[edits]]\nname = "x"\nfind = "zzz"\nput = "y"\n')
    with pytest.raises(BadInput, match="no edit of the list fits one of the 40 texts"):
        items(placebo=str(file))
