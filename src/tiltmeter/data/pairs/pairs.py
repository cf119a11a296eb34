"""Sentence pairs from any table with `sent_more, sent_less`, and from the published files."""

import difflib
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.results import notes_of
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.downloads.registry import Located, known_sets, locate
from tiltmeter.data.pairs.duplicates import repeated
from tiltmeter.data.pairs.layouts import PUBLISHED, Layout
from tiltmeter.data.pairs.row_reading import read_pair_rows
from tiltmeter.data.pairs.suspect_pairs import checked_pairs

MEND = "Correct these rows, or leave them out with --skip-invalid."
_SHOWN = 5


def read_pairs(
    path: str | Path,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    name: str = "",
    version: str = "",
    layout: Layout = Layout(),  # noqa: B008  (frozen)
    keeps_spaces: bool = False,
) -> Dataset[Pair]:
    """Read pairs from CSV, TSV, JSONL, JSON or Parquet.

    Needed are the columns `sent_more` and `sent_less`. `stereo_antistereo` (or `direction`), `id`,
    the columns in `GROUP_COLUMNS` and all that begin with `group_` are read where they are there.
    Texts stay as they are but for spaces at their ends.

    Args:
        path: The file.
        skip_invalid: Leave rows out that have no defined score, and list them in `invalid`.
        encoding: Of a text file; by default its byte order mark's, else UTF-8.
        name: Of the data set; by default the file's.
        version: Of the data set.
        layout: Which column holds what.
        keeps_spaces: Keep the spaces at the ends of texts.

    Raises:
        BadInput: The file as a whole cannot be read, or no pair is left.
        BadItems: Rows that cannot be used, all of them, each with its line, field and way out.
    """
    path = Path(path)
    reading = read_pair_rows(path, encoding, layout, keeps_spaces=keeps_spaces)
    if reading.problems and not skip_invalid:
        raise BadItems(reading.problems, way_out=MEND)
    own = given(path, [path])
    about = replace(own, name=name or own.name, version=version, clusters=reading.clusters)
    return finished(reading.dataset(about))


def load_pairs(
    source: str | Path | None,
    default: str,
    *,
    sets: Sequence[str] = (),
    skip_invalid: bool = False,
    encoding: str = "",
    keeps_spaces: bool = False,
) -> Dataset[Pair]:
    """Pairs from `source`: a published set's name, a file, or None for the set `default`.

    Rows of a published set that are known to have no defined score are left out, and listed in
    `invalid`, whether or not `skip_invalid` says so: the files are what their authors made them.

    Raises:
        BadInput: `source` is neither, or as `read_pairs`.
        BadItems: As `read_pairs`.
    """
    chosen = choose(source, default, sets or tuple(PUBLISHED))
    if isinstance(chosen, Path):
        return read_pairs(
            chosen, skip_invalid=skip_invalid, encoding=encoding, keeps_spaces=keeps_spaces
        )
    published = PUBLISHED[chosen]
    located = locate(chosen)
    path = next(p for key, p in located.files.items() if key.endswith(published.file))
    encoding = encoding or published.encoding
    reading = read_pair_rows(path, encoding, published.layout, keeps_spaces=keeps_spaces)
    unknown = [p for p in reading.problems if p.item not in published.known_bad]
    if unknown and not skip_invalid:
        raise BadItems(unknown, way_out=MEND)
    reading.notes = [*published.notes, *reading.notes]
    return finished(reading.dataset(replace(registered(located), clusters=published.clusters)))


