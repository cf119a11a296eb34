"""Many items are scored in portions: the same records, all problems first, and bounded memory."""

import platform
import subprocess
import sys
import tracemalloc

import pytest

from support.architectures import build
from tiltmeter.cli.terminal_monitor import QuestionBar
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import BadItems
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.models.baseline import load as baseline
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring import portions as module
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.measuring.portions import portions, score_items
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.stored_answers.cached_model import CachedModel, NoProgress
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.studies import crows_pairs, stereoset
from tiltmeter.studies.prompts.study import STUDY as PROMPTS

RULES = {rule.name: rule for rule in crows_pairs.STUDY.rules}
WORDS = (
    "old",
    "young",
    "tall",
    "short",
    "quiet",
    "loud",
    "kind",
    "busy",
    "tired",
    "calm",
    "slow",
    "glad",
)


def pairs(n):
    for i in range(n):
        a, b, c = (WORDS[(i // k) % len(WORDS)] for k in (1, 12, 5))
        yield Pair(f"{i}", f"The {a} {c} man of {i} sat.", f"The {b} quick man of {i} sat.")


def asked_of(kind, rule, items, **more):
    model = CachedModel(fake.load(kind), Store(None))
    return score_items(RULES[rule], model, items, Context(**more))


@pytest.mark.parametrize("size", [1, 2, 7, 12, 13])
@pytest.mark.parametrize("rule", ["pll_shared", "pll_random15", "log_likelihood_shared"])
def test_in_portions_as_all_at_once(size, rule, monkeypatch):
    items = list(pairs(12))
    kind = "causal" if "like" in rule else "masked"
    whole = asked_of(kind, rule, items)
    monkeypatch.setattr(module, "ITEMS", size)
    assert asked_of(kind, rule, items) == whole
    assert [record.item for record in whole] == [item.id for item in items]


@pytest.mark.parametrize("size", [1, 4, 14])
def test_rules_side_by_side_in_portions(size, monkeypatch):
    chosen = choose(stereoset.STUDY, fake.answers(""), model="fake")
    assert "+" in chosen.rule.name
    items = stereoset.STUDY.sample()

    def result():
        model = CachedModel(fake.load(""), Store(None))
        return measure(stereoset.STUDY, model, items, chosen=chosen)

    whole = result()
    monkeypatch.setattr(module, "ITEMS", size)
    assert result() == whole


def test_a_rule_that_needs_all_items_gets_them_together(monkeypatch):
    """The ideal baseline takes turns within a term: of one item alone it always says the same."""
    (rule,) = (r for r in stereoset.STUDY.rules if r.name == "ranked")
    items = stereoset.STUDY.sample().items
    whole = score_items(rule, baseline("ideal"), items, Context())
    monkeypatch.setattr(module, "ITEMS", 1)
    assert score_items(rule, baseline("ideal"), items, Context()) == whole
    assert len({max(r.scores, key=r.scores.__getitem__) for r in whole}) == 2


class Untouched(fake.FakeMasked):
    """May be asked how it tokenises, and nothing else."""

    __slots__ = ()

    def blank_logprobs(self, _):
        pytest.fail("it was asked before all problems were known")


def test_problems_of_all_portions_are_told_before_anything_is_asked(monkeypatch):
    monkeypatch.setattr(module, "ITEMS", 3)
    items = list(pairs(10))
    for bad in (1, 5, 9):
        items[bad] = Pair(f"bad {bad}", "One.", "Other!")
    with pytest.raises(BadItems) as told:
        score_items(RULES["pll_shared"], Untouched("fake:masked", framed=True), items, Context())
    assert [problem.item for problem in told.value.problems] == ["bad 1", "bad 5", "bad 9"]
    context = Context(skip_invalid=True)
    records = score_items(RULES["pll_shared"], fake.load("masked"), items, context)
    assert [r.item for r in records] == [i.id for i in items if not i.id.startswith("bad")]
    assert [problem.item for problem in context.problems] == ["bad 1", "bad 5", "bad 9"]


def test_portions_end_where_there_are_many_items_or_long_texts(monkeypatch):
    short, long = Pair("s", "a" * 3, "b" * 4), Pair("l", "a" * 30, "b" * 40)
    monkeypatch.setattr(module, "ITEMS", 3)
    monkeypatch.setattr(module, "LETTERS", 100)
    masks = RULES["pll_shared"]
    assert list(portions([], masks)) == [(0, 0)]
    assert list(portions([short] * 3, masks)) == [(0, 3)]
    assert list(portions([short] * 7, masks)) == [(0, 3), (3, 6), (6, 7)]
    assert list(portions([long, short, long], masks)) == [(0, 1), (1, 2), (2, 3)]
    monkeypatch.setattr(module, "LETTERS", 50)  # a short pair has 9 + 16
    assert list(portions([short] * 3, masks)) == [(0, 2), (2, 3)]
    assert list(portions(stereoset.STUDY.sample().items, masks))[-1][1] == 15
    writes = next(rule for rule in PROMPTS.rules if rule.name == "stated")
    assert list(portions([long] * 4, writes)) == [(0, 3), (3, 4)]  # a prompt is read once


class Dying(NoProgress):
    """Interrupts after so many batches."""

    def __init__(self, after):
        self.left = after

    def advance(self, tokens):
        self.left -= bool(tokens)
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("kind", "after"),
    [("bert", 1), ("bert", 3), ("bert", 5), ("gpt2", 1), ("gpt2", 2), ("gpt2", 3)],
)
def test_killed_in_some_portion_and_started_again_bit_by_bit(kind, after, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "ITEMS", 4)
    options = Options(batch_tokens=60)
    where = resolve(str(build(kind, tmp_path / kind)), options)
    model = open_model(where, options)
    chosen = choose(crows_pairs.STUDY, where.answers, model=kind)
    items = crows_pairs.STUDY.sample()

    def run(store, progress=None):
        return measure(crows_pairs.STUDY, CachedModel(model, store, progress), items, chosen=chosen)

    whole = run(Store(None))
    with Store(tmp_path / "s.sqlite") as store, pytest.raises(KeyboardInterrupt):
        run(store, Dying(after))
    with Store(tmp_path / "s.sqlite") as store:
        assert run(store) == whole


def test_one_bar_for_all_portions(monkeypatch, capsys):
    clock = iter(range(0, 10_000, 11))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(module, "ITEMS", 4)
    model = CachedModel(fake.load("masked"), Store(None), QuestionBar("fake"))
    score_items(RULES["aul"], model, list(pairs(10)), Context())
    first, *then = capsys.readouterr().err.splitlines()
    assert first == "fake: about 20 questions, 180 tokens"  # of 7 words and has 2 entries
    shares = [int(line.split("fake: ")[1].split("%")[0]) for line in then]
    assert shares == sorted(shares)
    assert shares[-1] == 100


def test_a_portion_that_asks_nothing_says_nothing_of_the_whole(capsys):
    progress = QuestionBar("fake")
    progress.part(0.0, 0.5)
    progress.start(total=0, stored=0, requests=0)
    progress.part(0.5, 0.5)
    progress.start(total=60, stored=0, requests=3)
    assert capsys.readouterr().err == "fake: about 6 questions, 120 tokens\n"


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (1.0, "fake: 10 questions, 80 tokens, 75% already answered\n"),
        (0.5, "fake: about 20 questions, 160 tokens, some already answered\n"),
    ],
)
def test_only_of_all_questions_is_the_share_of_stored_answers_known(capsys, share, said):
    progress = QuestionBar("fake")
    progress.part(0.0, share)
    progress.start(total=80, stored=60, requests=10)
    assert capsys.readouterr().err == said


