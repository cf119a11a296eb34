"""The published tables come out of the published replies, through the whole program."""

from collections import Counter

import pytest

import published
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import jobs
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.run_plan import study_named

ZERO = "gpt3_hate/zero_shot_results_multiple.csv"
MIXED = "gpt3_hate/few_shot_fixed_examples_results.csv"
MISSPELT = "gpt3_hate/zero_shot_misspelling.csv"
TABLE_1 = {
    # category: (mean, deviation) of accuracy, precision, recall and F1
    "racist": ((58.04, 6.46), (58.03, 6.68), (59.48, 9.16), (58.48, 6.73)),
    "sexist": ((54.55, 5.22), (52.74, 3.67), (78.84, 6.90), (63.12, 4.34)),
    "": ((56.30, 4.27), (54.84, 3.50), (69.07, 5.87), (69.77, 5.69)),
}
NAMES = ("accuracy", "precision", "recall", "f1")


def replayed(study, file, **options):
    path = published.need(file)
    one = jobs.plan_jobs(
        study_named(study), [f"replay:{path}"], RunOptions(convention="chiu2021", **options),
        Options(), Logged(),
    )[0]  # fmt: skip
    with jobs.session(Logged(), keep=False) as shared:
        return jobs.score(one, shared)


def value(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


@published.needs(ZERO)
def test_table_1():
    result = replayed("hate_prompts", ZERO, settings={"settings": "zero"})
    assert len(result.records) == 12_000
    for category, numbers in TABLE_1.items():
        groups = {"setting": "zero"} | ({"category": category} if category else {})
        for name, (mean, deviation) in zip(NAMES, numbers, strict=True):
            assert value(result, f"chiu2021_{name}", **groups).value == pytest.approx(
                mean, abs=0.005
            )
            found = value(result, f"chiu2021_{name}_sd", **groups).value
            assert found == pytest.approx(deviation, abs=0.005)
    of_racist = {"setting": "zero", "category": "racist"}
    accuracy = value(result, "accuracy", category="racist")
    assert (accuracy.low, accuracy.high) == pytest.approx((54.0, 62.3), abs=0.8)
    error = value(result, "accuracy_se_repeats", **of_racist)
    assert error.value == pytest.approx(0.65, abs=0.005)
    kinds = Counter(r.groups["category"] for r in result.records if not r.scores["listed"])
    assert kinds == {"sexist": 78, "racist": 33}


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
    assert len({(r.groups["category"], r.cluster) for r in result.records}) == 61
