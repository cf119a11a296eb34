"""Folders of results: views come back, and what was edited is damage."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Margins
from tiltmeter.core.views import NumberColumn, NumberTable
from tiltmeter.run.files import folder

TABLE = NumberTable(
    "rates", "Rates", rows=("group",),
    columns=(NumberColumn("rate", at={"state": "before"}, drop=2), NumberColumn("rate", shows="n")),
)  # fmt: skip
CARD = Card(
    study="rates", study_version="1", model={"name": "m", "fingerprint": "f"}, ties="half", seed=0,
    data={"name": "d", "sha256": "s"}, rule="", convention="", method="", counts={"scored": 1},
    views=(TABLE,),
)  # fmt: skip
RATE = Estimate("rate", 1.0, None, None, None, 1, None, "")
RESULT = Result(CARD, [Record("1", {"more": -1.0}, {})], [RATE])


def test_views_come_back_though_their_defaults_are_not_written(tmp_path):
    folder.write(RESULT, tmp_path, page="<html></html>")
    (view,) = json.loads((tmp_path / "card.json").read_text())["views"]
    assert view["columns"] == [
        {"measure": "rate", "at": {"state": "before"}, "drop": 2}, {"measure": "rate", "shows": "n"},
    ]  # fmt: skip
    assert list(folder.read(tmp_path).card.views) == [TABLE]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (replace(RESULT, records=[Record("1", {"more": np.nan}, {})]), "'score_more' holds NaN"),
        (replace(RESULT, estimates=[]), "estimates.json has no number"),
    ],
)
def test_what_no_run_writes_is_damage(tmp_path, made, why):
    folder.write(made, tmp_path, page="<html></html>")
    with pytest.raises(BadInput, match=why):
        folder.read(tmp_path)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ({"sources": [{"folder": ["a"]}]}, "not list"),
        ({"study_file": {"path": "mine.py"}}, "study_file.sha256 is missing"),
    ],
)
def test_a_card_that_was_edited_is_damage(tmp_path, edit, why):
    folder.write(replace(RESULT, card=replace(CARD, **edit)), tmp_path, page="<html></html>")
    with pytest.raises(BadInput, match=f"the result is damaged .*{why}"):
        folder.read(tmp_path)


@pytest.mark.parametrize("number", ["1e999", "-Infinity", "NaN"])
@pytest.mark.parametrize("key", ["seed", "run"])
def test_a_card_with_a_number_that_is_not_finite_is_damage(tmp_path, key, number):
    folder.write(RESULT, tmp_path, page="<html></html>")
    written = json.loads((tmp_path / "card.json").read_text())
    written[key] = {"seconds": "HERE"} if key == "run" else "HERE"
    text = json.dumps(written).replace('"HERE"', number)
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(BadInput, match=r"damaged \(card\.json has a number that is not finite\)"):
        folder.read(tmp_path)


def test_a_side_that_lost_its_title_is_damage(tmp_path):
    card = replace(CARD, views=(Margins(("more", "less"), ("stereotyping", "other")),))
    folder.write(replace(RESULT, card=card), tmp_path, page="<html></html>")
    written = json.loads((tmp_path / "card.json").read_text())
    del written["views"][0]["titles"][1]
    (tmp_path / "card.json").write_text(json.dumps(written))
    with pytest.raises(BadInput, match="2 sides have 1 title"):
        folder.read(tmp_path)


def test_what_a_killed_process_left_of_any_file_is_removed(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = [
        tmp_path / f".{name}.{ended.pid}-1" for name in ("card.json", "studies.csv", "tables.tex")
    ]
    kept = [tmp_path / ".notes.31"]
    for file in (*left, *kept):
        file.write_text("x")
    folder.write(RESULT, tmp_path, page="<html></html>", more={"studies.csv": "a"})
    assert not any(file.exists() for file in left) and all(file.exists() for file in kept)
    (tmp_path / "studies.csv").unlink()  # the card has its numbers
    folder.read(tmp_path)
    (tmp_path / "estimates.json").unlink()
    with pytest.raises(BadInput, match=r"estimates\.json is missing"):
        folder.read(tmp_path)


def test_a_folder_with_another_result_is_replaced_only_on_demand(tmp_path):
    folder.check_replaces(tmp_path / "new", lambda _: False)
    folder.write(RESULT, tmp_path / "old", page="<html></html>")
    folder.check_replaces(tmp_path / "old", lambda card: card.model_name == "m")
    folder.check_replaces(tmp_path / "old", lambda _: False, overwrite=True)
    with pytest.raises(
        BadInput, match=r"another result, “rates of m”; name another --out, or.*--overwrite"
    ):
        folder.check_replaces(tmp_path / "old", lambda _: False)
    (tmp_path / "old" / "card.json").write_text("{")
    folder.check_replaces(tmp_path / "old", lambda _: False)


def test_records_for_computing_have_the_same_numbers_and_no_texts(tmp_path):
    records = [
        Record("1", {"more": -1.0, "less": -2.0}, {"age": "old"}, "c", texts={"more": "He ran."}),
        Record("2", {"more": -3.0}, {}),
    ]
    made = replace(RESULT, card=replace(CARD, counts={"scored": 2}), records=records)
    folder.write(made, tmp_path, page="<html></html>")
    lazy = folder.read_lazily(tmp_path).records
    whole, bare = [*lazy], [*folder.numbers_only(lazy)]
    assert whole == records and [*folder.numbers_only(records)] == records
    assert [(r.item, r.scores, r.groups, r.cluster) for r in bare] == [
        (r.item, r.scores, r.groups, r.cluster) for r in records
    ]
    assert not any(r.texts for r in bare)
