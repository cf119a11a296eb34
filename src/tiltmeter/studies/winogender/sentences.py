"""The sentences of Winogender, in pairs: the same sentence with a male and a female pronoun.

Which sentence is the more stereotyping one is not in the data. Here it is the one with the female
pronoun where more than 50 % of the people in the occupation are women by the US Bureau of Labor
Statistics (column `bls_pct_female` of the authors' `occupations-stats.tsv`), and the one with the
male pronoun where fewer are. An occupation with exactly 50 % has no such sentence: its pairs are left out and
listed. Sentences with "they" are not used.

In half of the sentences the pronoun refers to the occupation (`answer` is "occupation"), in the
others to the second person ("participant"), about whom the occupation's share says nothing: read
the two apart.

Selvam et al. 2023 rebuilt the sentences with clauses and synonyms, a table each with the same ids:
constructions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, Problem, known_names, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import decimal_number
from tiltmeter.data.downloads.registry import Located, locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_files, has_pairs
from tiltmeter.data.pairs.sentences import normal, problem_with

NAME, REBUILT = "winogender", "winogender_constructions"
"""The registered sets: of Rudinger et al. 2018, and of Selvam et al. 2023 with rebuilt sentences."""
SENTENCES, STATISTICS = "all_sentences.tsv", "occupations-stats.tsv"
COLUMNS = ("sentid", "sentence")
ORIGINAL, AXIS, ALL_OF_THEM = "original", "construction", "all"
_ORIGINALS = (SENTENCES, "winogender.tsv")
"""Names of files with the original sentences."""
CONSTRUCTION = Setting(
    AXIS,
    default="",
    summary="How the sentences are built: original, the name of a rebuilt set of Selvam et al. 2023 "
    "such as synonymized, several names separated by commas, or all (default: original).",
)
ANSWERS = {"0": "occupation", "1": "participant"}
BY_SHARE = (
    "The more stereotyping sentence has the pronoun of the gender that most people in the "
    "occupation have (US Bureau of Labor Statistics)."
)
BY_ANSWER = "Where `answer` is participant, the pronoun does not refer to the occupation."
ALL = 100
"""The highest possible percentage of women in an occupation."""
_PARTS = 5  # occupation, participant, answer, gender, "txt"


@dataclass(frozen=True, slots=True)
class _Tables:
    """The files to read, and what is known of them."""

    constructions: Mapping[str, Path]
    """By name, the original first."""
    statistics: Path
    about: Dataset[Any]


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Pair]:
    """The 240 pairs in one construction, or the same pairs in several.

    The source may also be a folder with the authors' tables, one table of sentences, or any file of pairs.
    """
    wanted = with_defaults((CONSTRUCTION,), settings)[AXIS].strip()
    rebuilt = wanted not in {"", ORIGINAL}
    chosen = choose(source, REBUILT if rebuilt else NAME, (NAME, REBUILT))
    encoding = reading.get("encoding", "")
    if isinstance(chosen, Path) and not chosen.is_dir() and not _is_table(chosen, encoding):
        if rebuilt:
            reason = (
                f"--set {AXIS}={wanted} is about the study's own sentences, and the file has pairs"
            )
            raise BadInput(reason, "leave it out", file=chosen.name)
        return read_pairs(chosen, **reading)
    tables = _tables(chosen, wanted, encoding)
    shares = _shares(tables.statistics, encoding)
    by_name = {name: _pairs(path, shares, encoding) for name, path in tables.constructions.items()}
    problems = [problem for _, found in by_name.values() for problem in found]
    real = [problem for problem in problems if "exactly 50 %" not in problem.reason]
    stop_at(real, skip_invalid=reading.get("skip_invalid", False))
    made = replace(
        tables.about,
        items=in_constructions({name: pairs for name, (pairs, _) in by_name.items()}),
        clusters="template",
        invalid=problems,
        notes=notes_of("data", (BY_SHARE, BY_ANSWER)),
        about={**tables.about.about, "constructions": ", ".join(by_name)} if rebuilt else {},
    )
    return finished(made)


def in_constructions(by_name: Mapping[str, Sequence[Pair]]) -> list[Pair]:
    """The pairs of a construction; or those of several, with the axis `construction`.

    Pairs of the original keep their ids, the others have @ and the construction's name behind it, so that
    runs with and without them meet.

    >>> pair = Pair("nurse.guest.0", "She left.", "He left.", cluster="nurse.0")
    >>> [p.id for p in in_constructions({"original": [pair], "synonymized": [pair]})]
    ['nurse.guest.0', 'nurse.guest.0@synonymized']
    """
    if len(by_name) == 1:
        return [pair for pairs in by_name.values() for pair in pairs]
    return [
        replace(
            pair,
            id=pair.id if name == ORIGINAL else f"{pair.id}@{name}",
            groups={**pair.groups, AXIS: name},
        )
        for name, pairs in by_name.items()
        for pair in pairs
    ]


def reads(path: Path, encoding: str) -> bool:
    """Whether it is a file of pairs or of the authors' sentences, or a folder with tables of these."""
    if path.is_dir():
        return has_files(path, names=(SENTENCES, STATISTICS)) or bool(_in_folder(path, encoding))
    return has_pairs(path, encoding) or _is_table(path, encoding)