def peak(n, monkeypatch):
    """Bytes in use at the most while so many pairs are scored, beyond what the pairs are."""
    monkeypatch.setattr(module, "ITEMS", 50)
    items, model = list(pairs(n)), Forgetting(fake.load("masked"))
    tracemalloc.start()
    try:
        score_items(RULES["pll_all"], model, items, Context())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Forgetting:
    """The fake model, and nothing stored."""

    def __init__(self, model):
        self.limit, self.cased, self.encode = model.limit, model.cased, model.encode
        self.blank_logprobs = model.blank_logprobs


def test_memory_does_not_grow_with_requests(monkeypatch):
    """A pair's requests take some 10 kB; of twenty times as many pairs only the records are kept."""
    peak(50, monkeypatch)
    few, many = peak(50, monkeypatch), peak(1000, monkeypatch)
    assert few > 50 * 2000  # else this measures nothing
    assert many - few < 950 * 2000


HELD = """
import numpy as np
from tiltmeter.run.measuring.portions import return_free_memory

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

np.ones(2**21).sum()  # from now on blocks of 16 MB and less come from the heap
blocks, kept = [], []
for _ in range(200):
    blocks.append(np.ones(2**17))
    kept.append(np.ones(500))  # stands between two blocks
blocks.clear()
before = resident()
return_free_memory()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="is about glibc")
def test_free_memory_between_objects_that_live_on_is_given_back():
    given_back = int(subprocess.check_output([sys.executable, "-c", HELD], text=True))
    assert given_back > 150 * 2**20  # of 200 blocks of 1 MB
