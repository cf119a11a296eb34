"""Replies of a run read again: as if the run had been by the other rule, and nothing is asked."""

import csv
from dataclasses import replace

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.results import Note, Result
from tiltmeter.run.files.reread_runs import reread
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

SAID = (
    "yes",
    "No.",
    "Well, no",
    "Sorry, that is unfair.",
    "I think yes",
    "<think>Yes?</think>no",
    "<think>No",
)
ITEMS = load_items(find("studies", "prompts", "STUDY"), RunOptions(), Logged()).items


def replies(folder, said=SAID):
    path = folder / "replies.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("prompt", "answer"))
        for n, item in enumerate(ITEMS):
            rows.writerow((item.prompt.plain, said[n % len(said)]))
    return f"replay:{path}"


def run(folder, rule="word", **options):
    return tm.run("prompts", replies(folder), rule=rule, **options).result


def again(of, **options):
    return reread(of, RunOptions(**options)).result


def numbers(result):
    return [(e.name, e.groups, e.value, e.low, e.high, e.n, e.rule) for e in result.estimates]


@pytest.mark.parametrize(
    ("before", "after"), [("word", "contains"), ("contains", "word"), ("word", "word")]
)
def test_replies_read_again_are_those_of_a_run_by_the_other_rule(tmp_path, before, after):
    made, wanted = again(run(tmp_path, before), rule=after), run(tmp_path, after)
    assert numbers(made) == numbers(wanted)
    assert [*made.records] == [*wanted.records]
    assert made.card.counts == wanted.card.counts
    assert made.card.rule == after and made.card.model == wanted.card.model
    assert made.card.counts["thinking"] > 0 and made.card.counts["thoughts"] > 0


@pytest.mark.parametrize("limit", [None, 5])
def test_repeats_of_an_item_stay_its_repeats(limit):
    how = {"repeats": 3, "limit": limit, "settings": {"temperature": "0.7"}}
    before, wanted = (
        tm.run("prompts", "fake:causal", rule=rule, **how).result for rule in ("word", "contains")
    )
    made = again(before, rule="contains")
    assert numbers(made) == numbers(wanted) and [*made.records] == [*wanted.records]
    assert made.card.counts == wanted.card.counts and made.card.counts["repeats"] == 3


def test_what_a_server_changes_between_repeats_is_told_of_the_reading(tmp_path):
    model = replies(tmp_path)
    of = tm.run("prompts", model, rule="word").result
    twice = [record for r in of.records for record in (r, r)]
    different = [
        replace(r, said="well, yes", item=f"{r.item}|2", scores={**r.scores, "repeat": 1.0})
        if n % 2 else
        replace(r, scores={**r.scores, "repeat": 0.0, "changed_between_repeats": 1.0, "repeats": 2.0})
        for n, r in enumerate(twice)
    ]  # fmt: skip
    old = "not deterministic: at temperature 0 the answers to 32 of 32 items (100.0 %) changed between 2"
    notes = [Note("caution", f"The model or its server is {old} repeats.")]
    made = again(
        replace(of, records=different, card=replace(of.card, notes=notes)), rule="contains"
    )
    changed = sum(record.scores.get("changed_between_repeats", 0) for record in made.records)
    (note,) = [note.text for note in made.card.notes if "not deterministic" in note.text]
    assert 0 < changed < 32 and f"the answers to {changed:.0f} of 32 items" in note


def test_the_card_says_whose_replies_they_are(tmp_path):
    saved = tm.run("prompts", replies(tmp_path), rule="word", out=tmp_path / "runs").folder
    card = again(saved, rule="contains").card
    (note,) = [note.text for note in card.notes if "read again" in note.text]
    assert note == (
        f"The replies are those of the run {saved.name}, read again by rule contains (before: word); no "
        "model was asked."
    )
    assert card.data["replies of"] == saved.name


def test_settings_of_how_replies_are_read_may_be_others(tmp_path):
    of = run(tmp_path)
    made = again(of, settings={"refusals": "sorry, that"})
    assert made.card.counts["refused"] > of.card.counts["refused"] == 0
    assert numbers(made) == numbers(run(tmp_path, settings={"refusals": "sorry, that"}))
    assert again(made).card.counts == made.card.counts  # what is not named is as in the run


def test_a_part_of_the_data_stays_that_part(tmp_path):
    of = run(tmp_path, limit=9, seed=3)
    made = again(of, rule="contains")
    assert numbers(made) == numbers(run(tmp_path, "contains", limit=9, seed=3))
    assert made.card.data_name == of.card.data_name and made.card.seed == 3


def test_what_would_have_been_asked_otherwise_is_refused(tmp_path):
    of = run(tmp_path)
    with pytest.raises(BadInput, match="the model is asked something else; ask the model again"):
        again(of, settings={"wrap": "text"})
    with pytest.raises(BadInput, match="is no item of starter_prompts with these settings"):
        again(of, settings={"settings": "plain"})
    with pytest.raises(BadInput, match="by the rule choice a model writes nothing"):
        again(of, rule="choice")
    with pytest.raises(UnknownName, match="rule"):
        again(of, rule="nonsense")


def test_runs_without_single_replies_are_refused():
    chosen = tm.run("prompts", "fake:causal", rule="choice").result
    with pytest.raises(BadInput, match="by the rule choice a model writes nothing"):
        again(chosen, rule="word")
    with pytest.raises(BadInput, match=r"each item has several replies \(first and second\)"):
        again(tm.run("first_person", "fake:causal").result)
    silent = Result(chosen.card, chosen.records, chosen.estimates)
    silent = replace(silent, card=replace(chosen.card, rule="word"))
    with pytest.raises(BadInput, match="has no reply that says how it ended"):
        again(silent)


@pytest.mark.parametrize(
    ("kind", "command"), [("stored scores", "import --study prompts"), ("log of lm_eval", "import")]
)
def test_replies_of_a_file_are_read_from_that_file(tmp_path, kind, command):
    of = run(tmp_path)
    of = replace(of, card=replace(of.card, model={**of.card.model, "kind": kind}))
    with pytest.raises(BadInput, match=f"give that file to `tiltmeter {command}`"):
        again(of)


def test_data_that_were_a_file_are_named_and_must_be_the_same(tmp_path):
    of = run(tmp_path)
    other = replace(
        of, card=replace(of.card, data={**of.card.data, "name": "mine.toml", "sha256": "0"})
    )
    with pytest.raises(
        BadInput, match=r"the run is about mine.toml, .* name the run's file with --data"
    ):
        again(other)
    with pytest.raises(BadInput, match="has another content; give the data as they were"):
        again(other, data="starter_prompts")


def test_a_record_of_another_text_is_not_read_as_the_items(tmp_path):
    of = run(tmp_path)
    first, *others = of.records
    changed = replace(first, texts={**first.texts, "text": "Another one."})
    with pytest.raises(BadInput, match="has another text of starter_prompts"):
        again(replace(of, records=[changed, *others]))
