"""Float32's decisions from a quick precision: on made-up errors of any shape, and on real networks."""

import gc
import math
import weakref
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, BadItems, CannotAnswer, Problem
from tiltmeter.core.items import SIDES, Dataset, Pair, Triple
from tiltmeter.core.results import Note, Record
from tiltmeter.core.study import PAPER, Convention, Rule
from tiltmeter.run.choosing import Chosen
from tiltmeter.run.error_bands import FACTOR, LEAST, MOST, SAMPLED, Bands, sample
from tiltmeter.run.item_loading import all_studies
from tiltmeter.run.measure import measure
from tiltmeter.run.screening import measure_screened
from tiltmeter.studies import crows_pairs, stereoset

PAIRS = replace(crows_pairs.STUDY, measures=())
TRIPLES = replace(stereoset.STUDY, measures=())


def score(model, items, context):
    """Read the model's table; what it has no row for has no score."""
    model.asked.append([item.id for item in items])
    found = []
    for item in items:
        if item.id in model.table:
            names = ("more", "less") if isinstance(item, Pair) else SIDES
            scores = dict(zip(names, map(float, model.table[item.id]), strict=True))
            found.append(Record(item.id, {**scores, "tokens_more": 5.0}, item.groups))
        else:
            context.refuse(Problem("it has no score", item=item.id))
    context.settle()
    return found


RULE = Rule("made_up", object, score, "Made up.", "nobody", ordinal=True)


class Model:
    """Scores that were written down, in one precision."""

    def __init__(self, precision, table):
        self.name, self.fingerprint = "made-up", f"made-up {precision}"
        self.about = {"precision": precision}
        self.table, self.asked = table, []


def pairs(n):
    return [Pair(str(i), f"more {i}", f"less {i}") for i in range(n)]


def data(items):
    return Dataset("made up", "1", items, "nobody", "none", sha256="0")


def screened(exact, rough, *, study=PAIRS, items=None, convention=PAPER, seed=0, skip=False):
    """(result, result in float32, ids of what was scored again round by round)."""
    items = items or pairs(len(exact))
    models = {
        precision: Model(precision, dict(zip((i.id for i in items), table, strict=True)))
        for precision, table in (("float32", exact), ("bfloat16", rough))
    }
    chosen = Chosen(RULE, convention, "half")
    opened = []

    @contextmanager
    def opening(precision):
        assert opened[-1:] in ([], ["let go"])  # never two models at a time
        opened.append(precision)
        yield models[precision]
        opened.append("let go")

    result = measure_screened(
        study, opening, data(items), chosen=chosen, quick="bfloat16", seed=seed, skip_invalid=skip
    )
    again = models["float32"].asked[:]
    whole = measure(
        study, models["float32"], data(items), chosen=chosen, seed=seed, skip_invalid=skip
    )
    return result, whole, again


def decisions(result, decimals=None):
    """The sign of every comparison of every record."""

    def said(value):
        return value if decimals is None else round(value, decimals)

    return {
        r.item: [
            np.sign(said(r.scores[a]) - said(r.scores[b]))
            for a, b in combinations([n for n in r.scores if not n.startswith("tokens_")], 2)
        ]
        for r in result.records
    }


def errors(exact, rough):
    moved = rough - exact
    return moved.max(axis=1) - moved.min(axis=1)


def holds(exact, rough, asked):
    """What is assumed: no error beyond the safety factor times the largest that was measured."""
    seen = np.array([int(i) for some in asked for i in some])
    return (errors(exact, rough) <= FACTOR * errors(exact, rough)[seen].max()).all()


