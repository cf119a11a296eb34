"""Tiltmeter's own way, as a run goes it: rule, store, model."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._frame import Settings, timed
from tiltmeter.core.items import Pair
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Rule
from tiltmeter.data.registry import status
from tiltmeter.models._open import Options, open_model, resolve
from tiltmeter.run.asking import score_items
from tiltmeter.run.remember import Remembering
from tiltmeter.run.store import Store
from tiltmeter.studies import crows_pairs, starter_pairs


def pairs(settings: Settings) -> list[Pair]:
    """CrowS-Pairs where it is on this machine, else the pairs that come with the package."""
    study = crows_pairs if status("crows_pairs") != "absent" else starter_pairs
    items = list(study.load().items)
    if settings.count is None or settings.count >= len(items):
        return items
    return stratified(items, settings.count)


def data_name() -> str:
    """What `pairs` gives, in words."""
    return "CrowS-Pairs" if status("crows_pairs") != "absent" else "starter pairs"


def stratified(items: Sequence[Pair], count: int) -> list[Pair]:
    """So many of them with the same distribution of lengths: every so many-th, sorted by length.

    >>> from tiltmeter.core.items import Pair
    >>> made = [Pair(str(n), "a" * n, "b" * n) for n in (9, 1, 5, 3, 7, 2)]
    >>> [pair.id for pair in stratified(made, 3)]
    ['9', '5', '2']
    """
    rank = sorted(range(len(items)), key=lambda i: (len(items[i].more + items[i].less), i))
    step = len(items) / count
    picked = {rank[int((k + 0.5) * step)] for k in range(min(count, len(items)))}
    return [item for i, item in enumerate(items) if i in picked]


def opened(model: str | Path, precision: str = "float32", device: str = "cpu") -> Any:
    """The model, loaded."""
    options = Options(precision=precision, device=device)
    return open_model(resolve(str(model), options), options)


def scored(model: Any, rule: Rule[Pair], items: Sequence[Pair]) -> tuple[Sequence[Record], float]:
    """A record for each item, and the seconds from texts to records with a store that is empty."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "answers.sqlite") as store:
        asked = Remembering(model, store)
        return timed(lambda: list(score_items(rule, asked, items, Context())))
