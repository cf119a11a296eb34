"""The tables of Chiu et al. 2022: parts and wholes agree, and Tables 2 to 7 follow from Tables 12 to 21."""

from collections import Counter

import numpy as np
import pytest

from support import gpt3_hate
from support import published as data_sets
from tiltmeter.data.published import published, published_for
from tiltmeter.studies.hate_prompts.comments import load as load_hate_prompts
from tiltmeter.studies.hate_prompts.metrics import (
    OverallF1,
    PublishedNumber,
    harmonic,
    rounded_accuracy,
    rounded_f1,
    rounded_precision,
    rounded_recall,
)
from tiltmeter.studies.misspellings.edits import published_edits

SINGLE, MIXED = published("chiu2021_single"), published("chiu2021_mixed")
CONFUSION = published("chiu2021_confusion")
LABELS, FLIPS, TEXT = (published(f"chiu2021_{name}") for name in ("labels", "flips", "text"))
CATEGORIES = ("racist", "sexist")
FORMULAS = {
    "chiu2021_accuracy": rounded_accuracy,
    "chiu2021_precision": rounded_precision,
    "chiu2021_recall": rounded_recall,
    "chiu2021_f1": rounded_f1,
}


def replies(setting, category, example_set=""):
    """Columns of the replies that a printed table counts: truth_positive, said_positive."""
    truth, said = [], []
    for t in ("yes", "no"):
        for s in ("yes", "no"):
            count = int(
                CONFUSION.find(
                    setting=setting, category=category, example_set=example_set, truth=t, said=s
                )
            )
            truth += [float(t == "yes")] * count
            said += [float(s == "yes")] * count
    return np.array(truth), np.array(said)


def test_tables_are_whole():
    assert [len(t.numbers) for t in (SINGLE, MIXED, CONFUSION)] == [72, 176, 36 + 176]
    assert [len(t.numbers) for t in (LABELS, FLIPS, TEXT)] == [15, 6, 32]
    sizes = {f.places["example_set"] for f in MIXED.numbers}
    assert sizes == {*map(str, range(1, 11)), ""}


@pytest.mark.parametrize("setting", ["zero", "one", "few"])
def test_both_categories_together_are_their_sum(setting):
    for truth in ("yes", "no"):
        for said in ("yes", "no"):
            of = {"setting": setting, "truth": truth, "said": said}
            parts = [CONFUSION.find(**of, category=c) for c in ("racist", "sexist")]
            assert sum(parts) == CONFUSION.find(**of, category="")


@pytest.mark.parametrize("setting", ["mixed", "mixed-instruction"])
@pytest.mark.parametrize("category", ["racist", "sexist"])
def test_example_sets_add_up(setting, category):
    for truth, size in (("yes", 60), ("no", 120)):
        for said in ("yes", "no"):
            of = {"setting": setting, "category": category, "truth": truth, "said": said}
            parts = [CONFUSION.find(**of, example_set=str(k)) for k in range(1, 11)]
            assert sum(parts) == CONFUSION.find(**of, example_set="")
        sets = [replies(setting, category, str(k)) for k in range(1, 11)]
        assert {int((t == float(truth == "yes")).sum()) for t, _ in sets} == {size}


@pytest.mark.parametrize(
    "figure", MIXED.numbers, ids=lambda f: " ".join(list(f.places.values())[1:])
)
def test_tables_4_and_7_follow_from_tables_18_to_21(figure):
    of = figure.places
    truth, said = replies(of["setting"], of["category"], of["example_set"])
    number = PublishedNumber(FORMULAS[of["measure"]], "mean")
    assert f"{number(truth, said, np.zeros(len(truth))):.0f}" == f"{figure.value:.0f}"


@pytest.mark.parametrize("setting", ["one", "few"])
@pytest.mark.parametrize("category", ["racist", "sexist", ""])
def test_means_of_tables_2_and_3_are_near_those_of_all_replies(setting, category):
    """A mean over repeats is not exactly the value of all replies together."""
    truth, said = replies(setting, category)
    for measure, formula in FORMULAS.items():
        if (category, measure) == ("", "chiu2021_f1"):
            continue
        value = PublishedNumber(formula, "mean")(truth, said, np.zeros(len(truth)))
        printed = SINGLE.find(setting=setting, category=category, measure=measure)
        assert abs(value - printed) < 0.75


