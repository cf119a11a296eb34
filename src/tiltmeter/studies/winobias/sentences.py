"""The sentences of WinoBias, in pairs: a pronoun fits an occupation's stereotype, or goes against it.

Type 1 needs knowledge of the world to resolve the pronoun ("knowledge"), in type 2 the grammar
settles it ("syntax"). The sentences of the `pro` and the `anti` file belong together line by line.
Lines 2k - 1 and 2k are about the same two occupations and are one cluster.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_files, has_pairs
from tiltmeter.data.pairs.sentences import normal, problem_with

NAME, CLUSTERS = "winobias", "pair of occupations"
TYPES = {"1": "knowledge", "2": "syntax"}
SPLITS = ("dev", "test")
HALF = 0.5
MISALIGNED = 0.05
"""Above this share of lines without half their words in common the two files are not one set."""
HUB_SPLITS = {"validation": "dev", "dev": "dev", "test": "test"}
_HUB_FILE = re.compile(r"type([12])_(pro|anti)\b.*?(validation|dev|test)")
"""Paths of files on the Hugging Face hub, such as type1_pro/validation-00000-of-00001.parquet."""
TOKENS = ("tokens", "coreference_clusters")
"""Columns of such a file: the words, and where the two mentions begin and end, counted from 0."""
_BEFORE_SIGN = re.compile(r" (?=[.,;:!?]|n't\b)")
"""Where a space is left out, as the authors write their sentences: "the cook 's", but "did not", "didn't"."""
_LINE = re.compile(r"\s*(\d+)\s+(.*\S)\s*")
_SPAN = re.compile(r"\[([^\]]*)\]")
GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "male"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
}


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """Both types and both splits; or those in a folder of the user's; or any file of pairs."""
    chosen = choose(source, NAME, (NAME,))
    if isinstance(chosen, Path) and not chosen.is_dir():
        if has_columns(chosen, TOKENS, reading.get("encoding", "")):
            reason = "it has one of the two sides of a pair"
            way_out = "name the folder with type1_pro, type1_anti, type2_pro and type2_anti"
            raise BadInput(reason, way_out, file=chosen.name)
        return read_pairs(chosen, **reading)
    if isinstance(chosen, Path):
        files = {path.name: path for path in sorted(chosen.iterdir())} | hub_files(chosen)
        about = given(chosen, [files[name] for name in _names() if name in files])
    else:
        located = locate(chosen)
        files = {Path(key).name: path for key, path in located.files.items()}
        about = registered(located)
    return _assembled(files, about, **reading)


def reads(path: Path, encoding: str) -> bool:
    """Whether it is a file of pairs, or a folder with files that have the authors' or the hub's names."""
    return (
        has_pairs(path, encoding)
        or any(has_files(path, names=[name]) for name in _names())
        or (path.is_dir() and bool(hub_files(path)))
    )


def hub_files(folder: Path) -> dict[str, Path]:
    """The files of a folder laid out as on the Hugging Face hub, by the names of the authors' files."""
    files: dict[str, Path] = {}
    for path in sorted(folder.glob("**/*.parquet")):
        if match := _HUB_FILE.search(path.relative_to(folder).as_posix()):
            kind, side, split = match.groups()
            name = f"{side}_stereotyped_type{kind}.txt.{HUB_SPLITS[split]}"
            if name in files:
                both = " and ".join(str(p.relative_to(folder)) for p in (files[name], path))
                reason = f"{both} both have {split} sentences of type{kind}_{side}"
                raise BadInput(reason, "leave one version in the folder", file=folder.name)
            files[name] = path
    return files


def _names() -> list[str]:
    sides = ("pro", "anti")
    return [f"{a}_stereotyped_type{k}.txt.{b}" for k in TYPES for b in SPLITS for a in sides]


def _assembled(
    files: Mapping[str, Path],
    about: Dataset[Pair],
    *,
    skip_invalid: bool = False,
    encoding: str = "",
) -> Dataset[Pair]:
    items: list[Pair] = []
    problems: list[Problem] = []
    notes: list[str] = []
    names = _names()
    for pro, anti in zip(names[::2], names[1::2], strict=True):
        lacking = [name for name in (pro, anti) if name not in files]
        if len(lacking) == 1:
            reason = f"{lacking[0]} is missing, but its counterpart is present"
            raise BadInput(reason, "put both into the folder", file=about.name)
        if not lacking:
            kind, split = pro[len("pro_stereotyped_type")], pro.rpartition(".")[2]
            pairs, bad = _aligned(kind, split, (files[pro], files[anti]), encoding)
            items += pairs
            problems += bad
            notes += _uneven(kind, split, pairs)
    if not items and not problems:
        raise BadInput("contains no WinoBias files", f"expected {names[0]}, …", file=about.name)
    stop_at(problems, skip_invalid=skip_invalid)
    all_notes = notes_of("data", notes)
    return finished(
        replace(about, items=items, clusters=CLUSTERS, invalid=problems, notes=all_notes)
    )


