"""The published tables come out of the published replies, through the whole program."""

from collections import Counter

import pytest

from support import gpt3_hate, published
from tiltmeter.data import published as data
from tiltmeter.models.opening.model_options import Options
from tiltmeter.report.document import Picture, Table
from tiltmeter.report.documents.run import run_document
from tiltmeter.run import jobs
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.hate_prompts.study import STUDY

ZERO = "gpt3_hate/zero_shot_results_multiple.csv"
MIXED = "gpt3_hate/few_shot_fixed_examples_results.csv"
INSTRUCTION = "gpt3_hate/few_shot_fixed_examples_instruction_results.csv"
MISSPELT = "gpt3_hate/zero_shot_misspelling.csv"
TABLE_1 = {
    # category: (mean, deviation) of accuracy, precision, recall and F1
    "racist": ((58.04, 6.46), (58.03, 6.68), (59.48, 9.16), (58.48, 6.73)),
    "sexist": ((54.55, 5.22), (52.74, 3.67), (78.84, 6.90), (63.12, 4.34)),
    "": ((56.30, 4.27), (54.84, 3.50), (69.07, 5.87), (69.77, 5.69)),
}
NAMES = ("accuracy", "precision", "recall", "f1")


def replayed(study, *files, **options):
    paths = ",".join(str(published.need(file)) for file in files)
    one = jobs.plan_jobs(
        study_named(study), [f"replay:{paths}"], RunOptions(convention="chiu2021", **options),
        Options(), Logged(),
    )[0]  # fmt: skip
    with jobs.session(Logged(), keep=False) as shared:
        return jobs.score(one, shared)


def value(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


@pytest.fixture(scope="module")
def zero():
    return replayed("hate_prompts", ZERO, settings={"settings": "zero"})


@published.needs(ZERO)
def test_table_1(zero):
    assert len(zero.records) == 12_000
    for category, numbers in TABLE_1.items():
        groups = {"setting": "zero"} | ({"category": category} if category else {})
        for name, (mean, deviation) in zip(NAMES, numbers, strict=True):
            assert value(zero, f"chiu2021_{name}", **groups).value == pytest.approx(mean, abs=0.005)
            found = value(zero, f"chiu2021_{name}_sd", **groups).value
            assert found == pytest.approx(deviation, abs=0.005)
    of_racist = {"setting": "zero", "category": "racist"}
    accuracy = value(zero, "accuracy", category="racist")
    assert (accuracy.low, accuracy.high) == pytest.approx((54.0, 62.3), abs=0.8)
    error = value(zero, "accuracy_se_repeats", **of_racist)
    assert error.value == pytest.approx(0.65, abs=0.005)
    kinds = Counter(r.groups["category"] for r in zero.records if not r.scores["listed"])
    assert kinds == {"sexist": 78, "racist": 33}


@published.needs(ZERO)
def test_tables_9_to_11(zero):
    """Every cell as printed, and the replies that have no answer."""
    printed = [
        f for f in data.published("chiu2021_confusion").numbers if f.places["setting"] == "zero"
    ]
    assert len(printed) == 12
    for figure in printed:
        places = ("setting", "category", "truth", "said")
        groups = {axis: figure.places[axis] for axis in places if figure.places[axis]}
        assert value(zero, "reply_count", **groups).value == figure.value
    assert value(zero, "chiu2021_unanswered", setting="zero").value == 111


@published.needs(MIXED)
@published.needs(INSTRUCTION)
def test_tables_18_to_21_table_8_and_figure_1_at_temperature_0():
    settings = {"settings": "mixed, mixed-instruction", "temperature": "0"}
    result = replayed("hate_prompts", MIXED, INSTRUCTION, settings=settings)
    replies = gpt3_hate.rows_of("few_shot_fixed_examples_instruction_results")
    for number in range(10):
        mine = [r for r in replies if r["example_set"] == str(number)]
        place = {"setting": "mixed-instruction", "example_set": str(number + 1)}
        for category in ("sexist", "racist"):
            for truth, label in (("yes", category), ("no", "neither")):
                of = [category in r["answer"] for r in mine if r["label"] == label]
                for answer, count in (("yes", sum(of)), ("no", len(of) - sum(of))):
                    groups = {**place, "category": category, "truth": truth, "said": answer}
                    assert value(result, "reply_count", **groups).value == count
        right = 100 * sum(r["answer"].strip() == r["label"] for r in mine) / 240
        place |= {"setting": "mixed-instruction, all labels", "category": "all labels"}
        assert value(result, "strict_accuracy", **place).value == pytest.approx(right)
    document = run_document(result, STUDY)
    blocks = [block for section in document.sections for block in section.blocks]
    (examples,) = [b for b in blocks if isinstance(b, Table) and b.name == "examples"]
    assert examples.columns[0].cells == [str(n) for n in range(1, 11)]
    for row, number in zip(
        zip(*(c.cells for c in examples.columns[1:]), strict=True), range(10), strict=True
    ):
        mine = next(r for r in replies if r["example_set"] == str(number))
        shown = [mine[f"example{i}"] for i in (1, 2, 3)]
        assert [text.partition(": ")[2] for text in row if text] == shown
    (curves,) = [b for b in blocks if isinstance(b, Picture) and b.name == "r1-example-sets"]
    assert curves.table.rows == 10 and len(curves.table.columns) == 3


@published.needs(MIXED)
def test_the_mixed_settings_at_temperature_0():
    told = {"settings": "mixed", "temperature": "0"}
    result = replayed("hate_prompts", MIXED, settings=told)
    overall = {"category": "racist"}
    assert value(result, "accuracy", **overall).value == pytest.approx(83.33, abs=0.005)
    assert value(result, "f1", **overall).value == pytest.approx(79.02, abs=0.005)
    overall["category"] = "sexist"
    assert value(result, "accuracy", **overall).value == pytest.approx(84.5, abs=0.005)
    assert value(result, "f1", **overall).value == pytest.approx(77.19, abs=0.005)
    plain = value(result, "macro_f1", setting="mixed, all labels")
    assert 0 < plain.low < plain.value < plain.high < 100
    prompts = {(r.groups["example_set"], r.texts["text"]) for r in result.records}
    assert result.card.run["asked"] == len(prompts)  # a reply counts in several tables


@published.needs(MISSPELT)
def test_table_23_has_eight_flips():
    result = replayed("misspellings", MISSPELT)
    assert value(result, "flips_to", category="racist").value == 2
    assert value(result, "flips_away", category="racist").value == 6
    assert value(result, "flips_to", category="sexist").value == 0
    assert value(result, "flips_away", category="sexist").value == 0
    considered = {c: value(result, "flipped_texts", category=c) for c in ("racist", "sexist")}
    assert {c: (e.value, e.n) for c, e in considered.items()} == {
        "racist": (6, 27),
        "sexist": (0, 34),
    }
    flipped = [r for r in result.records if "flip" in r.groups]
    assert Counter(r.groups["flip"] for r in flipped) == {"yes → no": 6, "no → yes": 2}
