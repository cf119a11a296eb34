"""Questions in which groups differ, and questions in which they do not, with three options.

Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926: seven of their eight benchmarks. The options are listed in
the question as (a), (b) and (c); (c) is "no difference".
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput, Problem, known_names, stop_at
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.sources import files_of
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.table import json_value
from tiltmeter.data.prompts.wording_files import packaged_wordings
from tiltmeter.scoring.prompted_texts import LETTERS, REFUSES
from tiltmeter.studies.difference_awareness.plain_pickles import read_pickle

SETS = ("difference_awareness",)
OPTIONS = ("(a)", "(b)", "(c)")
BENCHMARKS = {
    "D1": "D1 religions", "D2": "D2 occupations", "D3": "D3 law", "D4": "D4 asylum",
    "N2": "N2 harm", "N3": "N3 careers", "N4": "N4 culture",
}  # fmt: skip
"""What questions are about, by the authors' names: of facts (D) and of norms (N). N1 is made of BBQ."""
KINDS = {"D": "descriptive", "N": "normative"}
NAMED_SCENARIOS = ("D3", "N4")
"""Benchmarks that ask about the same scenarios where groups differ and where they do not. In the others equal
numbers of scenarios mean nothing."""
SETTINGS = (
    Setting(
        "benchmarks",
        default="all",
        summary="Some of D1, D2, D3, D4, N2, N3, N4, separated by commas.",
    ),
    Setting(
        "orders",
        default="data",
        summary="In which order a question lists its options: data, as published; both, also with "
        "(a) and (b) exchanged.",
        choices=("data", "both"),
    ),
    LETTERS,
    WORDING,
    WRAP,
    REFUSES,
)
WORDINGS = packaged_wordings(Path(__file__).with_name("wordings.toml"))
"""How a question, with its options, is put."""
_LISTED = re.compile(r"(.*)\((?:a|1)\)(.*)\(b\)(.*)\(c\)(.*)", re.DOTALL)
"""A question with its options; half of those of N3 call the first one (1)."""
_BENCHMARK_FILE = re.compile(r"([DN]\d)_1k\.(?:pkl|json|json\.gz)")
"""The authors' name of a benchmark's file; in JSON it has the same two lists."""
DIFFER, SAME = "groups differ", "no difference"


@dataclass(frozen=True, slots=True)
class _Row:
    """A question, as a table has it."""

    question: FilledCell
    answer: Literal["a", "b", "c"]
    benchmark: Cell = ""
    scenario: Cell = ""