def _numbered(path: Path, encoding: str) -> Iterator[tuple[int, int, str]]:
    """(physical line, the number written on it, the sentence with its brackets)."""
    if path.suffix == ".parquet":
        yield from _bracketed(path)
        return
    for at, line in enumerate(lines(path, encoding), start=1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            reason = "is not a number and a sentence"
            way_out = 'write "7 [The cook] left because [he] …"'
            raise BadInput(reason, way_out, file=path.name, line=at)
        yield at, int(match[1]), match[2]


def _bracketed(path: Path) -> Iterator[tuple[int, int, str]]:
    """The same as `_numbered` for a file of the hub, in which the row is the sentence's number."""
    for row in read_table(path, required=TOKENS, texts=None).rows:
        tokens, spans = row.cells["tokens"], row.cells["coreference_clusters"]
        try:
            words, places = [*map(str, tokens)], [int(place) for place in spans]
            for begin, end in zip(places[::2], places[1::2], strict=True):
                words[begin] = f"[{words[begin]}"
                words[end] = f"{words[end]}]"
        except (TypeError, ValueError, IndexError):
            reason = f"{TOKENS[1]} are not the first and the last places of words"
            raise BadInput(reason, "get the file again", file=path.name, line=row.line) from None
        yield row.line, row.line, _BEFORE_SIGN.sub("", " ".join(words))


def _aligned(
    kind: str, split: str, paths: tuple[Path, Path], encoding: str
) -> tuple[list[Pair], list[Problem]]:
    """The pairs of two files that belong together line by line."""
    pro, anti = (list(_numbered(path, encoding)) for path in paths)
    if [number for _, number, _ in pro] != [number for _, number, _ in anti]:
        reason = f"its sentences are not numbered as those of {paths[0].name}"
        raise BadInput(reason, "take both files from one version", file=paths[1].name)
    pairs, problems, strange = [], [], []
    for (at, number, ours), (_, _, theirs) in zip(pro, anti, strict=True):
        pair = _pair(kind, split, number, (ours, theirs), f"{paths[0].name}:{at}")
        where = Problem("", file=paths[0].name, line=at, item=pair.id, field="the sentence")
        if bad := _unusable(pair, where):
            problems.append(bad)
            continue
        pairs.append(pair)
        if _in_common(pair) < HALF:
            strange.append(at)
    if len(strange) > MISALIGNED * len(pro):
        reason = (
            f"is not the same sentence as in {paths[1].name}, nor are {len(strange) - 1} others"
        )
        way_out = "take both files from one version"
        raise BadInput(reason, way_out, file=paths[0].name, line=strange[0])
    return pairs, problems


def _in_common(pair: Pair) -> float:
    """Share of words that stand in both sentences in the same order."""
    ours, theirs = pair.more.split(), pair.less.split()
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def _unusable(pair: Pair, where: Problem) -> Problem | None:
    for text in (pair.more, pair.less):
        if problem := problem_with(text, where):
            return problem
    if normal(pair.more) == normal(pair.less):
        reason, way_out = "the pro and the anti sentence are identical", "correct one"
        return Problem(reason, way_out, file=where.file, line=where.line, item=pair.id)
    return None


def _pair(kind: str, split: str, number: int, texts: tuple[str, str], where: str) -> Pair:
    spans = [span.strip() for span in _SPAN.findall(texts[0])]
    genders = [GENDERS[span.lower()] for span in spans if span.lower() in GENDERS]
    people = [span for span in spans if span.lower() not in GENDERS]
    groups = {"bias_type": "gender", "type": TYPES[kind], "split": split}
    if people:
        groups["occupation"] = re.sub(r"^(the|an?)\s+", "", people[0], flags=re.IGNORECASE)
    if genders:
        groups["gender"] = genders[0]
    return Pair(
        id=f"type{kind}.{split}.{number}",
        more=_SPAN.sub(r"\1", texts[0]),
        less=_SPAN.sub(r"\1", texts[1]),
        groups=groups,
        cluster=f"type{kind}.{split}.{(number + 1) // 2}",  # 1 and 2, 3 and 4, … are about the same two
        where=where,
    )


def differing(pair: Pair) -> int | None:
    """How many words differ, place by place; None where the sentences have different lengths.

    >>> differing(Pair("1", "The cook ate his lunch.", "The cook ate her lunch."))
    1
    """
    ours, theirs = pair.more.split(), pair.less.split()
    if len(ours) != len(theirs):
        return None
    return sum(a != b for a, b in zip(ours, theirs, strict=True))


def _uneven(kind: str, split: str, pairs: list[Pair]) -> list[str]:
    numbers = [pair.id.rpartition(".")[2] for pair in pairs if differing(pair) != 1]
    if not numbers:
        return []
    listed = ", ".join(numbers)
    some = (
        f"{len(numbers)} of {counted(len(pairs), 'pairs')} {verb_for(len(numbers), 'do')} not "
        "differ in exactly one word"
    )
    return [f"Type {kind} {split}: {some} (numbers {listed}); they are kept."]
