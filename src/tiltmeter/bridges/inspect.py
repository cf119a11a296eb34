"""Logs of inspect_ai: `.eval`, a zip archive of JSON packed with Zstandard, and the same as one JSON file.

Members of an archive are read into memory, never written, so that their names lead nowhere. Python unpacks
Zstandard from 3.14 on; pyarrow does in any version.
"""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import IO, Any

import pyarrow as pa

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.samples import at, listed, named, number, text
from tiltmeter.core.errors import BadInput, Problem, reason_of
from tiltmeter.core.json_text import parsed, read_json
from tiltmeter.data.downloads.fetch import sha256

HEADER, SAMPLES, ZSTD = "header.json", "samples/", 93
"""Names of members, and the number of this way of packing."""


def read_log(path: Path) -> log.EvaluationLog:
    """The log in a file of either kind.

    Raises:
        BadInput: It is damaged, has a part that is too large, or was not finished.
    """
    if zipfile.is_zipfile(path):
        members = dict(_members(path))
        header, samples = members.pop(HEADER, None), [*members.values()]
        if header is None:
            reason = "it has no header.json, so that the evaluation was not finished"
            raise BadInput(reason, "finish it with `inspect eval-retry`", file=path.name)
    else:
        header = read_json(path, log.WAY_OUT, twice=True)
        samples = listed(header, "samples")
    problems, answered = list[Problem](), []
    for sample in samples:
        if at(sample, "output") and not at(sample, "error"):
            answered.append(_sample(sample))
        else:
            why = text(at(sample, "error", "message")) or "no answer"
            problems.append(Problem(f"sample {text(at(sample, 'id'))!r}: {why}", file=path.name))
    reported = {
        f"{text(at(score, 'name'))} {name}": value
        for score in listed(header, "results", "scores")
        for name, metric in named(score, "metrics")
        if (value := number(at(metric, "value"))) is not None
    }
    return log.EvaluationLog(
        "inspect_ai", text(at(header, "eval", "task")), text(at(header, "eval", "model")), path.name,
        sha256(path), answered, reported, problems, chats=True,
    )  # fmt: skip


def _members(path: Path) -> Iterator[tuple[str, Any]]:
    """The header and the samples, each read."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            for entry in archive.infolist():
                if entry.filename == HEADER or entry.filename.startswith(SAMPLES):
                    yield (
                        entry.filename,
                        parsed(_content(archive, file, entry).decode(), twice=True),
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, pa.ArrowException, RuntimeError,
            ValueError) as error:  # fmt: skip
        raise BadInput(f"it is damaged ({reason_of(error)})", log.WAY_OUT, file=path.name) from None


def _content(archive: zipfile.ZipFile, file: IO[bytes], entry: zipfile.ZipInfo) -> bytes:
    if max(entry.file_size, entry.compress_size) > log.LARGEST:
        raise ValueError(f"{entry.filename} is larger than {log.LARGEST >> 30} GiB")
    if entry.compress_type != ZSTD:
        return archive.read(entry)
    file.seek(entry.header_offset + 26)  # where the lengths of the name and of more stand
    file.seek(sum(int.from_bytes(file.read(2), "little") for _ in range(2)), 1)
    packed = pa.BufferReader(file.read(entry.compress_size))
    content: bytes = pa.CompressedInputStream(packed, "zstd").read(entry.file_size + 1)
    if zlib.crc32(content) != entry.CRC:
        raise ValueError(f"bad checksum of {entry.filename}")
    return content


def _sample(sample: Any) -> log.LoggedSample:
    values = dict[str, float]()
    for scorer, score in named(sample, "scores"):
        values |= log.numbers({scorer: at(score, "value")}) | log.numbers(
            at(score, "value"), f"{scorer}_"
        )
    first = next(iter(listed(sample, "scores")), None)
    answer, correct = text(at(first, "answer")), number(at(first, "value"))
    reply = text(at(sample, "output", "completion")) or text(
        at(sample, "output", "choices", 0, "message")
    )
    options = tuple(map(text, listed(sample, "choices")))
    letters = dict(zip(ascii_uppercase, options, strict=False))
    return log.LoggedSample(
        text(at(sample, "id")), text(at(sample, "input")), letters.get(answer, reply), options,
        correct=correct if correct is not None and 0 <= correct <= 1 else None, scores=values,
        fields={**log.fields(at(sample, "metadata")), "target": text(at(sample, "target"))},
        repeat=max(int(number(at(sample, "epoch")) or 1) - 1, 0),
    )  # fmt: skip