def check(result, whole, asked, exact, rough):
    """What is always so: nothing is scored twice, records are what the card says they are."""
    flat = [i for some in asked for i in some]
    assert len(flat) == len(set(flat))
    made = {r.item: r for r in result.records}
    assert list(made) == [r.item for r in whole.records]
    for record, right, quick in zip(result.records, whole.records, rough, strict=True):
        if record.item in set(flat):
            assert record.precision == "float32"
            assert record.scores == right.scores
        else:
            assert record.precision == "bfloat16"
            assert [v for k, v in record.scores.items() if k != "tokens_more"] == quick.tolist()
    card = result.card.model["screening"]
    assert card["scored again in float32"] == len(flat)
    assert card["items"] == len(exact)
    largest = errors(exact, rough)[[int(i) for i in flat]].max()
    assert card["largest error measured"] == pytest.approx(largest, rel=1e-5)
    assert card["band"] == pytest.approx(FACTOR * largest, rel=1e-5)


SHAPES = {
    "none": lambda _, n, __: np.zeros(n),
    "normal": lambda rng, n, _: rng.normal(size=n),
    "even": lambda rng, n, _: rng.uniform(-1, 1, n),
    "exponential": lambda rng, n, _: rng.laplace(size=n),
    "wide": lambda rng, n, _: rng.standard_t(3, size=n),
    "longer is wider": lambda rng, n, length: rng.normal(size=n) * np.sqrt(length),
    "steps": lambda rng, n, _: np.round(rng.normal(size=n)),
    "rare": lambda rng, n, _: rng.normal(size=n) * (rng.random(n) < 0.02),
    "one way": lambda rng, n, _: np.abs(rng.normal(size=n)),
}


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(LEAST + 1, 400),
    columns=st.sampled_from([2, 3]),
    shape=st.sampled_from(sorted(SHAPES)),
    size=st.sampled_from([1e-6, 0.01, 0.3, 5.0]),
    ties=st.sampled_from([0.0, 0.1, 1.0]),
    decimals=st.sampled_from([None, None, 1]),
    seed=st.integers(0, 10**6),
)
def test_decisions_are_float32s(n, columns, shape, size, ties, decimals, seed):
    rng = np.random.default_rng(seed)
    length = rng.integers(3, 60, n)
    exact = rng.normal(size=(n, columns)) * np.sqrt(length)[:, None]
    tied = rng.random(n) < ties
    exact[tied] = exact[tied][:, :1]
    made = np.stack([SHAPES[shape](rng, n, length) for _ in range(columns)], axis=1)
    rough = exact + size * made
    alike = tied & (rng.random(n) < 0.5)  # equal to the model, so equal in every precision
    rough[alike] = rough[alike][:, :1]
    study, items = PAIRS, None
    if columns == 3:
        study = TRIPLES
        items = [Triple(str(i), "intersentence", "c", ("a", "b", "c"), "t", "d") for i in range(n)]
    convention = (
        Convention("rounded", "", "", decimals={"made_up": decimals}) if decimals else PAPER
    )
    result, whole, asked = screened(
        exact, rough, study=study, items=items, convention=convention, seed=seed
    )
    check(result, whole, asked, exact, rough)
    if holds(exact, rough, asked):
        assert decisions(result, decimals) == decisions(whole, decimals)
        assert result.card.counts == whole.card.counts
    # all that lies inside is scored again, and beyond the sample nothing else
    edge = 10.0**-decimals if decimals else 0.0
    ordered = np.sort(rough, axis=1)
    inside = np.diff(ordered, axis=1).min(axis=1) <= edge + FACTOR * errors(exact, rough)[
        [int(i) for some in asked for i in some]
    ].max() * (1 - 1e-12)
    again = {int(i) for some in asked for i in some}
    assert set(np.flatnonzero(inside)) <= again
    assert set(np.flatnonzero(~inside)) & again <= {int(i) for i in asked[0]}


@pytest.mark.parametrize("shape", [s for s in SHAPES if s not in {"wide", "rare"}])
def test_the_assumption_holds_for_errors_of_usual_shapes(shape):
    """Over 12 made-up runs of 800 items, with near ties among them, no decision differs."""
    rescored = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        length = rng.integers(5, 40, 800)
        exact = rng.normal(size=(800, 2)) * np.sqrt(length)[:, None]
        made = np.stack([SHAPES[shape](rng, 800, length) for _ in range(2)], axis=1)
        result, whole, asked = screened(exact, exact + 0.02 * made, seed=seed)
        assert decisions(result) == decisions(whole)
        rescored.append(sum(map(len, asked)))
    assert np.mean(rescored) < 250


