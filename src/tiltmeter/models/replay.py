"""A model that replays stored replies from a table (`replay:FILE`).

The table (CSV, TSV, JSONL or Parquet) has the columns `prompt` and `answer` (or `reply`), and optionally
`thought` (or `reasoning`), `repeat`, `finish` and `temperature`; other columns are ignored. Thoughts within
an answer are taken out of it. Without `repeat`, the rows with the same prompt (and the same temperature, if
there is that column) are its repeats in order. `replay:FILE,FILE` reads several tables as if they were one.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.conversations import Finish, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Converses, Fact, Writes
from tiltmeter.core.model.query import HasRequests, Query, StoredValue
from tiltmeter.core.model.thoughts import with_thought_apart
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.core.reading.typed_values import Fault, Raw, reader
from tiltmeter.core.reading.value_types import within
from tiltmeter.core.text import visible
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.data.files.rows import UserRows, number_of
from tiltmeter.models.opening.model_options import Options

ANSWERS = ("answer", "reply")
LISTED, SHOWN = 3, 80
"""How many missing prompts an error names, and how many characters of each."""


def _whole(number: float) -> float:
    if not number.is_integer():
        raise Fault(f"is {number:g}", "write a whole number from 0 up")
    return number


class _Asked(NamedTuple):
    """The key of a stored reply."""

    prompt: str
    temperature: float | None
    """The temperature; None where the file has no such column."""
    repeat: int


class Replay:
    """A model that answers `Writes` from stored replies."""

    chats = True
    deterministic = False
    reply_tokens = 0
    batch_tokens = 1 << 16

    def __init__(
        self, name: str, paths: Sequence[Path], replies: Mapping[_Asked, Reply], *, note: str = ""
    ) -> None:
        self.name = name
        digest = ",".join(map(file_digest, paths))
        self.fingerprint = f"replay-1-{digest}"
        self.about: dict[str, Fact] = {
            "kind": "stored replies",
            "file": _names(paths),
            "sha256": digest,
            "replies": len(replies),
            "prompts": len({asked.prompt for asked in replies}),
        }
        if note:
            self.about["note"] = note
        self._replies = replies
        self._has_temperatures = any(asked.temperature is not None for asked in replies)

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The tokens of each prompt, assumed to be its words and one more, as the file has no tokenizer."""
        return [1 + len(prompt.plain.split()) for prompt in prompts]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """The stored reply to each request; length limit, stop texts, top-p and seed have no effect.

        Raises:
            CannotAnswer: There is no reply to one of the requests.
        """
        asked = [self._asked(request) for request in requests]
        missing = [key for key in asked if key not in self._replies]
        if missing:
            raise CannotAnswer(self._missing(missing, len(asked)))
        both = zip(requests, asked, strict=True)
        return [with_thought_apart(self._replies[key], r.thinking_tags) for r, key in both]

    def execute(
        self, query: Query, batches: Sequence[HasRequests]
    ) -> Generator[tuple[int, Sequence[StoredValue]], None, None]:
        """Answer every batch as `run.asking.executors` describes, after checking that no reply is missing."""
        self.write([request for batch in batches for request in batch.requests])
        for number, batch in enumerate(batches):
            yield number, query.ask(self, batch.requests)

    def _asked(self, request: Writing) -> _Asked:
        # A file without temperatures answers requests at any temperature.
        temperature = request.temperature if self._has_temperatures else None
        return _Asked(request.prompt.plain, temperature, request.repeat)

    def _missing(self, missing: Sequence[_Asked], count: int) -> str:
        """The text of the error: the first requests without a reply, and how many there are."""
        requests = "request" if count == 1 else "requests"
        lines = [f"{self.name} has no reply to {len(missing):,} of {count:,} {requests}:"]
        lines += [f"  {self._described(request)}" for request in missing[:LISTED]]
        if len(missing) > LISTED:
            lines.append(f"  … and {len(missing) - LISTED:,} more")
        lines.append("The prompts must be those of the study, letter for letter.")
        return "\n".join(lines)

    def _described(self, asked: _Asked) -> str:
        text = visible(asked.prompt)
        text = text if len(text) <= SHOWN else f"{text[:SHOWN]} …"
        of_prompt = [known for known in self._replies if known.prompt == asked.prompt]
        if not of_prompt:
            return repr(text)
        same = [known for known in of_prompt if known.temperature == asked.temperature]
        if not same:
            others = sorted({known.temperature or 0.0 for known in of_prompt})
            there = ", ".join(f"{known:g}" for known in others)
            return f"{text!r} at temperature {asked.temperature:g}; the file has it at {there}"
        return f"{text!r}, repeat {asked.repeat}; the file has {len(same):,} of it"


TRAITS = Traits(judges_in_words=True, form=("replay:FILE", "replies stored in a table"))


def answers(location: str) -> tuple[type, ...]:
    """The protocols that stored replies satisfy."""
    for path in _paths(location):
        if not path.is_file():
            way_out = way_to_file(path, "give a table: replay:FILE")
            raise BadInput("there is no such file", way_out, file=str(path))
    return (Writes, Converses)


def _paths(location: str) -> list[Path]:
    """The files that a reference names; a comma may also be part of the name of an existing file."""
    whole = Path(location).expanduser()
    named = [location] if whole.is_file() else location.split(",")
    return [Path(name).expanduser() for name in named]


def _names(paths: Sequence[Path]) -> str:
    return ",".join(path.name for path in paths)


def load(
    location: str, options: Options | None = None, *, name: str = "", note: str = ""
) -> Replay:
    """Read the replies in one or more tables.

    Raises:
        BadInput: One of the files is not a table, or lacks a column.
        BadItems: Rows are not valid replies; the error lists all of them.
    """
    del options
    paths = _paths(location)
    replies: dict[_Asked, Reply] = {}
    counts: Counter[tuple[str, float | None]] = Counter()
    for path in paths:
        _read(path, replies, counts)
    return Replay(name or _names(paths), paths, replies, note=note)


@dataclass(frozen=True, slots=True)
class _ReplyRow:
    prompt: str
    answer: str | None = None
    reply: str | None = None
    thought: str | None = None
    reasoning: str | None = None
    finish: Annotated[Finish, Raw(lambda cell: reader(Finish)(cell or "stop"))] = "stop"
    repeat: Annotated[float | None, Raw(number_of), within(0), _whole] = None
    temperature: Annotated[float | None, Raw(number_of), within(0)] = None


def _read(
    path: Path, replies: dict[_Asked, Reply], counts: Counter[tuple[str, float | None]]
) -> None:
    """Add the rows of a table to `replies`, and count in `counts` how often each prompt occurred."""
    rows = UserRows(_ReplyRow, path, texts=None)
    column = next((name for name in ANSWERS if name in rows.columns), "")
    if not column:
        raise BadInput("no column named answer or reply", "add it, or rename one", file=path.name)
    for line, row in rows:
        text = getattr(row, column)
        drawn = row.prompt, row.temperature
        repeat = counts[drawn] if row.repeat is None else int(row.repeat)
        counts[drawn] += 1
        asked = _Asked(*drawn, repeat)
        thought = row.thought or row.reasoning or ""
        if text is None and not thought:  # one that was cut off while thinking has no answer
            rows.complain(line, f"{column} is missing", "write the reply, or remove the row")
        elif asked in replies:
            reason = "has the prompt and the number in `repeat` of an earlier row"
            way_out = "number the replies to a prompt 0, 1, 2, …, or remove one of the two"
            rows.complain(line, reason, way_out)
        else:
            replies[asked] = Reply(text or "", row.finish, thought=thought)
    rows.finish()
