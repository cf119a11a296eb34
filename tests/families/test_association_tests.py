"""WEAT, SEAT and CEAT as studies: which tests they read, what they say of the rest, and two models."""

import json
from dataclasses import replace

import numpy as np
import pytest

import published
from tiltmeter.analysis.compare import compare, compare_all
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.choosing import choose
from tiltmeter.run.measure import measure

STUDIES = {name: find("studies", name, "STUDY") for name in ("weat", "seat", "ceat")}
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


# ── CEAT ─────────────────────────────────────────────────────────────────────────────────────────

ONE = {
    "targ1": {"category": "Flowers", "examples": ["rose", "lily"]},
    "targ2": {"category": "Insects", "examples": ["ant", "moth"]},
    "attr1": {"category": "Good", "examples": ["joy", "gift"]},
    "attr2": {"category": "Bad", "examples": ["pain"]},
}
TEXT = "A rose and a lily. An ant saw a moth.\nThere was joy, then pain. Joy again! A red rose."


def ceat(tmp_path, text=TEXT, value=ONE, **given):
    (tmp_path / "tests.json").write_text(json.dumps(value), encoding="utf-8")
    (tmp_path / "corpus.txt").write_text(text, encoding="utf-8")
    told = {"corpus": str(tmp_path / "corpus.txt"), "draws": "20", **given}
    return STUDIES["ceat"].load(tmp_path / "tests.json", settings=settings(STUDIES["ceat"], **told))


def test_words_that_do_not_occur_leave_their_set(tmp_path):
    data = ceat(tmp_path)
    assert len(data.items) == 20
    assert len(data.items[0].a) == 1
    assert [str(note) for note in data.notes] == [
        "tests: A leaves out 1 of 2 words that do not occur in the corpus: 'gift'."
    ]
    assert data.notes[0].kind == "coverage"
    assert data.about["corpus"].startswith("corpus.txt, 5 sentences, SHA-256 ")
    (combined, spread) = fake(STUDIES["ceat"], data).estimates
    assert (combined.name, combined.n, combined.groups) == (
        "combined_effect", 20, {"test": "tests"},
    )  # fmt: skip
    assert spread.value >= 0


def test_another_number_draws_other_contexts(tmp_path):
    one, again, other = (ceat(tmp_path, drawn=number) for number in ("1", "1", "2"))
    assert list(one.items) == list(again.items)
    assert list(one.items) != list(other.items)


def test_what_ceat_cannot_do_without_is_named(tmp_path):
    with pytest.raises(BadInput, match="name a text file or a folder with --set corpus=PATH"):
        STUDIES["ceat"].load()
    with pytest.raises(BadItems, match=r"tests: no word of Y or B occurs in corpus\.txt"):
        ceat(tmp_path, "A rose, a lily and joy.")
    for text in ("", "\n"):
        with pytest.raises(BadInput, match="contains no text"):
            ceat(tmp_path, text)
    for name, value in (("draws", "0"), ("draws", "many"), ("contexts", "-1"), ("longest", "1.5")):
        with pytest.raises(BadInput, match=f"--set {name}={value} is not a whole number"):
            ceat(tmp_path, **{name: value})


GROUPS = """
name = "trades"
[nouns]
singular = "person"
plural = "people"
[[groups]]
name = "sailor"
singular = "sailor"
plural = "sailors"
[[groups]]
name = "baker"
singular = "baker"
plural = "bakers"
[[pairs]]
name = "cold - warm"
left = "cold"
right = "warm"
more_right = ["kind"]
[[pairs]]
name = "slow - quick"
left = "slow"
right = "quick"
[[templates]]
text = "The {group} is {trait}."
form = "singular"
"""


def test_groups_by_traits_make_a_matrix(tmp_path):
    from tiltmeter.analysis.matrix import matrix_of

    study = STUDIES["ceat"]
    (tmp_path / "groups.toml").write_text(GROUPS, encoding="utf-8")
    text = "A sailor sang. Two sailors slept. It was cold. Be kind. A warm day. A quick one."
    (tmp_path / "corpus.txt").write_text(text, encoding="utf-8")
    data = study.load(
        tmp_path / "groups.toml",
        settings=settings(study, corpus=str(tmp_path / "corpus.txt"), draws="10"),
    )
    assert set(map(str, data.notes)) == {
        "baker has no value: its words do not occur in the corpus.",
        "slow - quick has no value: its words do not occur in the corpus.",
    }
    assert {p.text for draw in data.items for p in draw.x} == {
        "A sailor sang.",
        "Two sailors slept.",
    }
    assert [p.text for p in data.items[0].a] == ["A warm day.", "Be kind."]
    result = fake(study, data)
    matrix = matrix_of(result)
    assert (matrix.rows, matrix.columns) == (("sailor",), ("cold - warm",))
    (estimate,) = result.estimates
    assert (estimate.name, estimate.adjustment) == ("association", "Benjamini–Hochberg")


def test_a_pair_with_one_word_for_either_trait_is_left_out(tmp_path):
    """The difference of two numbers is always √2 of their standard deviations."""
    study = STUDIES["ceat"]
    (tmp_path / "groups.toml").write_text(GROUPS, encoding="utf-8")
    told = settings(study, corpus=str(tmp_path / "corpus.txt"), draws="10")
    text = "A sailor sang. Bakers slept. A quick one. A slow one. It was cold. A warm day."
    (tmp_path / "corpus.txt").write_text(text, encoding="utf-8")
    with pytest.raises(
        BadInput, match=r"nothing is left: cold - warm has no value: .*whatever the model; give"
    ):
        study.load(tmp_path / "groups.toml", settings=told)
    (tmp_path / "corpus.txt").write_text(f"{text} Be kind.", encoding="utf-8")
    data = study.load(tmp_path / "groups.toml", settings=told)
    said = "the corpus has only one word for each trait ('slow', 'quick'), so the value would be √2 or −√2"
    assert f"slow - quick has no value: {said} whatever the model." in map(str, data.notes)
    assert data.about["pairs of traits"] == "1"


def test_the_published_script_s_convention(tmp_path):
    result = fake(STUDIES["ceat"], ceat(tmp_path), convention="guo2021")
    assert result.card.rule == "last_piece"
    assert result.card.settings["longest"] == "9"
    assert "one-sided" in result.estimates[0].test


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
    for e in found:
        assert e.low <= e.value <= e.high
        assert "scored by different rules" in e.why
        assert ("words" if study == "seat" else "targets") in e.interval


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


def test_draws_are_paired_and_must_be_the_same():
    a, b = sample_result("ceat", "fake"), sample_result("ceat", "fake:causal")
    found = compare(a, b)
    values = [
        {e.groups["test"]: e.value for e in r.estimates if e.name == "combined_effect"}
        for r in (a, b)
    ]
    assert {e.groups["test"]: e.value for e in found if e.groups.get("test")} == pytest.approx(
        {test: values[0][test] - values[1][test] for test in values[0]}
    )
    other = replace(b, card=replace(b.card, settings={**b.card.settings, "drawn": "7"}))
    with pytest.raises(BadInput, match="not produced in the same way: drawn 0 and 7"):
        compare(a, other)


def test_matrices_in_context_are_compared_by_their_order():
    def cells(r):
        return replace(
            r,
            records=[x for x in r.records if "pair" in x.groups],
            estimates=[e for e in r.estimates if e.name == "association"],
        )

    found = compare_all(
        [cells(sample_result("ceat", "fake")), cells(sample_result("ceat", "fake:causal"))]
    ).estimates
    assert {e.name for e in found} >= {"matrix_tau", "same_lean"}
    assert "association_difference" not in {e.name for e in found}