def test_an_error_beyond_all_others_widens_the_band():
    n = 400
    items, exact = pairs(n), np.zeros((n, 2))
    drawn = set(sample(np.zeros(n, dtype=np.int64), 0).tolist())
    free = [i for i in range(n) if i not in drawn]
    exact[:, 0] = 10.0  # clearly decided, but for the few below
    rough = exact + np.array([0.001, 0.0])
    # inside the sampled band, with an error of 0.5: then up to 1 is inside, where one of 1.5 waits
    exact[free[0], 0], rough[free[0], 0] = -0.499, 0.001
    exact[free[1], 0], rough[free[1], 0] = -0.6, 0.9
    # … which widens it to 3
    exact[free[2], 0], rough[free[2], 0] = -0.1, 2.9
    result, whole, asked = screened(exact, rough, items=items)
    assert [[int(i) for i in some] for some in asked[1:]] == [[i] for i in free[:3]]
    assert decisions(result) == decisions(whole)
    card = result.card.model["screening"]
    assert card["largest error in the sample"] == pytest.approx(0.001)
    assert card["largest error measured"] == pytest.approx(3.0)


def test_ties_stay_ties_and_near_ties_do_not_become_ones():
    n = 300
    exact = np.zeros((n, 2))
    result, whole, asked = screened(exact, exact.copy())
    assert sum(map(len, asked)) == n  # equal scores are always asked again
    assert result.card.counts["tied"] == whole.card.counts["tied"] == n
    exact[:, 0] = np.where(np.arange(n) % 2, 1e-9, -1e-9)
    result, whole, _ = screened(exact, np.zeros((n, 2)))
    assert result.card.counts["tied"] == 0
    assert decisions(result) == decisions(whole)


def test_where_scores_are_rounded_a_step_of_margin_is_doubtful():
    n, rounded = 300, Convention("rounded", "", "", decimals={"made_up": 3})
    exact = np.zeros((n, 2))
    exact[:, 0] = 0.0009  # rounds to 0.001, and -0.0001 added to both to 0.001 and -0.0
    rough = exact - 0.0006  # no margin moves, and yet: 0.0003 and -0.0006 are 0 and -0.001
    result, whole, asked = screened(exact, rough, convention=rounded)
    assert decisions(result, 3) == decisions(whole, 3)
    assert sum(map(len, asked)) == n
    exact[:, 0], rough[:, 0] = 0.0021, 0.0015
    _, _, asked = screened(exact, rough, convention=rounded)
    assert sum(map(len, asked)) == LEAST


def test_no_error_and_clear_margins_cost_the_sample_only():
    exact = np.stack([np.arange(1.0, 2001.0), np.zeros(2000)], axis=1)
    result, whole, asked = screened(exact, exact.copy())
    assert [len(some) for some in asked] == [100]  # a twentieth
    assert result.card.model["screening"]["band"] == 0
    assert [replace(r, precision="") for r in result.records] == list(whole.records)


def test_two_tasks_have_bands_of_their_own():
    rng = np.random.default_rng(3)
    tasks = ["intrasentence", "intersentence"] * 400
    items = [
        Triple(str(i), task, "BLANK", ("a", "b", "c"), "t", "d", ("a", "b", "c"))
        for i, task in enumerate(tasks)
    ]
    exact = rng.normal(size=(800, 3))
    size = np.array([0.001, 1.0] * 400)[:, None]
    rough = exact + size * rng.uniform(-1, 1, size=(800, 3))
    result, whole, asked = screened(exact, rough, study=TRIPLES, items=items)
    assert decisions(result) == decisions(whole)
    card = result.card.model["screening"]
    assert card["sample"] == len(asked[0]) == 2 * LEAST
    assert card["band"]["intrasentence"] < 0.01
    assert card["band"]["intersentence"] > 1
    again = {int(i) for some in asked for i in some}
    assert sum(i % 2 for i in again) > 390  # nearly all of one task, and hardly any of the other
    assert sum(i % 2 == 0 for i in again) < 90


