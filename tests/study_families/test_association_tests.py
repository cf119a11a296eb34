"""WEAT and SEAT as studies: which tests they read, what they say of the rest, and two models."""

import json
from dataclasses import replace

import numpy as np
import pytest

from support import published
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

STUDIES = {name: find("studies", name, "STUDY") for name in ("weat", "seat")}
PUBLISHED = published.needs("seat/sent-weat6.jsonl")


def fake(study, data, **named):
    where = resolve("fake", Options())
    chosen = choose(study, where.answers, model="fake", **named)
    return measure(study, open_model(where, Options()), data, chosen=chosen)


def settings(study, **given):
    return {s.name: s.default for s in study.settings} | given


@PUBLISHED
def test_the_published_tests_are_read_with_their_families():
    words = STUDIES["weat"].load()
    assert words.about["tests"] == "19"
    sentences = STUDIES["seat"].load()
    assert sentences.about["tests"] == "31"
    families = {}
    for target in sentences.items:
        families.setdefault(target.groups.get("family"), set()).add(target.test.name)
    assert {family: len(names) for family, names in families.items() if family} == {
        "gender": 6, "race": 7, "religion": 4,
    }  # fmt: skip
    assert not sentences.notes
    assert not sentences.invalid
    assert "CC BY-NC 4.0" in sentences.licence
    assert STUDIES["seat"].load("seat_religion").about["tests"] == "4"


@PUBLISHED
def test_seventeen_tests_run_as_bias_bench_averages_them():
    study = STUDIES["seat"]
    data = study.load(settings=settings(study, tests="gender, race, religion"))
    assert data.about["tests"] == "17"
    result = fake(study, data, rule="mean_pool", convention="meade2022")
    found = {e.groups["family"]: e for e in result.estimates if e.name == "mean_absolute_effect"}
    for family, estimate in found.items():
        mine = [
            abs(e.value)
            for e in result.estimates
            if e.name == "effect_size"
            and any(i.test.family == family for i in data.items if i.test.name == e.groups["test"])
        ]
        assert estimate.value == pytest.approx(np.mean(mine))
        assert f"mean over {len(mine)} tests" in estimate.why
    assert all("one-sided" in e.test for e in result.estimates if e.name == "effect_size")


@pytest.mark.parametrize("name", ["weat", "seat"])
def test_the_packaged_tests_need_no_download(name):
    study = STUDIES[name]
    data = study.load({"weat": "starter_words", "seat": "starter_sentences"}[name])
    assert data.about["tests"] == "5"
    assert data.clusters == ("word" if name == "seat" else "")
    assert not data.notes
    for target in data.items:
        assert len(target.test.x) == len(target.test.y)
        assert len(target.test.a) == len(target.test.b)


def test_tests_are_chosen_by_name_and_by_family():
    study = STUDIES["weat"]
    named = study.load("starter_words", settings={"tests": "flowers_insects, gender"})
    assert {t.test.name for t in named.items} == {
        "flowers_insects", "women_men_home_office", "women_men_arts_science",
    }  # fmt: skip
    with pytest.raises(UnknownName, match="Did you mean 'gender'"):
        study.load("starter_words", settings={"tests": "gendr"})


def test_unequal_sides_have_an_effect_and_no_test(tmp_path):
    file = tmp_path / "uneven.json"
    sets = {
        "targ1": {"examples": ["a1", "b1", "c1"]}, "targ2": {"examples": ["d1", "e1"]},
        "attr1": {"examples": ["f1"]}, "attr2": {"examples": ["g1"]},
    }  # fmt: skip
    file.write_text(json.dumps(sets), encoding="utf-8")
    (effect,) = fake(STUDIES["weat"], STUDIES["weat"].load(file)).estimates
    assert effect.value is not None
    assert effect.p is None
    assert "no test: X has 3 words and Y 2" in effect.why


# ── Two models ───────────────────────────────────────────────────────────────────────────────────


def sample_result(study, model="fake", rule=None):
    found, where = find("studies", study, "STUDY"), resolve(model, Options())
    chosen = choose(found, where.answers, model=model, rule=rule)
    data = replace(found.sample(), sha256="0" * 64)
    return measure(found, open_model(where, Options()), data, chosen=chosen)


@pytest.mark.parametrize("study", ["weat", "seat"])
def test_a_difference_is_that_of_the_two_effect_sizes(study):
    a, b = sample_result(study, rule="start_token"), sample_result(study, rule="last_token")
    values = [
        {e.groups["test"]: e.value for e in r.estimates if e.name == "effect_size"} for r in (a, b)
    ]
    found = [e for e in compare(a, b) if "test" in e.groups]
    assert {e.groups["test"]: e.value for e in found} == pytest.approx(
        {test: values[0][test] - values[1][test] for test in values[0]}
    )
    units = "words" if study == "seat" else "targets"
    for e in found:  # the samples have six a side
        assert (e.low, e.high, e.p) == (None, None, None)
        assert f"fewer than 8 {units}" in e.why and "scored by different rules" in e.why


def test_a_familys_mean_absolute_effects_have_a_difference_and_no_interval():
    a, b = sample_result("weat", rule="start_token"), sample_result("weat", rule="last_token")
    values = [
        {e.groups["family"]: e.value for e in r.estimates if e.name == "mean_absolute_effect"}
        for r in (a, b)
    ]
    found = {
        e.groups["family"]: e for e in compare(a, b) if e.name == "mean_absolute_effect_difference"
    }
    assert found and {family: e.value for family, e in found.items()} == pytest.approx(
        {family: values[0][family] - values[1][family] for family in values[0]}
    )
    assert all(e.low is None and "no interval, since tests share" in e.why for e in found.values())


def test_a_model_does_not_differ_from_itself():
    a = sample_result("weat")
    for e in compare(a, replace(a, card=replace(a.card, model={**a.card.model, "name": "twin"}))):
        assert e.value == 0
        assert "no interval" in e.why
