"""Workers through Ray: what one of them does a second, what starting takes, what the driver can feed.

From these three numbers docs/how-to/many-machines.md computes what large runs cost. One worker has all CPUs
of this machine. The driver's rate is that of all its own work (tokenising, planning, storing, records)
for a model whose answers cost nothing: the most that any number of workers can bring.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings, timed
from tiltmeter.core.data.items import Pair
from tiltmeter.core.rules import Context
from tiltmeter.core.types import Array
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.ray_cluster import Cluster, cluster
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store_thread import StoreThread
from tiltmeter.studies.crows_pairs import STUDY

RULES = ("pll_shared", "aul")
"""A rule that reads a sentence as often as it has tokens, and one that reads it once."""
OPTIONS = Options(device="cpu")


def rows(settings: Settings) -> Iterator[Row]:
    """A row each for starting, for scoring with one worker, and for the driver by itself."""
    items = _ours.pairs(settings)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        made, seconds = timed(lambda: stack.enter_context(cluster("local", 1)))
        yield Row("starting", "Ray on this machine", seconds)
        for name, model in _all(settings, Path(folder), items):
            yield from _scored(made, name, model, items)
            yield from _fed(name, model, items)


def _all(settings: Settings, folder: Path, items: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    texts = [text for pair in items for text in (pair.more, pair.less)]
    if settings.masked is not None:
        yield Path(settings.masked).name, settings.masked
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    yield (
        f"{size.name}, random weights",
        str(_models.random_masked(folder / "random", size, texts, settings)),
    )


def _scored(made: Cluster, name: str, model: str, items: Sequence[Pair]) -> Iterator[Row]:
    with ExitStack() as stack:
        opening = made.open(resolve(model, OPTIONS), OPTIONS)
        spread, seconds = timed(lambda: stack.enter_context(opening))
        yield Row("starting", f"{name}: opened by a worker", seconds)
        for rule in RULES:
            yield _rated(f"one worker of {made.size.cpus} CPUs", rule, name, spread, items)


def _fed(name: str, model: str, items: Sequence[Pair]) -> Iterator[Row]:
    instant = Instant(open_model(resolve(model, OPTIONS), OPTIONS))
    for rule in RULES:
        yield _rated("the driver alone", rule, name, instant, items)


def _rated(who: str, rule: str, name: str, model: Any, items: Sequence[Pair]) -> Row:
    (found,) = [r for r in STUDY.rules if r.name == rule]
    with tempfile.TemporaryDirectory() as place, StoreThread(Path(place) / "s.sqlite") as store:
        asked = CachedModel(model, store)
        _, seconds = timed(lambda: list(score_items(found, asked, items, Context())))
    rates = {"pairs a second": round(len(items) / seconds, 2), "pairs": len(items)}
    return Row(f"{rule}, {name}", who, seconds, rates)


class Instant:
    """A model whose answers cost nothing, and are wrong."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.fingerprint = "instant"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def blank_logprobs(self, requests: Sequence[Any]) -> list[Array]:
        """Minus one for everything."""
        return [np.full(len(request.read), -1.0) for request in requests]