@pytest.mark.parametrize("n", [1, 2, LEAST])
def test_few_items_are_scored_in_float32_alone(n):
    exact = np.zeros((n, 2))
    result, whole, asked = screened(exact, exact + np.array([1.0, 0.0]))
    assert len(asked) == 1
    assert result.records == whole.records
    assert (
        Note("precision", "float32 for all items: there are no more than 64.") in result.card.notes
    )
    assert result.card.model == whole.card.model


def test_where_no_scores_are_compared_float32_does_it_all():
    """A perplexity is one score of each sentence: no margin could be wide enough to trust it."""
    exact = np.random.default_rng(0).normal(size=(200, 2))
    model = Model("float32", {i.id: row for i, row in zip(pairs(200), exact, strict=True)})
    opened = []

    @contextmanager
    def opening(precision):
        opened.append(precision)
        yield model

    chosen = Chosen(replace(RULE, ordinal=False), PAPER, "half")
    result = measure_screened(PAIRS, opening, data(pairs(200)), chosen=chosen, quick="bfloat16")
    assert opened == ["float32"]
    assert result.records == measure(PAIRS, model, data(pairs(200)), chosen=chosen).records
    reason = "more matters than which of an item's scores is higher"
    assert Note("precision", f"float32 for all items: {reason}.") in result.card.notes


def test_only_pairs_and_triples_are_screened():
    """Elsewhere scores of an item are of several kinds, such as a label, a probability and a flag."""
    screened_studies = {
        study.name for study in all_studies() if any(rule.ordinal for rule in study.rules)
    }
    assert screened_studies == {
        "crows_pairs", "pairs", "sensible_pairs", "sos", "starter_pairs", "stereoset", "stereoset_pairs",
        "winobias", "winogender",
    }  # fmt: skip


def test_no_items():
    with pytest.raises(BadInput, match="nothing to report"):
        screened(np.zeros((0, 2)), np.zeros((0, 2)), items=[])


def test_items_without_a_score_are_told_once_and_their_neighbours_keep_their_own():
    rng = np.random.default_rng(0)
    exact = rng.normal(size=(200, 2))
    rough = exact + 0.1 * rng.normal(size=(200, 2))
    gone = {3, 4, 77, 199}
    items = pairs(200)

    class Holes(Model):
        def __init__(self, precision, table):
            super().__init__(precision, {k: v for k, v in table.items() if int(k) not in gone})

    chosen = Chosen(RULE, PAPER, "half")
    models = {
        "float32": Holes("float32", {i.id: row for i, row in zip(items, exact, strict=True)}),
        "bfloat16": Holes("bfloat16", {i.id: row for i, row in zip(items, rough, strict=True)}),
    }

    @contextmanager
    def opening(precision):
        yield models[precision]

    def run(*, skip):
        return measure_screened(
            PAIRS, opening, data(items), chosen=chosen, quick="bfloat16", skip_invalid=skip
        )

    with pytest.raises(BadItems):
        run(skip=False)
    result = run(skip=True)
    whole = measure(PAIRS, models["float32"], data(items), chosen=chosen, skip_invalid=True)
    assert result.card.invalid == whole.card.invalid
    assert len(result.card.invalid) == 4
    assert result.card.counts == whole.card.counts
    assert decisions(result) == decisions(whole)