def choose(source: str | Path | None, default: str, sets: Sequence[str]) -> str | Path:
    """Which of the registered `sets`, or which file, `source` means; None means `default`.

    Raises:
        BadInput: It is neither; or nothing was named and there is no default.
    """
    if source is None:
        if not default:
            raise BadInput("this study has no data of its own", "name your file with --data PATH")
        return default
    if isinstance(source, Path):
        return source
    if source in sets:
        return source
    path = Path(source)
    if os.path.lexists(path):
        return path
    if source in known_sets():
        readable = ", ".join(sets) or "files only"
        reason = f"this study does not read the data set {source!r}"
        raise BadInput(reason, f"it reads {readable}; `tiltmeter ls` shows which study does")
    if path.suffix or path.name != source:
        return path
    near = difflib.get_close_matches(source, [*sets, *(p.name for p in Path().iterdir())], n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "give the path of a file"
    known = f" Data sets: {', '.join(sets)}." if sets else ""
    raise BadInput(f"no data set and no file named {source!r}", hint + known)


def finished(data: Dataset[Pair]) -> Dataset[Pair]:
    """What every loader ends with: the checks, a count by category, and what there is to note.

    Raises:
        BadInput: No pair is left.
    """
    if not data.items:
        reason = "no pair is left to score"
        why = str(data.invalid[0]) if data.invalid else "the file holds none"
        raise BadInput(reason, f"the first one left out: {why}", file=data.source)
    counts = _counts(data.items)
    about = {
        axis: ", ".join(f"{label} {n:,}" for label, n in labels.most_common())
        for axis, labels in counts.items()
        if axis in {"direction", "bias_type"}
    }
    noticed = [*_repeated(data.items), *_spelt_twice(counts, len(data.items))]
    if data.invalid:
        rows = len({(problem.file, problem.line, problem.item) for problem in data.invalid})
        some = f"{rows:,} row{'s' if rows > 1 else ''}"
        noticed.append(f"{some} left out because they have no defined score; they are listed.")
    items = checked_pairs(data.items)
    notes = tuple(
        dict.fromkeys([*data.notes, *notes_of("data", noticed)])
    )  # read before, said once
    return replace(data, items=items, notes=notes, about={**about, **data.about})


def registered(located: Located) -> Dataset[Any]:
    """What the registry knows of a set, with no items yet."""
    known = located.set
    doi = re.search(r"doi = \{([^}]*)\}", known.citation)
    source = (known.title, known.homepage, f"doi:{doi[1]}" if doi else "")
    return Dataset(
        name=known.name,
        version=known.version,
        items=(),
        source="; ".join(part for part in source if part),
        licence=known.licence,
        sha256=located.sha256,
        warning=known.warning,
    )


def given(path: Path, files: Sequence[Path]) -> Dataset[Any]:
    """What is known of a file or folder of the user's, with no items yet."""
    sums = joint_sha256(map(sha256, files))
    return Dataset(path.name, "", (), path.name, "not stated", sha256=sums)


def _counts(pairs: Sequence[Pair]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        for axis, label in pair.groups.items():
            counts.setdefault(axis, Counter())[label] += 1
    return counts


def _repeated(pairs: Sequence[Pair]) -> list[str]:
    again = repeated((pair.more, pair.less) for pair in pairs)
    if not again:
        return []
    shown = "; ".join(", ".join(pairs[i].id for i in same) for same in again[:_SHOWN])
    more = "; …" if len(again) > _SHOWN else ""
    count = f"{len(again)} pair{'s are' if len(again) > 1 else ' is'}"
    return [f"{count} listed more than once, and each copy counts (ids {shown}{more})."]


def _spelt_twice(counts: Mapping[str, Counter[str]], pairs: int) -> list[str]:
    notes = []
    for axis, labels_of_axis in counts.items():
        spellings: dict[str, list[str]] = {}
        for label in labels_of_axis:
            spellings.setdefault(label.casefold(), []).append(label)
        for labels in spellings.values():
            if len(labels) > 1:
                listed = " and ".join(map(repr, sorted(labels)))
                notes.append(f"{axis} has {listed}: they are reported separately.")
        if axis in {"bias_type", "direction"} and labels_of_axis.total() < pairs:
            notes.append(f"{pairs - labels_of_axis.total():,} pairs have no {axis}.")
    return notes
