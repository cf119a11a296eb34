"""Every study × every rule × every model that can answer it: a new file is tested by being there."""

import json
import pkgutil
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.cli.listing.study_list import ASKS
from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.estimates import EXCLUDES
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.protocols import ChoosesAfterThoughts
from tiltmeter.core.study import Study
from tiltmeter.core.study_groups import GROUPS
from tiltmeter.core.study_views import Matrix
from tiltmeter.derived.comparisons import measured_difference
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.derived.matrices.matrix import is_matrix
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.run.files.folder import read, write
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

STUDIES: dict[str, Study] = {name: find("studies", name, "STUDY") for name in known("studies")}


@cache
def sample(name):
    """The study's made-up items, read once."""
    return STUDIES[name].sample()


PAIRS = [name for name in STUDIES if isinstance(sample(name).items[0], Pair)]
FAKES = [f"fake:{kind}" if kind else "fake" for kind in fake.KINDS]
KINDS = ("bert", "gpt2", "t5", "xlnet")
"""An architecture of each kind; tests of models ask the others the same requests."""


def table():
    """Every study on every made-up model, each set of rules also on a real model of each kind."""
    seen = []
    for name, study in STUDIES.items():
        rules = {rule.name for rule in study.rules}
        yield from ((name, model) for model in (*FAKES, *(() if rules in seen else KINDS)))
        seen.append(rules)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Each model is built and opened once for the whole table."""
    folder = tmp_path_factory.mktemp("models")

    @cache
    def get(name):
        place = name if name.startswith("fake") else str(build(name, folder / name))
        where = resolve(place, Options())
        return where, open_model(where, Options())

    return get


def run(study, where, model, data=None, **named):
    chosen = choose(study, where.answers, model=model.name, **named)
    return measure(study, model, data or sample(study.name), chosen=chosen)


def short(data, model):
    """Without prompts that are too long for a small model."""

    def fits(item):
        asked = getattr(item, "after", item)
        if not hasattr(asked, "prompt"):
            return True
        (length,) = model.prompt_lengths([replace(asked.prompt, chat=model.chats)])
        return model.limit is None or length + asked.max_tokens <= model.limit

    return replace(data, items=[item for item in data.items if fits(item)])


@pytest.mark.parametrize(("study", "model"), list(table()))
def test_every_rule_on_every_model(study, model, models):
    where, opened = models(model)
    scored = 0
    data = sample(study)
    if hasattr(opened, "prompt_lengths"):
        data = short(data, opened)
    for rule in STUDIES[study].rules:
        if rule.needs not in where.answers:
            with pytest.raises(CannotAnswer, match=f"{rule.name}.*can"):
                run(STUDIES[study], where, opened, rule=rule.name)
            continue
        if rule.needs is ChoosesAfterThoughts and not opened.can_think:
            with pytest.raises(CannotAnswer, match="does not think"):
                run(STUDIES[study], where, opened, data, rule=rule.name)
            continue
        result = run(STUDIES[study], where, opened, data, rule=rule.name)
        scored += 1
        mine = [i for i in data.items if rule.task in {"", getattr(i, "task", "")}]
        assert [r.item for r in result.records if not r.repeat] == [item.id for item in mine]
        assert all(np.isfinite(list(r.scores.values())).all() for r in result.records)
        for e in result.estimates:
            assert e.n > 0 or e.value is None
            assert (e.value is None) <= bool(e.why)
            assert EXCLUDES not in e.why
            if e.value is not None and e.low is not None and e.high is not None:
                assert e.low - 1e-9 <= e.value <= e.high + 1e-9  # they are rounded apart
            assert (e.rule, e.convention, e.study) == (rule.name, "paper", study)
        json.dumps(asdict(result.card), allow_nan=False)
    assert scored or not any(rule.needs in where.answers for rule in STUDIES[study].rules)


@pytest.mark.parametrize("study", STUDIES)
def test_few_items_give_finite_numbers_or_the_reason(study, models):
    """Whatever 1, 2, 3, 5 or 20 items leave undefined is named, and written without NaN."""
    whole = sample(study)
    for name in FAKES:
        where, model = models(name)
        if not any(rule.needs in where.answers for rule in STUDIES[study].rules):
            continue
        for few in (1, 2, 3, 5, 20):
            data = replace(whole, items=whole.items[:few])
            with suppress(BadInput):  # there are no items of the rule's task
                result = run(STUDIES[study], where, model, data)
                for e in result.estimates:
                    assert e.value is not None or e.why
                    assert "not a finite number" not in e.why, (name, few, e.name)
                json.dumps([asdict(e) for e in result.estimates], allow_nan=False, default=str)


@pytest.mark.parametrize("study", STUDIES)
def test_the_file_name_is_the_study_name(study):
    assert STUDIES[study].name == study


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_says_what_it_is(study):
    s = STUDIES[study]
    assert s.title and s.version and s.source and s.measures_what and s.not_what
    assert s.group in GROUPS
    assert 10 < len(s.asks) <= ASKS
    assert s.conventions[0].name == "paper"
    names = {r.name for r in s.rules}
    assert all(set(c.rules) <= names for c in s.conventions)
    assert len(names) == len(s.rules)


@pytest.mark.parametrize("study", STUDIES)
def test_same_seed_same_result_and_the_order_of_items_changes_no_value(study, models):
    where, model = models("fake")
    data = sample(study)
    back = replace(data, items=list(reversed(data.items)))
    one, again, other = (run(STUDIES[study], where, model, d) for d in (data, data, back))
    assert one == again
    values = {(e.name, *e.groups.items()): e.value for e in one.estimates}
    assert values == pytest.approx({(e.name, *e.groups.items()): e.value for e in other.estimates})


@pytest.mark.parametrize("study", PAIRS)
def test_swapping_the_sentences_mirrors_the_rate(study, models):
    where, model = models("fake")
    data = sample(study)
    swapped = replace(
        data,
        items=[
            replace(p, more=p.less, less=p.more, groups={**p.groups, "direction": _other(p)})
            for p in data.items
        ],
    )
    one, mirrored = (run(STUDIES[study], where, model, d) for d in (data, swapped))
    name = STUDIES[study].measures[0].name
    rate, back = (
        next(e.value for e in r.estimates if e.name == name and not e.groups)
        for r in (one, mirrored)
    )
    assert rate + back == pytest.approx(100)


def test_swapping_stereotype_and_anti_stereotype_mirrors_ss_and_keeps_the_rest(models):
    study = STUDIES["stereoset"]
    data = study.sample()

    def swapped(three):
        return (three[1], three[0], *three[2:])

    items = [
        replace(t, sentences=swapped(t.sentences), attributes=swapped(t.attributes or "abc"))
        if t.attributes else replace(t, sentences=swapped(t.sentences))
        for t in data.items
    ]  # fmt: skip
    for name in FAKES:
        where, model = models(name)
        if name in {"fake:level", "fake:vectors", "fake:writer", "fake:thinker", "fake:classifier"}:
            continue
        one, mirrored = (run(study, where, model, d) for d in (data, replace(data, items=items)))
        for e, back in zip(one.estimates, mirrored.estimates, strict=True):
            assert (e.name, e.groups) == (back.name, back.groups)
            expected = 100 - e.value if e.name == "ss" else e.value
            assert back.value == pytest.approx(expected)


def _other(pair):
    return "stereo" if pair.groups.get("direction") == "antistereo" else "antistereo"


@pytest.mark.parametrize("study", PAIRS)
def test_a_level_model_has_no_preference_where_lengths_are_equal(study, models):
    where, model = models("fake:level")
    result = run(STUDIES[study], where, model, rule="aul")
    name = STUDIES[study].measures[0].name
    rate = next(e for e in result.estimates if e.name == name and not e.groups)
    assert rate.value == 50
    assert rate.tied == rate.n
    assert rate.p is None or rate.p == 1


@cache
def compared_models(study):
    """A rule of the study and two made-up models that can answer it; one twice where no other can."""
    for rule in STUDIES[study].rules:
        able = [m for m in FAKES if rule.needs in resolve(m, Options()).answers]
        if able:
            return rule.name, (able * 2)[:2]
    return None


def is_compared(study):
    """Whether two results of a study can be compared, and some made-up model can answer it."""
    of = STUDIES[study]
    is_shown = any(isinstance(view, Matrix) for view in of.views)
    return (is_shown or any(m.comparison for m in of.measures)) and compared_models(study)


def two_runs(study, models):
    """Of two models, A and B, on the same data."""
    rule, names = compared_models(study)
    a, b = (run(STUDIES[study], *models(name), rule=rule) for name in names)
    data = {**a.card.data, "sha256": "one"}
    return [
        replace(r, card=replace(r.card, data=data, model={**r.card.model, "name": name}))
        for r, name in zip((a, b), "AB", strict=True)
    ]


def without_answers(result, lost, how):
    """The result without the answers to some items: no record, one without scores, or scores that are NaN."""
    if how == "record":
        return replace(result, records=[r for r in result.records if r.item not in lost])
    value = {"score": lambda _: {}, "number": lambda r: dict.fromkeys(r.scores, float("nan"))}[how]
    records = [replace(r, scores=value(r)) if r.item in lost else r for r in result.records]
    return replace(result, records=records)


def check_levels(runs, wide):
    """Every interval of a difference at 90 % lies inside that at 95 %, and is narrower.

    Two one-sided tests take the 90 % form: a comparison that forgets the level would be too strict.
    """
    with mock.patch.object(measured_difference, "CONFIDENCE", 0.9):
        narrow = compare_all(runs).estimates
    both = [(e, n) for e, n in zip(wide, narrow, strict=True) if n.level == pytest.approx(0.9)]
    assert both or not any(m.comparison for m in STUDIES[runs[0].card.study].measures)
    for e, other in both:
        assert (e.value, e.p) == (other.value, other.p)
        if e.low is not None:
            assert e.low <= other.low <= other.value <= other.high <= e.high
            # what clusters may hide that agree is the same at both levels (`difference_interval`)
            same = "score intervals of paired" in e.interval
            assert same or other.high - other.low < e.high - e.low, e.name


@pytest.mark.parametrize("how", ["record", "score", "number"])
@pytest.mark.parametrize("study", [s for s in STUDIES if is_compared(s)])
def test_a_comparison_is_over_the_items_that_both_answer_and_names_the_others(study, how, models):
    a, b = two_runs(study, models)
    whole = compare_all([a, b])
    if how == "record":
        check_levels([a, b], whole.estimates)
    assert whole.unpaired == []
    assert not [e.why for e in whole.estimates if EXCLUDES in e.why]
    ids = [record.item for record in b.records]
    lost = {ids[i] for i in np.random.default_rng(0).permutation(len(ids))[: 1 + len(ids) // 5]}
    made = compare_all([a, without_answers(b, lost, how)])
    expected = compare_all([without_answers(r, lost, "record") for r in (a, b)])
    for e, other in zip(made.estimates, expected.estimates, strict=True):
        assert (e.name, e.groups, e.n) == (other.name, other.groups, other.n)
        numbers, others = ((x.value, x.low, x.high, x.p) for x in (e, other))
        assert numbers == pytest.approx(others, nan_ok=True)
    named = {record.item for record in made.unpaired}
    assert named <= lost or is_matrix(a)  # of matrices the scores of cells are named
    if named:
        assert any("left out" in e.why and "that A answers" in e.why for e in made.estimates)
    if sum(e.n for e in made.estimates) < sum(e.n for e in whole.estimates):
        assert named


def in_json(card):
    """Every field, without a difference between lists and tuples."""
    return json.loads(json.dumps(asdict(card)))


@pytest.mark.parametrize("study", STUDIES)
def test_a_result_survives_the_disk(study, models, tmp_path):
    where, model = models("fake")
    result = run(STUDIES[study], where, model)
    text = page(run_document(result, STUDIES[study]))
    back = read(write(result, tmp_path / "run", page=text, jsonl=True))
    assert in_json(replace(back.card, files={})) == in_json(result.card)
    assert back.records == result.records
    assert back.estimates == result.estimates
    lines = (tmp_path / "run" / "records.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["item"] for line in lines] == [r.item for r in result.records]
    assert sorted(p.name for p in Path(tmp_path / "run").iterdir()) == [
        "card.json",
        "estimates.json",
        "records.jsonl",
        "records.parquet",
        "report.html",
    ]


def test_each_quirk_is_known_to_a_rule_and_used_by_a_convention():
    modules = [
        import_module(m.name)
        for room in map(import_module, ("tiltmeter.scoring", "tiltmeter.studies"))
        for m in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    ]
    defined = {q for module in modules for q in vars(module).values() if isinstance(q, Quirk)}
    used = {q for study in STUDIES.values() for c in study.conventions for q in c.quirks}
    assert used == defined
    assert len({quirk.name for quirk in defined}) == len(defined)
