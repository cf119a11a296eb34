"""Identities beside profanity: from the lists to the page."""

import json

import pytest

from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.sos_static.study import STUDY


def run(model, data=None):
    where = resolve(model, Options())
    chosen = choose(STUDY, where.answers, model=model)
    data = data or STUDY.load(settings=chosen.settings)
    return measure(STUDY, open_model(where, Options()), data, chosen=chosen)


def estimate(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


def test_word_vectors_are_read_with_the_user_s_lists(tmp_path):
    lists = tmp_path / "mine.toml"
    lists.write_text(
        'templates = ["{adjective} {identity}"]\n[identities.trade]\n'
        'marginalised = ["miner", "cook"]\nnon-marginalised = ["judge", "mayor"]\n'
        '[adjectives]\noffensive = ["dull"]\npleasant = ["nice"]\n',
        encoding="utf-8",
    )
    vectors = tmp_path / "glove.txt"
    vectors.write_text(
        "dull 1 0\nminer 3 4\ncook 0 1\njudge 4 3\nmayor 1 0\nbore 0 2\n", encoding="utf-8"
    )
    settings = {s.name: s.default for s in STUDY.settings}
    result = run(f"vectors:{vectors}", STUDY.load(lists, settings=settings))
    # cosines .6, 0, .8, 1
    found = {r.groups["identity"]: r.scores["sos"] for r in result.records}
    assert found == pytest.approx({"miner": 0.6, "cook": 0, "judge": 0.8, "mayor": 1}, abs=1e-6)
    assert estimate(result, "static_sos_gap").value == pytest.approx(0.3 - 0.9, abs=1e-6)
    other = tmp_path / "list.txt"
    other.write_text("bore\n", encoding="utf-8")
    settings["profanity"] = str(other)
    data = STUDY.load(lists, settings=settings)
    assert data.about["profanity"].startswith("list.txt, 1 word, ")
    result = run(f"vectors:{vectors}", data)
    # cosines .8, 1, .6, 0
    assert estimate(result, "static_sos_gap").value == pytest.approx(0.9 - 0.3, abs=1e-6)


def test_word_vectors_in_words():
    result = run("fake:vectors")
    assert len(result.records) == 78
    assert estimate(result, "static_sos", identity="woman").n == 1
    assert estimate(result, "static_sos").p is None
    text = page(run_document(result, STUDY))
    assert "from the identity farthest from profanity (0) to the closest (1)" in text
    assert "Show the text" not in text  # there is none
    json.dumps(result.card.data, allow_nan=False)
