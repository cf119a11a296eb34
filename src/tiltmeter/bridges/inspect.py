"""Logs of inspect_ai: `.eval`, a zip archive of JSON packed with Zstandard, and the same as one JSON file.

Members of an archive are read into memory one by one, never written, so that their names lead nowhere.
"""

import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.sample_rows import SampleRows, with_correct
from tiltmeter.bridges.samples import at, identity, listed, named, number, text
from tiltmeter.bridges.streamed_json import streamed
from tiltmeter.core.errors import BadInput, reason_of
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.unpacking import check_unpacked, member_content

HEADER, SAMPLES = "header.json", "samples/"
"""Names of members."""
ABOUT = "eval"
"""The field of a log that says which evaluation it is of."""


def is_archive(path: Path) -> bool:
    """Whether it is an `.eval` log, maybe a damaged one, and no JSON."""
    if path.suffix != ".eval" or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def read_log(path: Path, tags: Sequence[str] = ()) -> log.EvaluationLog:
    """The log in a file of either kind.

    Args:
        path: The file.
        tags: A further beginning and end of a thought; () for none.

    Raises:
        BadInput: It is damaged, has a part that is too large, or was not finished; or two samples of one id
            and epoch contradict each other.
    """
    header, samples_in_file = _members(path) if is_archive(path) else _fields(path)
    rows = SampleRows(path.name)
    scorers, letters = dict[str, None](), defaultdict[str, set[str]](set)
    for each in samples_in_file:
        sample = _sample(each, tags)
        scorers |= dict.fromkeys(name for name, _ in named(each, "scores"))
        for name, value in _values(each).items():
            if isinstance(value, str) and value.strip() in ascii_uppercase:
                letters[name].add(value.strip())
        if at(each, "output") and not at(each, "error"):
            rows.add(sample, each, question=[at(each, "input"), at(each, "choices")])
        else:
            rows.leave_out(sample, text(at(each, "error", "message")) or "no answer")
    reported = {
        f"{text(at(score, 'name'))} {name}": value
        for score in listed(header, "results", "scores")
        for name, metric in named(score, "metrics")
        if (value := number(at(metric, "value"))) is not None
    }
    samples, notes = rows.finished()
    grades = [name for name, given in letters.items() if given - log.LETTERS.keys() - {""}]
    if grades:
        samples = [_without(sample, grades) for sample in samples]
    samples = with_correct(samples, [*scorers][:1])  # the first scorer, the same for all samples
    if (status := text(at(header, "status"))) not in {"", "success"}:
        notes.append(f"The status of {path.name} is {status!r}: the evaluation did not finish.")
    return log.EvaluationLog(
        "inspect_ai", text(at(header, ABOUT, "task")), text(at(header, ABOUT, "model")), path.name,
        sha256(path), samples, reported, rows.problems, notes, chats=True, epochs=True,
    )  # fmt: skip


def _fields(path: Path) -> tuple[dict[str, Any], Iterator[Any]]:
    """The header, whole after the last sample, and the samples, read one by one."""
    header: dict[str, Any] = {}
    return header, streamed(path, log.WAY_OUT, "samples", header)


def _members(path: Path) -> tuple[Any, Iterator[Any]]:
    """The header, and the samples, read one by one."""
    members = _contents(path)
    header = next(members)
    return header, chain(members, listed(header, "samples"))


def _contents(path: Path) -> Iterator[Any]:
    """The header, then each sample."""
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in _entries(archive, path):
                yield parsed(_content(archive, entry, path).decode(), twice=True)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise BadInput(f"it is damaged ({reason_of(error)})", log.WAY_OUT, file=path.name) from None


def _entries(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    """Those of the header and of the samples."""
    entries = archive.infolist()  # where two have one name, both count
    headers = [entry for entry in entries if entry.filename == HEADER]
    samples = [entry for entry in entries if entry.filename.startswith(SAMPLES)]
    if len(headers) > 1:
        raise ValueError(f"{HEADER} occurs {counted(len(headers), 'times')}")
    if not headers:
        reason = "it has no header.json, so that the evaluation was not finished"
        raise BadInput(reason, "finish it with `inspect eval-retry`", file=path.name)
    whole = sum(entry.file_size for entry in (*headers, *samples))
    check_unpacked(whole, path.stat().st_size, "it", file=path.name)
    return [*headers, *samples]


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> bytes:
    if entry.file_size > log.LARGEST:  # it is parsed whole
        reason = f"{entry.filename} is larger than {log.LARGEST >> 30} GiB"
        raise BadInput(reason, "log less of each sample", file=path.name)
    return member_content(archive, entry)


def _without(sample: log.LoggedSample, grades: Sequence[str]) -> log.LoggedSample:
    """The sample without numbers for grades from A to F, whose C does not say "correct"."""
    grades = [name for name in grades if name in sample.scores or name in sample.unscored]
    return replace(
        sample,
        scores={name: value for name, value in sample.scores.items() if name not in grades},
        unscored={**sample.unscored, **dict.fromkeys(grades, "a letter grade")},
    )


def _values(sample: Any) -> dict[str, Any]:
    """What each scorer says, under its name; of one that says several things, each under SCORER_KEY."""
    values = dict[str, Any]()
    for scorer, score in named(sample, "scores"):
        value = at(score, "value")
        inner = named(value)
        if isinstance(value, list):
            inner = [(str(place), each) for place, each in enumerate(value)]
        values |= {f"{scorer}_{key}": each for key, each in inner} if inner else {scorer: value}
    return values


def reply_in(output: object) -> Reply:
    """What the model wrote, as inspect_ai logs its output; a thought that stands in its text is still there.

    Older versions store a thought as a field of the message or between tags in the text, newer ones as a
    part of the content, of which only a summary may be known.
    """
    message = at(output, "choices", 0, "message")
    parts = at(message, "content")
    thoughts = [text(at(message, "reasoning"))]
    for part in parts if isinstance(parts, list) else ():
        if at(part, "type") == "reasoning":
            hidden = at(part, "redacted") is True
            thoughts.append(text(at(part, "summary" if hidden else "reasoning")))
    usage = at(output, "usage")
    return Reply(
        text(at(output, "completion")) or text(message),
        log.finish(at(output, "choices", 0, "stop_reason")),
        log.count(at(usage, "input_tokens")),
        log.count(at(usage, "output_tokens")),
        "\n".join(filter(None, thoughts)),
        log.count(at(usage, "reasoning_tokens")),
    )


def _sample(sample: Any, tags: Sequence[str]) -> log.LoggedSample:
    scores, unscored = log.scores_of(_values(sample))
    answer = text(at(next(iter(listed(sample, "scores")), None), "answer"))
    options = tuple(map(text, listed(sample, "choices")))
    logged = log.LoggedSample(
        identity(at(sample, "id")), text(at(sample, "input")), "", answer, options,
        scores=scores, unscored=unscored,
        fields={**log.fields(at(sample, "metadata")), "target": text(at(sample, "target"))},
        repeat=max(int(number(at(sample, "epoch")) or 1) - 1, 0),
    ).replied(reply_in(at(sample, "output")), tags)  # fmt: skip
    letters = dict(zip(ascii_uppercase, options, strict=False))
    return replace(logged, reply=letters.get(logged.answer, logged.reply))