def test_a_model_that_only_one_precision_can_score_is_said():
    items, rough = pairs(100), np.zeros((100, 2))
    full = {i.id: row for i, row in zip(items, rough, strict=True)}
    models = {
        "bfloat16": Model("bfloat16", full),
        "float32": Model("float32", {k: v for k, v in full.items() if k != "7"}),
    }

    @contextmanager
    def opening(precision):
        yield models[precision]

    with pytest.raises((BadItems, CannotAnswer)):
        measure_screened(
            PAIRS, opening, data(items), chosen=Chosen(RULE, PAPER, "half"), quick="bfloat16"
        )


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (CannotAnswer("made-up gave no number; try float32"), "made-up gave no number"),
        (RuntimeError("no Half in /home/me"), "it cannot be asked"),
    ],
)
def test_where_the_quick_precision_fails_float32_does_it_all(why, said):
    exact = np.random.default_rng(0).normal(size=(100, 2))
    items = pairs(100)
    model = Model("float32", {i.id: row for i, row in zip(items, exact, strict=True)})

    @contextmanager
    def opening(precision):
        if precision != "float32":
            raise why
        yield model

    result = measure_screened(
        PAIRS, opening, data(items), chosen=Chosen(RULE, PAPER, "half"), quick="float16"
    )
    whole = measure(PAIRS, model, data(items), chosen=Chosen(RULE, PAPER, "half"))
    assert result.records == whole.records
    note = Note("precision", f"float32 for all items: the model fails in float16 ({said}).")
    assert note in result.card.notes


def test_a_model_without_precisions_is_left_as_it_is():
    exact = np.random.default_rng(0).normal(size=(100, 2))
    items = pairs(100)
    model = Model("", {i.id: row for i, row in zip(items, exact, strict=True)})

    @contextmanager
    def opening(_):
        yield model

    result = measure_screened(
        PAIRS, opening, data(items), chosen=Chosen(RULE, PAPER, "half"), quick="bfloat16"
    )
    assert [len(some) for some in model.asked] == [100]
    assert "screening" not in result.card.model


def test_the_page_says_what_is_done():
    page = (Path(__file__).parents[2] / "docs" / "precision.md").read_text("utf-8")
    assert f"(at least {LEAST}, at most {MOST:,})" in page
    assert SAMPLED == 1 / 20
    assert "a seeded random twentieth" in page
    assert FACTOR == 2
    assert "The *band* is twice the largest error measured" in page
    # of 75 drawn errors the largest, twice as large, four times as large
    for a, told in ((2, "one item in 2,900"), (4, "one in 1.5 million")):
        share = math.factorial(a) * math.factorial(75) / math.factorial(75 + a)
        number = float(told.replace(",", "").split()[-1]) if a == 2 else 1.5e6
        assert 1 / share == pytest.approx(number, rel=0.02)
        assert told in " ".join(page.split())


@given(n=st.integers(0, 60_000), seed=st.integers(0, 2**32))
def test_the_sample(n, seed):
    kinds = np.zeros(n, dtype=np.int64)
    at = sample(kinds, seed)
    assert len(at) == min(n, 2048, max(64, round(n / 20)))
    assert (np.diff(at) > 0).all()
    assert ((at >= 0) & (at < n)).all()
    assert (sample(kinds, seed) == at).all()
    assume(n > 200)
    assert (sample(kinds, seed + 1) != at).any()


def test_the_bound_on_differences():
    records = [Record(str(i), {"more": m, "less": 0.0}, {}) for i, m in enumerate([0.1, 4.0, 6.0])]
    bands = Bands(records, np.zeros(3, dtype=np.int64))
    bands.add(np.array([0]), [2.0])
    # of one drawn error: beyond 2 and 3 times it lie, on average over U, 1/3 and 1/4 at most
    assert bands.risk() == pytest.approx(1 / 3 + 1 / 4)
    assert bands.doubtful().tolist() == [1]
    bands.add(np.array([1]), [1.0])
    assert bands.risk() == pytest.approx(1 / 4)


def test_a_band_of_nothing():
    bands = Bands([], np.array([], dtype=np.int64))
    assert bands.doubtful().tolist() == []
    assert bands.widths.tolist() == []
    assert bands.risk() == 0


