"""Served causal models: what this side costs for each text, and whether it keeps a server busy.

The server is a process of its own that computes nothing. Where it answers at once, what is measured is
Tiltmeter's processor time: its most texts a second are one divided by that. Where it takes a fixed time for a
request, as a server with a model does that is not yet full, what is measured is how many texts are under
way. Both sides share this machine's cores.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours
from benchmarks._answer_server import answer_server
from benchmarks._frame import Row, Settings
from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.rules import Context
from tiltmeter.models import served
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store_thread import StoreThread
from tiltmeter.scoring.likelihood import RULES

RULE = next(rule for rule in RULES if rule.name == "log_likelihood")
OWNERS = {"vllm": "vLLM's protocol", "sglang": "SGLang's protocol"}
WAIT = 0.25
"""Seconds for a request of 64 texts."""
AT_ONCE = (4, 16)


def rows(settings: Settings) -> Iterator[Row]:
    """What a text costs by each protocol, then how many are under way."""
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in pair.texts]
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_causal(Path(temporary), _models.TINY, texts)
        for owner, name in OWNERS.items():
            with answer_server(0.0, owner, str(folder)) as address:
                yield from _costs(name, address, pairs, Path(temporary))
        wait = 0.01 if settings.tiny else WAIT
        with answer_server(wait, "vllm", str(folder)) as address:
            for at_once in AT_ONCE:
                yield _full(address, at_once, wait, texts, Path(temporary))


def _costs(name: str, address: str, pairs: Sequence[Pair], place: Path) -> Iterator[Row]:
    case = f"{2 * len(pairs):,} sentences of {_ours.data_name()}, {name}"
    model = _opened(address, 4)
    asked = [Continuation((), t.ids) for t in model.encode([t for p in pairs for t in p.texts])]
    ways: dict[str, Callable[[Any], object]] = {
        "asked": lambda kept: kept._model.continuation_logprobs(asked),  # noqa: SLF001
        "asked through the store": lambda kept: kept.continuation_logprobs(asked),
        "the rule log_likelihood": lambda kept: score_items(RULE, kept, pairs, Context()),
    }
    for way, run in ways.items():
        with StoreThread(place / f"{name} {way}.sqlite") as store:
            begun = time.process_time()
            run(CachedModel(model, store))
        seconds = time.process_time() - begun
        tokens = sum(len(request.ids) for request in asked)
        values = {
            "texts/s": round(len(asked) / seconds),
            "µs a text": round(1e6 * seconds / len(asked)),
            "tokens a text": round(tokens / len(asked), 1),
        }
        yield Row(case, way, seconds, values, clock="processor")


def _full(address: str, at_once: int, wait: float, texts: Sequence[str], place: Path) -> Row:
    model = _opened(address, at_once)
    asked = [Continuation((), t.ids) for t in model.encode(texts)]
    with StoreThread(place / f"{at_once}.sqlite") as store:
        begun = time.perf_counter()
        CachedModel(model, store).continuation_logprobs(asked)
    seconds = time.perf_counter() - begun
    posts = -(-len(set(asked)) // served.TEXTS)
    values = {
        "texts/s": round(len(asked) / seconds),
        "under way, mean": round(posts * wait / seconds, 2),
    }
    case = f"{len(asked):,} sentences, a request of {served.TEXTS} takes {wait} s"
    return Row(case, f"{at_once} at once", seconds, values, clock="wall")


def _opened(address: str, at_once: int) -> Any:
    options = Options(at_once=at_once)
    return open_model(resolve(f"served:{address}", options), options)
