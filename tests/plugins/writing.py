"""A question that Tiltmeter does not have, with a back-end, a rule and a study: one file of a plug-in.

The question is `Writes`: a prompt, answered with a text and a number. `writer:` is a made-up model that
answers it; `writer:silent` gives no text.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.model.protocols import Fact, Named
from tiltmeter.core.model.query import Question, QuestionOption, text_key
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Rule
from tiltmeter.studies import pairs


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    words: int


@runtime_checkable
class Writes(Named, Protocol):
    @property
    def longest_reply(self) -> int: ...

    @property
    def batch_tokens(self) -> int: ...

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]: ...

    def write(
        self, prompts: Sequence[Prompt], *, seed: int = 0, style: str = "plain"
    ) -> list[Reply]: ...


def _encoded(reply: Reply) -> str | None:
    return None if reply is None else json.dumps([reply.text, reply.words], ensure_ascii=False)


def _decoded(stored: str) -> Reply:
    return Reply(*json.loads(stored))


WRITES = Question(
    name="writes",
    protocol=Writes,
    ability="write a text, as chat models do",
    method="write",
    key=lambda prompt: text_key(prompt.text, prompt.system),
    sizes=lambda model, prompts: model.prompt_lengths(prompts),
    options={"seed": QuestionOption(int, 0), "style": QuestionOption(str, "plain")},
    encode=_encoded,
    decode=_decoded,
)


class Writer:
    """Repeats the prompt's words in alphabetical order."""

    fingerprint = "writer-1"
    about: Mapping[str, Fact] = {"architecture": "sorting"}
    longest_reply = 99
    batch_tokens = 40

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.silent = kind == "silent"
        self.batches: list[list[Prompt]] = []

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        return [1 + len(prompt.text.split()) for prompt in prompts]

    def write(self, prompts: Sequence[Prompt], *, seed: int = 0, style: str = "plain"):
        self.batches.append(list(prompts))
        if self.silent:
            return [None] * len(prompts)
        return [self._reply(prompt, seed, style) for prompt in prompts]

    def _reply(self, prompt: Prompt, seed: int, style: str) -> Reply:
        words = sorted(prompt.text.split())
        ends = {"plain": "", "loud": "!", "very loud": "!!"}[style] + "\n£\ud83d" * (seed % 2)
        return Reply(" ".join(words) + ends, len(words))


def answers(location: str) -> tuple[type, ...]:
    del location
    return (Writes,)


def load(location: str, options: object = None, *, name: str = "", note: str = "") -> Writer:
    del options, note
    return Writer(name, location)


def _score(model, items, context):
    texts = [text for pair in items for text in (pair.more, pair.less)]
    context.settle()
    replies = model.write([Prompt(text) for text in texts], seed=context.seed)
    return [
        Record(
            item=pair.id,
            scores={"more": float(len(more.text)), "less": float(len(less.text))},
            groups=pair.groups,
            said=more.text,
        )
        for pair, more, less in zip(items, replies[::2], replies[1::2], strict=True)
    ]


STUDY = replace(
    pairs.STUDY,
    name="writing",
    load=lambda *_, **__: pairs.sample(),
    rules=(Rule("reply_length", Writes, _score, "The longer reply is preferred.", "made up"),),
    conventions=(PAPER,),
    stored=None,
)


def install(folder):
    """As another package would offer it; `folder` must then be on the path."""
    info = folder / "writing-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: writing\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[tiltmeter.models]\nwriter = plugins.writing\n[tiltmeter.studies]\nwriting = plugins.writing\n"
        "[tiltmeter.questions]\nwrites = plugins.writing:WRITES\n"
    )
    return folder
