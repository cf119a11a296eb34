"""Prediction files: what is read, what is refused, and the published figures from them."""

import json
from decimal import Decimal

import polars as pl
import pytest

from support import published
from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import SIDES, Dataset, Triple
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.triples.predictions import read_predictions, write_predictions
from tiltmeter.data.triples.triples import finished, read_triples
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.scoring.contexts import record
from tiltmeter.studies.stereoset import STUDY, stored

SCORES, REBUILT = "stereoset_predictions", "stereoset/dev_rebuilt.json"
NAMES = {
    "bert-base-cased": "predictions_bert-base-cased_BertNextSentence_BertLM.json",
    "gpt2": "predictions_gpt2_ModelNSP_GPT2LM.json",
    "SentimentModel": "predictions_SentimentModel.json",
}
PUBLISHED = {
    # lms, ss, icat: both tasks pooled term by term, within a sentence, between two
    "bert-base-cased": ((85.77, 59.56, 69.38), (83.02, 58.68, 68.61), (88.53, 60.43, 70.06)),
    "gpt2": ((83.65, 57.03, 71.89), (91.11, 61.93, 69.37), (76.26, 52.28, 72.79)),
    "SentimentModel": ((64.77, 61.67, 49.64), (46.01, 56.40, 40.12), (83.51, 66.93, 55.24)),
}
"""Nadeem et al. 2020, arXiv:2004.09456v1, Tables 4 and 7, and the authors' own evaluation file."""


def triple(name, task="intrasentence", target="nurse"):
    context = "A BLANK." if task == "intrasentence" else "A nurse came."
    return Triple(name, task, context, ("A a.", "A b.", "A c."), target, "job", ("a", "b", "c"),
                  (f"{name}1", f"{name}2", f"{name}3"))  # fmt: skip


DATA = finished(
    Dataset(
        "made up", "1", [triple("x"), triple("y"), triple("z", "intersentence", "chef")], "", ""
    )
)


def scores_of(*names, start=0.0):
    return [
        {"id": f"{n}{side}", "score": start - k - side}
        for k, n in enumerate(names)
        for side in (1, 2, 3)
    ]


@pytest.fixture
def write(tmp_path):
    def write(content, name="predictions.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def test_both_tasks(write):
    path = write({"intrasentence": scores_of("y", "x"), "intersentence": scores_of("z")})
    data, rows = read_predictions(path, DATA)
    assert [t.id for t in data.items] == ["x", "y", "z"]
    assert rows == [(-2.0, -3.0, -4.0), (-1.0, -2.0, -3.0), (-1.0, -2.0, -3.0)]
    assert "SHA-256" in data.about["scores"]


def test_one_task_alone(write):
    data, rows = read_predictions(write({"intersentence": scores_of("z")}), DATA)
    assert [t.id for t in data.items] == ["z"]
    assert any("no scores of intrasentence contexts; 2 are left out" in n.text for n in data.notes)
    assert len(rows) == 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_table(write, suffix):
    rows = scores_of("x", "y", "z")
    text = "\n".join(json.dumps(row) for row in rows)
    if suffix == "csv":
        text = "id,score\n" + "\n".join(f"{row['id']},{row['score']}" for row in rows)
    assert len(read_predictions(write(text, f"scores.{suffix}"), DATA)[1]) == 3


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda rows: rows[1:], "cluster 'x' has no score for 'x1'"),
        (lambda rows: [*rows, rows[0]], "the sentence 'x1' has two scores"),
        (
            lambda rows: [{**rows[0], "score": "nan"}, *rows[1:]],
            "score of 'x1' is not a finite number",
        ),
        (
            lambda rows: [{**rows[0], "score": "0.5"}, *rows[1:]],
            "score of 'x1' is not a finite number .'0.5'",
        ),
        (
            lambda rows: [{**rows[0], "score": None}, *rows[1:]],
            "score of 'x1' is not a finite number",
        ),
        (
            lambda rows: [{**rows[0], "score": True}, *rows[1:]],
            "score of 'x1' is not a finite number",
        ),
        (lambda rows: [*rows, {"id": "x9", "score": 1}], "'x9' does not belong to a sentence"),
        (lambda rows: [*rows, ["x", 1]], "is not an object with id and score"),
    ],
)
def test_bad_scores(write, change, says):
    path = write({"intrasentence": change(scores_of("x", "y"))})
    with pytest.raises(BadItems, match=says) as found:
        read_predictions(path, DATA)
    assert "--skip-invalid" in str(found.value)
    data, rows = read_predictions(path, DATA, skip_invalid=True)
    assert "y" in {t.id for t in data.items}
    assert len(rows) == len(data.items)
    assert len(data.invalid) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"intrasentence": [{"id": ', "broken JSON"),
        ('{"intrasentence": [], "intrasentence": []}', "'intrasentence' occurs twice"),
        ('{"intrasentence": [{"id": "x1", "score": 1, "score": 2}]}', "'score' occurs twice"),
        ({"other": []}, "has no list `intrasentence`"),
        ({"intrasentence": [{"id": "q", "score": 1}]}, "contains no scores of the 3 contexts"),
        ("[]", "empty|no row|no object"),
    ],
)
def test_files_that_cannot_be_read(write, content, says):
    with pytest.raises(BadInput, match=says):
        read_predictions(write(content), DATA)