def _is_table(path: Path, encoding: str) -> bool:
    return path.is_file() and has_columns(path, COLUMNS, encoding)


def _tables(chosen: str | Path, wanted: str, encoding: str) -> _Tables:
    if isinstance(chosen, Path):
        found = (
            _in_folder(chosen, encoding)
            if chosen.is_dir()
            else {ORIGINAL if chosen.name in _ORIGINALS else chosen.stem: chosen}
        )
        kept = _wanted(found, wanted, chosen.name)
        own = (chosen if chosen.is_dir() else chosen.parent) / STATISTICS
        statistics = own if own.is_file() else _statistics(locate(NAME))
        return _Tables(kept, statistics, given(chosen, [*kept.values(), statistics]))
    located = locate(chosen)
    found = _named(path for key, path in located.files.items() if not key.endswith(STATISTICS))
    statistics = _statistics(located if chosen == NAME else locate(NAME))
    return _Tables(_wanted(found, wanted, chosen), statistics, registered(located))


def _statistics(located: Located) -> Path:
    return next(path for path in located.files.values() if path.name == STATISTICS)


def _in_folder(folder: Path, encoding: str) -> dict[str, Path]:
    """The constructions in a folder: all tables of sentences whose ids have the usual parts."""
    tables = (path for path in sorted(folder.glob("*.tsv")) if _is_table(path, encoding))
    return _named(path for path in tables if path.name in _ORIGINALS or _has_ids(path, encoding))


def _has_ids(path: Path, encoding: str) -> bool:
    """Whether the first id has the usual parts; tables with adjectives have one more."""
    rows = read_table(path, encoding=encoding, required=COLUMNS, texts=None).rows
    first = next(iter(rows), None)
    return first is not None and len(str(first.cells.get("sentid", "")).split(".")) == _PARTS


def _named(paths: Iterator[Path]) -> dict[str, Path]:
    """Files by the name of their construction, the original first."""
    named = {ORIGINAL if path.name in _ORIGINALS else path.stem: path for path in paths}
    return dict(sorted(named.items(), key=lambda item: (item[0] != ORIGINAL, item[0])))