@pytest.mark.parametrize(
    ("setting", "printed", "right"), [("one", 55.2, 57.1), ("few", 62.0, 67.5)]
)
def test_f1_over_both_categories_is_printed_with_the_recall_of_one(setting, printed, right):
    parts = {c: replies(setting, c) for c in ("racist", "sexist")}
    truth, said = (np.concatenate([parts[c][at] for c in parts]) for at in (0, 1))
    category = np.array([c for c in parts for _ in parts[c][0]])
    found = OverallF1("mean")(truth, said, np.zeros(len(truth)), category)
    assert found == pytest.approx(printed, abs=0.05)
    of = {"setting": setting, "category": "", "measure": "chiu2021_f1"}
    assert abs(found - SINGLE.find(**of)) < 0.5
    assert PublishedNumber(rounded_f1, "mean")(truth, said, np.zeros(len(truth))) == (
        pytest.approx(right, abs=0.05)
    )


@data_sets.needs("gpt3_hate/few_shot_fixed_examples_instruction_results.csv")
def test_table_6_pools_two_runs():
    """Less the stored replies, at temperature 0, it has the counts of Tables 20 and 21 and 71 % right."""
    rows = gpt3_hate.rows_of("few_shot_fixed_examples_instruction_results")
    cold = Counter((row["label"], row["answer"].strip()) for row in rows)
    warm = {(f.places["label"], f.places["said"]): f.value - cold[f.places["label"], f.places["said"]]
            for f in LABELS.numbers}  # fmt: skip
    assert sum(warm.values()) == 2400
    for category in CATEGORIES:
        of = {
            "setting": "mixed-instruction",
            "category": category,
            "example_set": "",
            "said": "yes",
        }
        named = [warm[category, said] for said in (category, "racist and sexist")]
        assert sum(named) == CONFUSION.find(**of, truth="yes")
        assert warm["neither", category] == CONFUSION.find(**of, truth="no")
    right = sum(warm[label, label] for label in ("neither", *CATEGORIES))
    of = {"setting": "mixed-instruction, all labels", "measure": "strict_accuracy"}
    assert f"{100 * right / 2400:.0f}" == f"{TEXT.find(**of):.0f}"


def test_right_and_wrong_replies_follow_from_the_tables_with_one_exception():
    counts = [
        f
        for f in TEXT.numbers
        if f.places["measure"] in {"chiu2021_matches", "chiu2021_mismatches"}
    ]
    assert len(counts) == 16
    exceptions = []
    for figure in counts:
        of = {axis: figure.places[axis] for axis in ("setting", "category")}
        right = figure.places["measure"] == "chiu2021_matches"
        cells = [CONFUSION.find(**of, truth=t, said=s) for t in ("yes", "no") for s in ("yes", "no")
                 if (t == s) == right]  # fmt: skip
        if figure.value != sum(cells):
            exceptions.append((of["setting"], of["category"], sum(cells), figure.value))
    assert exceptions == [("one", "", 5299, 5326)]
    zero = [f.value for f in CONFUSION.numbers
            if f.places["setting"] == "zero" and not f.places["category"]]  # fmt: skip
    assert 12_000 - sum(zero) == TEXT.find(measure="chiu2021_unanswered")


def test_flips_of_table_23_add_up_to_those_of_the_text():
    flips = Counter()
    for figure in FLIPS.numbers:
        flips[figure.places["measure"]] += figure.value
    assert flips == {"flips_away": 6, "flips_to": 2}
    assert TEXT.find(measure="flips_to") == 2
    edits = {edit.name for edit in published_edits()}
    assert {figure.places["edit"] for figure in FLIPS.numbers} <= edits


@data_sets.needs("gpt3_hate/Ethos_Dataset_Multi_Label.csv")
def test_their_axes_have_the_values_of_the_study():
    """So that they stand beside those of a run under the same convention."""
    assert published_for("hate_prompts") == [
        "chiu2021_confusion", "chiu2021_mixed", "chiu2021_single", "chiu2021_text",
    ]  # fmt: skip
    assert published_for("misspellings") == ["chiu2021_flips", "chiu2021_text"]
    settings = {"variant": "chiu2021", "settings": "all", "repeats": "1"}
    there = {pair for i in load_hate_prompts(settings=settings).items for pair in i.groups.items()}
    made = [one.estimate for table in (SINGLE, MIXED) for one in table.numbers]
    assert {pair for one in made for pair in one.groups.items()} <= there
    whole = [one for one in made if one.groups == {"setting": "zero"}]
    assert {one.name: one.value for one in whole if one.name.endswith("_sd")} == {
        "chiu2021_accuracy_sd": 4.3, "chiu2021_precision_sd": 3.5, "chiu2021_recall_sd": 5.9,
        "chiu2021_f1_sd": 5.7,
    }  # fmt: skip


def test_a_harmonic_mean_of_nothing_has_no_value():
    assert np.isnan(harmonic(np.array(0.0), np.array(0.0)))