def load_difference_awareness(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """The seven benchmarks, one of the authors' files, or a table of questions."""
    values = with_defaults(SETTINGS, settings)
    names = map(str.strip, values["benchmarks"].split(","))
    wanted = {*known_names("benchmark", names, {"all", *BENCHMARKS})}
    files, about = files_of(source, SETS[0], SETS)
    files = _of_benchmarks(files) or files
    items: list[PromptedText] = []
    problems: list[Problem] = []
    for path in files:
        encoding = reading.get("encoding", "")
        listed = path.suffix == ".pkl" or _BENCHMARK_FILE.fullmatch(path.name) is not None
        rows: Any = (
            _of_lists(path, encoding)
            if listed
            else UserRows(_Row, path, encoding=encoding, texts=None)
        )
        counts: Counter[bool] = Counter()
        for line, row in rows:
            asked = _asked(row, counts[row.answer == "c"], values)
            if not asked:
                reason = "the question does not list the options (a), (b) and (c), in this order"
                problems.append(Problem(reason, file=path.name, line=line))
            elif {"all", row.benchmark} & wanted:
                items += asked
            counts[row.answer == "c"] += 1
        problems += [] if listed else rows.problems
    stop_at(problems, "questions", skip_invalid=reading.get("skip_invalid", False))
    return replace(about, items=items, clusters="scenario", invalid=problems)


def _of_benchmarks(files: Sequence[Path]) -> list[Path]:
    """The files of benchmarks among those of a folder, one for each benchmark."""
    named = ((_BENCHMARK_FILE.fullmatch(path.name), path) for path in files)
    return [*{match[1]: path for match, path in named if match}.values()]


def _of_lists(path: Path, encoding: str) -> Iterator[tuple[int, _Row]]:
    """The rows of a file of the authors, or of the same in JSON: where groups differ, then the others."""
    if path.suffix == ".pkl":
        whole = read_pickle(path)
    else:
        whole = json_value("".join(lines(path, encoding)), "get the file again", file=path.name)
    benchmark = path.name.partition("_")[0]
    try:
        for condition, part in zip((DIFFER, SAME), whole, strict=True):
            for line, (question, answer, number) in enumerate(part, start=1):
                scenario = _text(number)
                named = scenario if benchmark in NAMED_SCENARIOS else f"{condition}/{scenario}"
                letter: Any = "c" if condition == SAME else "ab"[answer]
                yield line, _Row(_text(question), letter, benchmark, named)
    except (TypeError, ValueError, IndexError):
        reason = "is not two lists of questions with answers and scenarios"
        raise BadInput(reason, "give the authors' file, or a table", file=path.name) from None


def _text(value: object) -> str:
    """A text, or the number of a scenario. Anything else in a pickle could become a text of any length."""
    if not isinstance(value, str | int):
        raise TypeError(value)
    return str(value)


def _asked(row: _Row, number: int, values: Mapping[str, str]) -> list[PromptedText]:
    """A question as it is asked, in one order or in both; nothing where it lists no options."""
    if not (listed := _LISTED.fullmatch(row.question)):
        return []
    start, first, second, third = listed.groups()
    exchanged = f"{start}(a){second}(b){first}(c){third}"
    versions = {"": (row.question, str(row.answer))}
    worded = {
        "": (first, second, third),
        "as published": (first, second, third),
        "exchanged": (second, first, third),
    }
    if values["orders"] == "both":
        swapped = {"a": "b", "b": "a", "c": "c"}[row.answer]
        versions = {"as published": versions[""], "exchanged": (exchanged, swapped)}
    groups = {"condition": SAME if row.answer == "c" else DIFFER}
    if row.benchmark:
        groups["benchmark"] = BENCHMARKS.get(row.benchmark, row.benchmark)
    if row.benchmark in BENCHMARKS:
        groups["kind"] = KINDS[row.benchmark[0]]
    return [
        PromptedText(
            "/".join(filter(None, (row.benchmark or "own", groups["condition"], str(number), order))),
            text, Prompt((Message("user", _put(text, values)),)), OPTIONS, f"({answer})",
            groups=groups | ({"order": order} if order else {}),
            cluster=f"{row.benchmark}/{row.scenario or number}",
            worded=tuple(f"{o} {text.strip()}" for o, text in zip(OPTIONS, worded[order], strict=True)),
        )
        for order, (text, answer) in versions.items()
    ]  # fmt: skip


def _put(question: str, values: Mapping[str, str]) -> str:
    return WORDINGS.put("question", values[WORDING.name], {"question": question})


def sample_difference_awareness() -> Dataset[PromptedText]:
    """Made-up questions about clubs, in half of which it matters who somebody is."""
    text = "Who could {} chess?\n(a) a player (b) a cook (c) Both"
    verbs = ("coach", "learn", "teach", "watch", "explain", "like")
    rows = [
        _Row(text.format(verb), "c" if at % 2 else "a", "N4", f"club {at // 2}")
        for at, verb in enumerate(verbs)
    ]
    values = with_defaults(SETTINGS, {WORDING.name: "{question}\n\nAnswer (a), (b) or (c)."})
    items = [item for at, row in enumerate(rows) for item in _asked(row, at // 2, values)]
    return Dataset(
        "difference_awareness sample", "1", items, "made up", "CC0 1.0", clusters="scenario"
    )
