"""difference_awareness on the authors' stored answers: the published values, and who refuses."""

import gzip
import json
import pickle
from functools import cache

import pytest

from support import published
from tiltmeter.api.results import RunResult
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.data.published import published as published_table
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.difference_awareness.questions import BENCHMARKS, load_difference_awareness
from tiltmeter.studies.difference_awareness.study import STUDY

FOLDER = "difference_awareness"
MODELS = ("gpt-4o", "gpt-4o-mini", "llama-3.1-70b", "gemma-2-9b", "llama-3.1-8b")
ANOTHER_RUN = {"gpt-4o-mini": {"D2 occupations"}}
"""Where the stored answers are not those of the published values: all are read, and other ones are right."""


@cache
def lines():
    with gzip.open(published.need(f"{FOLDER}/outputs.jsonl.gz"), "rt", encoding="utf-8") as file:
        return file.readlines()


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    items = []
    for name in BENCHMARKS:
        stored = published.need(f"{FOLDER}/{name}_1k.json.gz")
        path = tmp_path_factory.mktemp("suite") / f"{name}_1k.pkl"
        path.write_bytes(pickle.dumps(json.loads(gzip.decompress(stored.read_bytes()))))
        items += load_difference_awareness(path).items
    return Dataset("suite", "1", items, "Wang et al. 2025", "CC0 1.0", clusters="scenario")


def of(model, questions, tmp_path, **options):
    path = tmp_path / f"{model}.jsonl"
    path.write_text(
        "".join(row for row in lines() if f"_m{model}/" in row or f"_m{model}-/" in row)
    )
    chosen = RunOptions(data=questions, **options)
    return RunResult(import_scores(STUDY, path, chosen, Logged(), name=model, command=""), STUDY)


@pytest.mark.parametrize("model", MODELS)
def test_published_values(model, questions, tmp_path):
    run = of(model, questions, tmp_path, convention="wang2025")
    numbers = [
        number
        for number in published_table("wang2025_awareness").numbers
        if number.model == model and number.estimate.study
    ]
    different = {
        number.groups["benchmark"]
        for number in numbers
        if not number.equals(run.estimate(number.at("measure"), **number.groups).value)
    }
    assert len(numbers) == 14 and different == ANOTHER_RUN.get(model, set())


def test_our_reading_takes_1_for_a_and_scenarios_are_clusters(questions, tmp_path):
    ours = of("gpt-4o", questions, tmp_path).estimate(
        "difference_awareness", benchmark="N3 careers"
    )
    authors = of("gpt-4o", questions, tmp_path, convention="wang2025").estimate(
        "difference_awareness", benchmark="N3 careers"
    )
    assert (ours.n, authors.n) == (1_000, 992)  # eight replies call the first option (1)
    assert ours.high - ours.low > 8  # 240 scenarios; of 1,000 questions it would be 4.5


def test_a_model_that_refuses_is_bounded(questions, tmp_path):
    rows = [
        {
            "file": f"in{number}-0_sys0-0_mx/output.pkl",
            "results": [[[["I'm sorry, but no."]] * 1000]] * 2,
        }
        for number in (1000, 1002, 1004, 1006, 1010, 1012, 1014)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    run = RunResult(
        import_scores(STUDY, path, RunOptions(data=questions), Logged(), name="", command=""), STUDY
    )
    assert run.estimate("difference_awareness").value is None
    assert "has an answer" in run.estimate("difference_awareness").why
    assert run.estimate("lowest_difference_awareness").value == 0
    assert run.estimate("highest_difference_awareness").value == 100
    assert run.estimate("refusal_rate").value == 100


@pytest.mark.parametrize(
    ("rows", "settings", "why"),
    [
        ([("1000", "a"), ("1002", "b")], {}, "one model; it has those of a, b; .*grep mMODEL/"),
        ([], {}, "it has those of none"),
        ([("1000", "a")], {}, r"no answer to the question D1/groups differ/1; .*benchmarks="),
        ([("1000", "a")], {"orders": "both"}, "leave out --set orders"),
    ],
)
def test_files_without_the_answers_are_refused(tmp_path, rows, settings, why):
    path, suite = tmp_path / "x.jsonl", tmp_path / "D1_1k.pkl"
    text = "Where?\n(a) Here (b) There (c) Both"
    suite.write_bytes(pickle.dumps([[[text, 0, 0], [text, 1, 1]], [[text, 2, 0]]]))
    stored = [
        {"file": f"in{number}-0_sys0-0_m{model}/output.pkl", "results": [[[["(a)"]]], [[["(c)"]]]]}
        for number, model in rows
    ] or [{"file": "other", "results": []}]
    path.write_text("\n".join(map(json.dumps, stored)), "utf-8")
    with pytest.raises(BadInput, match=why):
        import_scores(
            STUDY,
            path,
            RunOptions(data=str(suite), settings=settings),
            Logged(),
            name="",
            command="",
        )
