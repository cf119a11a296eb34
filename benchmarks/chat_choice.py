"""Choices and replies of a model behind a server: Tiltmeter, the openai client, and lm-evaluation-harness.

The server is a process of its own on this machine and takes 50 ms for each answer, so that what is
measured is waiting: how many requests are under way at once, and what a client does meanwhile. Tiltmeter
sends 4 at once by default. A choice is the log-probability of "yes" and of "no"; the harness has no choices
for conversations, and is asked for replies.
"""

import asyncio
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks import _ours, _peers
from benchmarks._answer_server import MODEL, answer_server
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, Value, wall_timed
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store_thread import StoreThread

TASK = "Model behind a server"
WAIT = 0.05
"""Seconds that the server takes for an answer."""
AT_ONCE = (4, 16)
WORDS = ("yes", "no")
TOKENS = 8
Choices: TypeAlias = list[tuple[float, float]]
"""Log-probabilities of the words, one pair a prompt."""


def rows(settings: Settings) -> Iterator[Row]:
    """Choices, then replies."""
    count = 12 if settings.tiny else 80 if settings.quick else 400
    texts = [text for pair in _ours.pairs(Settings()) for text in pair.texts][:count]
    asked = [f"Is the following text rude? Answer yes or no.\n‘{text}’" for text in texts]
    with answer_server(0.005 if settings.tiny else WAIT) as address:
        yield from _choices(address, asked)
        yield from _replies(address, asked)


def _choices(address: str, asked: Sequence[str]) -> Iterator[Row]:
    case = f"{len(asked)} choices between two words"
    with _opened(address, 1) as model:
        _ours_choices(model, asked[:2])  # warm up
    spent: dict[int, float] = {}
    expected: Choices = []
    for at_once in AT_ONCE:
        with _opened(address, at_once) as model:
            found, spent[at_once] = wall_timed(lambda model=model: _ours_choices(model, asked))
        expected = expected or found
        yield _row(case, f"tiltmeter, {at_once} at once", spent[at_once], len(asked), {})
    for at_once, ours in ((1, spent[AT_ONCE[0]]), *spent.items()):
        _openai(address, asked[:2], at_once)  # warm up
        found, took = wall_timed(lambda at_once=at_once: _openai(address, asked, at_once))
        values = {TIMES: took / ours} | _agreement(expected, found)
        yield _row(case, _openai_way(at_once), took, len(asked), values)


def _replies(address: str, asked: Sequence[str]) -> Iterator[Row]:
    case = f"{len(asked)} replies"
    first = AT_ONCE[0]
    with _opened(address, first) as model:
        expected, ours = wall_timed(lambda: _ours_replies(model, asked))
    yield _row(case, f"tiltmeter, {first} at once", ours, len(asked), {})
    way = f"lm-evaluation-harness {_peers.HARNESS}"
    for at_once in (1, first):
        name = f"{way}, one at a time" if at_once == 1 else f"{way}, {at_once} at once"
        if reason := _peers.missing("lm-eval", _peers.HARNESS):
            yield Row(case, name, skipped=reason, clock="wall")
            continue
        with _peers.silent():
            _harness(address, asked[:2], at_once)  # warm up
            found, took = wall_timed(lambda at_once=at_once: _harness(address, asked, at_once))
        same = sum(a == b for a, b in zip(expected, found, strict=True))
        values = {TIMES: took / ours, SAME: f"{same} of {len(asked)}"}
        yield _row(case, name, took, len(asked), values)


def _row(case: str, way: str, seconds: float, count: int, values: dict[str, Value]) -> Row:
    return Row(case, way, seconds, {"requests/s": count / seconds} | values, clock="wall")


@contextmanager
def _opened(address: str, at_once: int) -> Iterator[Any]:
    """The model as a run has it, nothing stored."""
    options = Options(at_once=at_once)
    model = open_model(resolve(f"chat:{address}#{MODEL}", options), options)
    with (
        tempfile.TemporaryDirectory() as folder,
        StoreThread(Path(folder) / "answers.sqlite") as store,
    ):
        yield CachedModel(model, store)


def _ours_choices(model: Any, asked: Sequence[str]) -> Choices:
    requests = [Choosing(Prompt((Message("user", text),)), WORDS) for text in asked]
    return [(float(yes), float(no)) for yes, no in model.choice_logprobs(requests)]


def _ours_replies(model: Any, asked: Sequence[str]) -> list[str]:
    requests = [Writing(Prompt((Message("user", text),)), TOKENS) for text in asked]
    return [reply.text for reply in model.write(requests)]


def _openai_way(at_once: int) -> str:
    import openai

    how = "one at a time" if at_once == 1 else f"{at_once} at once"
    return f"openai {openai.__version__}, {how}"


def _openai(address: str, asked: Sequence[str], at_once: int) -> Choices:
    """The client's own way: one call after the other, or its asynchronous form with a limit."""
    from openai import AsyncOpenAI, OpenAI

    def body(text: str) -> dict[str, Any]:
        messages = [{"role": "user", "content": text}]
        return {"model": MODEL, "messages": messages, "max_tokens": 1, "temperature": 1.0,
                "logprobs": True, "top_logprobs": 20}  # fmt: skip

    if at_once == 1:
        with OpenAI(base_url=address, api_key="none") as client:
            return [_read(client.chat.completions.create(**body(text))) for text in asked]

    async def all_of_them() -> Choices:
        limit = asyncio.Semaphore(at_once)

        async def one(client: AsyncOpenAI, text: str) -> tuple[float, float]:
            async with limit:
                return _read(await client.chat.completions.create(**body(text)))

        async with AsyncOpenAI(base_url=address, api_key="none") as client:
            return await asyncio.gather(*(one(client, text) for text in asked))

    return asyncio.run(all_of_them())


def _read(answer: Any) -> tuple[float, float]:
    tops = answer.choices[0].logprobs.content[0].top_logprobs
    found = {top.token: top.logprob for top in tops}
    return found[WORDS[0]], found[WORDS[1]]


def _harness(address: str, asked: Sequence[str], at_once: int) -> list[str]:
    """Through its class for conversations; it wants a key, and sends it nowhere but here."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.api_models import JsonChatStr
    from lm_eval.models.openai_completions import LocalChatCompletion

    os.environ.setdefault("OPENAI_API_KEY", "none")
    place = f"{address}/chat/completions"
    model = LocalChatCompletion(base_url=place, model=MODEL, num_concurrent=at_once)
    how = {"max_gen_toks": TOKENS, "temperature": 0, "until": ["\n"]}
    made = [
        Instance(
            "generate_until",
            {},
            (JsonChatStr(json.dumps([{"role": "user", "content": text}])), dict(how)),
            i,
        )
        for i, text in enumerate(asked)
    ]
    return [str(text) for text in model.generate_until(made, disable_tqdm=True)]


def _agreement(expected: Choices, found: Choices) -> dict[str, Value]:
    both = list(zip(expected, found, strict=True))
    same = sum((a > b) == (c > d) for (a, b), (c, d) in both)
    apart = max(abs(a - c) for one, other in both for a, c in zip(one, other, strict=True))
    return {DIFFERENCE: apart, SAME: f"{same} of {len(both)}"}