# ── Real networks ────────────────────────────────────────────────────────────────────────────────


def opener(folder, store, options):
    """Opens a saved model behind a store; (what opens it, what each opening asked)."""
    from tiltmeter.models.opening.open_model import open_model, resolve
    from tiltmeter.run.cached_model import CachedModel

    told, before = [], []

    @contextmanager
    def opening(precision):
        assert all(model() is None for model in before)  # never two in memory
        set_to = replace(options, precision=precision)
        model = CachedModel(open_model(resolve(str(folder), set_to), set_to), store)
        before.append(weakref.ref(model))
        yield model
        told.append((precision, model.asked, model.recalled))

    return opening, told


def shuffled(n):
    """Pairs of the sample's words in other orders: random networks have much to say of them."""
    from architectures import TEXTS

    words = sorted({word.strip(".;").lower() for text in TEXTS for word in text.split()})
    rng = np.random.default_rng(5)
    made = []
    for i in range(n):
        some = list(rng.choice(words, rng.integers(4, 16)))
        other = [*some]
        other[rng.integers(len(some))] = str(rng.choice(words))
        made.append(Pair(str(i), " ".join(some), " ".join(other if i % 20 else some)))
    return made


@pytest.fixture(scope="module", params=["bert", "gpt2"])
def network(request, tmp_path_factory):
    from architectures import build

    return build(request.param, tmp_path_factory.mktemp("models") / request.param)


def test_real_networks_decide_as_in_float32(network):
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.models.opening.open_model import resolve
    from tiltmeter.run.choosing import choose
    from tiltmeter.run.store import Store

    options, items = Options(device="cpu"), data(shuffled(240))
    chosen = choose(PAIRS, resolve(str(network)).answers, model="m")
    store = Store(None)
    opening, told = opener(network, store, options)
    result = measure_screened(PAIRS, opening, items, chosen=chosen, quick="bfloat16")
    card = result.card.model["screening"]
    assert 12 < card["scored again in float32"] < 240  # the 12 ties, and the sample
    gc.collect()
    with opening("float32") as model:
        whole = measure(PAIRS, model, items, chosen=chosen)
    assert decisions(result) == decisions(whole)
    assert result.card.counts == whole.card.counts
    assert whole.card.counts["tied"] >= 12
    # what was scored again is reused, and each precision has answers of its own
    (_, quick, _), (_, again, _), (_, rest, reused) = told
    assert reused == again
    assert again + rest == quick
    kept = {r.item: r.scores for r in whole.records}
    exact = [r for r in result.records if r.precision == "float32"]
    assert all(kept[r.item] == r.scores for r in exact)


def test_an_interrupted_screening_ends_alike(network, tmp_path):
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.models.opening.open_model import open_model, resolve
    from tiltmeter.run.cached_model import CachedModel, NoProgress
    from tiltmeter.run.choosing import choose
    from tiltmeter.run.store import Store

    class Dying(NoProgress):
        def __init__(self, after):
            self.left = after

        def advance(self, tokens):
            self.left -= bool(tokens)
            if not self.left:
                raise KeyboardInterrupt

    options, items = Options(device="cpu", batch_tokens=200), data(shuffled(150))
    chosen = choose(PAIRS, resolve(str(network)).answers, model="m")

    def run(store, dies_in="", after=0):
        @contextmanager
        def opening(precision):
            set_to = replace(options, precision=precision)
            progress = Dying(after) if precision == dies_in else None
            yield CachedModel(open_model(resolve(str(network), set_to), set_to), store, progress)

        return measure_screened(PAIRS, opening, items, chosen=chosen, quick="bfloat16")

    whole = run(Store(None))
    with Store(tmp_path / "s.sqlite") as store:
        for precision, after in (("bfloat16", 2), ("float32", 1), ("float32", 3)):
            with pytest.raises(KeyboardInterrupt):
                run(store, precision, after)
    with Store(tmp_path / "s.sqlite") as store:
        assert run(store) == whole
