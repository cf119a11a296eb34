"""CEAT as a study: what it reads of tests and of a corpus, its matrices, and two models."""

import json
from dataclasses import replace

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.derived.matrices.matrix import matrix_of
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.ceat.study import STUDY


def run_on(model, data, **named):
    where = resolve(model, Options())
    chosen = choose(STUDY, where.answers, model=model, **named)
    return measure(STUDY, open_model(where, Options()), data, chosen=chosen)


def sample_result(model):
    return run_on(model, replace(STUDY.sample(), sha256="0" * 64))


def settings(**given):
    return {s.name: s.default for s in STUDY.settings} | given


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
    return STUDY.load(tmp_path / "tests.json", settings=settings(**told))


def test_words_that_do_not_occur_leave_their_set(tmp_path):
    data = ceat(tmp_path)
    assert len(data.items) == 20
    assert len(data.items[0].a) == 1
    assert [str(note) for note in data.notes] == [
        "tests: A leaves out 1 of 2 words that do not occur in the corpus: 'gift'."
    ]
    assert data.notes[0].kind == "coverage"
    assert data.about["corpus"].startswith("corpus.txt, 5 sentences, SHA-256 ")
    (combined, spread) = run_on("fake", data).estimates
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
        STUDY.load()
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
    (tmp_path / "groups.toml").write_text(GROUPS, encoding="utf-8")
    text = "A sailor sang. Two sailors slept. It was cold. Be kind. A warm day. A quick one."
    (tmp_path / "corpus.txt").write_text(text, encoding="utf-8")
    data = STUDY.load(
        tmp_path / "groups.toml", settings=settings(corpus=str(tmp_path / "corpus.txt"), draws="10")
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
    result = run_on("fake", data)
    matrix = matrix_of(result)
    assert (matrix.rows, matrix.columns) == (("sailor",), ("cold - warm",))
    (estimate,) = result.estimates
    assert (estimate.name, estimate.adjustment) == ("association", "Benjamini–Hochberg")


def test_a_pair_with_one_word_for_either_trait_is_left_out(tmp_path):
    """The difference of two numbers is always √2 of their standard deviations."""
    (tmp_path / "groups.toml").write_text(GROUPS, encoding="utf-8")
    told = settings(corpus=str(tmp_path / "corpus.txt"), draws="10")
    text = "A sailor sang. Bakers slept. A quick one. A slow one. It was cold. A warm day."
    (tmp_path / "corpus.txt").write_text(text, encoding="utf-8")
    with pytest.raises(
        BadInput, match=r"nothing is left: cold - warm has no value: .*whatever the model; give"
    ):
        STUDY.load(tmp_path / "groups.toml", settings=told)
    (tmp_path / "corpus.txt").write_text(f"{text} Be kind.", encoding="utf-8")
    data = STUDY.load(tmp_path / "groups.toml", settings=told)
    said = "the corpus has only one word for each trait ('slow', 'quick'), so the value would be √2 or −√2"
    assert f"slow - quick has no value: {said} whatever the model." in map(str, data.notes)
    assert data.about["pairs of traits"] == "1"


def test_the_published_script_s_convention(tmp_path):
    result = run_on("fake", ceat(tmp_path), convention="guo2021")
    assert result.card.rule == "last_piece"
    assert result.card.settings["longest"] == "9"
    assert "one-sided" in result.estimates[0].test


def test_draws_are_paired_and_must_be_the_same():
    a, b = sample_result("fake"), sample_result("fake:causal")
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
        [cells(sample_result("fake")), cells(sample_result("fake:causal"))]
    ).estimates
    assert {e.name for e in found} >= {"matrix_tau", "same_lean"}
    assert "association_difference" not in {e.name for e in found}