@pytest.mark.parametrize("score", ["1_000", "٣", "0x1", "1e999", "2,5"])
def test_a_table_has_decimal_numbers(write, score):
    table = write(f'id,score\nx1,"{score}"\nx2,1\nx3,2\n', "scores.csv")
    with pytest.raises(BadItems, match="score of 'x1' is not a finite number"):
        read_predictions(table, DATA)


def test_decimals_of_a_typed_table_are_numbers(tmp_path):
    scores = pl.Series([Decimal("1.5"), Decimal(2), Decimal(-3)], dtype=pl.Decimal(10, 3))
    pl.DataFrame({"id": ["x1", "x2", "x3"], "score": scores}).write_parquet(tmp_path / "a.parquet")
    _, rows = read_predictions(tmp_path / "a.parquet", DATA, skip_invalid=True)
    assert list(rows) == [(1.5, 2.0, -3.0)]


def test_what_is_written_is_read_again(write):
    records = [record(t, (3.0, 0.5, -1e-9)) for t in DATA.items]
    text = write_predictions(records)
    assert read_predictions(write(text), DATA)[1] == [(3.0, 0.5, -1e-9)] * 3
    assert list(json.loads(text)) == ["intrasentence", "intersentence"]
    with pytest.raises(BadInput, match="not a context with three candidates"):
        write_predictions([record(DATA.items[0], (1, 2, 3)).__class__("p", {"more": 1.0}, {})])


def by_hand(name):
    """An evaluation of its own: plain loops over the files, as the paper describes it."""
    said = json.loads(published.need(f"{SCORES}/{NAMES[name]}").read_text())
    score = {row["id"]: row["score"] for rows in said.values() for row in rows}
    whole = json.loads(published.need(REBUILT).read_text())["data"]
    found = {}
    for tasks in (("intrasentence", "intersentence"), ("intrasentence",), ("intersentence",)):
        terms = {}
        for task in tasks:
            for cluster in whole[task]:
                of = {s["gold_label"]: score[s["id"]] for s in cluster["sentences"]}
                terms.setdefault(cluster["target"], []).append(of)
        lms = ss = 0.0
        for clusters in terms.values():
            hits = sum(
                (c["stereotype"] > c["unrelated"]) + (c["anti-stereotype"] > c["unrelated"])
                for c in clusters
            )
            lms += 100 * hits / (2 * len(clusters)) / len(terms)
            ss += (
                100
                * sum(c["stereotype"] > c["anti-stereotype"] for c in clusters)
                / len(clusters)
                / len(terms)
            )
        found[tasks[0] if len(tasks) == 1 else ""] = (lms, ss, lms * min(ss, 100 - ss) / 50)
    return found


@published.needs(SCORES)
@pytest.mark.parametrize("name", NAMES)
def test_the_published_figures(name):
    data = read_triples(published.need(REBUILT))
    items, records = stored(published.need(f"{SCORES}/{NAMES[name]}"), data)
    result = summarise(
        STUDY, records, items, chosen=Chosen(STORED, PAPER, "loss"), seed=0,
        model={"name": name, "fingerprint": name},
    )  # fmt: skip
    assert result.card.counts["scored"] == 4229
    values = {(e.name, e.groups.get("task", "")): e.value
              for e in result.estimates if set(e.groups) <= {"task"}}  # fmt: skip
    mine = by_hand(name)
    for task, printed in zip(("", "intrasentence", "intersentence"), PUBLISHED[name], strict=True):
        found = tuple(values[measure, task] for measure in ("lms", "ss", "icat"))
        assert found == pytest.approx(mine[task], abs=1e-9)
        assert tuple(round(value, 2) for value in found) == printed
    assert {side for r in records for side in r.names} == set(SIDES)