def _wanted(found: Mapping[str, Path], wanted: str, place: str) -> Mapping[str, Path]:
    """The chosen ones of the constructions that there are.

    Raises:
        BadInput: There are no tables of sentences.
        UnknownName: There is no such construction.
    """
    if not found:
        reason = f"it has no table with the columns {' and '.join(COLUMNS)}"
        raise BadInput(reason, f"put {SENTENCES} and {STATISTICS} into it", file=place)
    if wanted == ALL_OF_THEM or (not wanted and len(found) == 1):
        return found
    names = [name.strip() for name in (wanted or ORIGINAL).split(",") if name.strip()]
    known_names("construction", names, found)
    return {name: path for name, path in found.items() if name in names}


def _shares(path: Path, encoding: str) -> dict[str, float]:
    """Percentage of women by occupation."""
    table = read_table(
        path, encoding=encoding, required=("occupation", "bls_pct_female"), texts=None
    )
    shares = {}
    for row in table.rows:
        cell = str(row.cells.get("bls_pct_female", ""))
        share = decimal_number(cell)
        if share is None or not 0 <= share <= ALL:
            reason = f"bls_pct_female {cell!r} is not a number from 0 to {ALL}"
            raise BadInput(reason, "write a percentage", file=path.name, line=row.line)
        shares[str(row.cells["occupation"])] = share
    return shares


def _pairs(
    path: Path, shares: Mapping[str, float], encoding: str
) -> tuple[list[Pair], list[Problem]]:
    table = read_table(path, encoding=encoding, required=COLUMNS, texts=None)
    by_gender: dict[tuple[str, ...], dict[str, tuple[str, int]]] = {}
    for row in table.rows:
        keys = tuple(str(row.cells.get("sentid", "")).split("."))
        if len(keys) != _PARTS or keys[2] not in ANSWERS:
            reason = f"sentid {'.'.join(keys)!r} is not occupation.participant.answer.gender.txt"
            raise BadInput(reason, "see the published file", file=path.name, line=row.line)
        if keys[0] not in shares:
            reason = f"the occupation {keys[0]!r} is not in {STATISTICS}"
            raise BadInput(reason, "add its share of women", file=path.name, line=row.line)
        by_gender.setdefault(keys[:3], {})[keys[3]] = str(row.cells["sentence"]).strip(), row.line
    made = [_pair(path.name, key, sides, shares[key[0]]) for key, sides in by_gender.items()]
    pairs = [pair for pair in made if isinstance(pair, Pair)]
    return pairs, [problem for problem in made if isinstance(problem, Problem)]


def _pair(
    file: str, key: tuple[str, ...], sides: Mapping[str, tuple[str, int]], share: float
) -> Pair | Problem:
    occupation, _, answer = key
    line = next(iter(sides.values()))[1]
    where = Problem("", file=file, line=line, item=".".join(key), field="sentence")
    if problem := _unusable(sides, share, where):
        return problem
    gender, other = ("female", "male") if share > 50 else ("male", "female")  # noqa: PLR2004
    texts = sides[gender][0], sides[other][0]
    return Pair(where.item, *texts, *groups_of(occupation, answer, gender), where=f"{file}:{line}")


def groups_of(occupation: str, answer: str, gender: str) -> tuple[dict[str, str], str]:
    """The groups of a pair, and its cluster."""
    groups = {"occupation": occupation, "answer": ANSWERS[answer], "gender": gender}
    return {"bias_type": "gender", **groups}, f"{occupation}.{answer}"


def _unusable(sides: Mapping[str, tuple[str, int]], share: float, where: Problem) -> Problem | None:
    reason = ""
    if lacking := [gender for gender in ("male", "female") if gender not in sides]:
        reason = f"the {lacking[0]} sentence is missing"
    elif share == 50:  # noqa: PLR2004
        reason = "exactly 50 % are women: neither sentence is the more stereotyping one"
    elif normal(sides["male"][0]) == normal(sides["female"][0]):
        reason = "the male and the female sentence are identical"
    if reason:
        return Problem(reason, file=where.file, line=where.line, item=where.item)
    problems = (problem_with(sides[gender][0], where) for gender in ("male", "female"))
    return next((problem for problem in problems if problem), None)
