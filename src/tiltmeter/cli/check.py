"""What a data set or a file holds, pairs or triples, and what people said of them."""

import re
from pathlib import Path

from tiltmeter.analysis.quality import pairs as quality
from tiltmeter.analysis.quality.labels import Labels, read_labels
from tiltmeter.cli.console import err
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.items import LAST, Cell, Dataset, Pair, Triple
from tiltmeter.core.study import Study
from tiltmeter.data import pairs, registry, triples
from tiltmeter.data.plain_text import lines
from tiltmeter.data.tables import read_table
from tiltmeter.run.choosing import settings_of


def triples_of(source: str, encoding: str) -> tuple[Dataset[Triple], Labels] | None:
    """The triples of a set or file and what people said of them; None where it holds pairs."""
    study: Study[Triple] = find("studies", "stereoset", "STUDY")
    if source in study.data:
        here = [name for name in study.data if registry.status(name) != "absent"]
        if here and source not in here:  # the same sentences
            err.print(f"{source} is not here; this is {here[0]}, which has the same sentences.")
            source = here[0]
        path, items = registry.locate(source).file, study.load(source, skip_invalid=True)
    elif holds_triples(path := Path(source), encoding):
        items = study.load(path, skip_invalid=True, encoding=encoding)
    else:
        return None
    return items, read_labels(path, encoding=encoding)


def holds_triples(path: Path, encoding: str) -> bool:
    """Whether a file has StereoSet's layout, or a table the columns of triples."""
    if not path.is_file():
        return False
    if path.suffix.lower() == ".json":
        text = "".join(lines(path, encoding))
        if text.lstrip()[:1] == "{" and any(f'"{task}"' in text for task in triples.TASKS):
            return True
    try:
        read_table(path, encoding=encoding, required=triples.COLUMNS)
    except BadInput:
        return False
    return True


def of_lists(source: str, encoding: str) -> str:
    """What a TOML file makes, in words: of identities and adjectives, or of groups and traits."""
    text = "".join(lines(source, encoding))
    offensive = re.search(r"^\s*\[(identities\b|adjectives\])", text, re.MULTILINE)
    return of_identities(source, encoding) if offensive else of_groups(source, encoding)


def of_identities(source: str, encoding: str) -> str:
    """What a file of identities and adjectives makes, in words."""
    study: Study[Pair] = find("studies", "sos", "STUDY")
    made = study.load(source, encoding=encoding)
    counts = ", ".join(
        f"{what}: {made.about[what]}" for what in ("identities", "pairs of adjectives", "templates")
    )
    return f"{len(made.items):,} pairs can be scored ({counts})"


def of_groups(source: str, encoding: str) -> str:
    """What a file of groups, traits and templates makes, in words."""
    study: Study[Cell] = find("studies", "group_traits", "STUDY")
    made = study.load(source, encoding=encoding, settings=settings_of(study, {}))  # type: ignore[call-arg]
    frames = {cell.cluster: cell.task for cell in made.items}
    ends = sum(task == LAST for task in frames.values())
    counts = ", ".join(f"{count} {what}" for what, count in made.about.items())
    return (
        f"{counts}: {len(made.items):,} cells can be scored; {ends} of {len(frames)} templates end with "
        "the trait, as causal models need it"
    )


def items_of(source: str, encoding: str) -> Dataset[Pair]:
    """Through the study that reads this set, else as a file of pairs."""
    for name in known("studies"):
        study: Study[Pair] = find("studies", name, "STUDY")
        if source in study.data:
            return study.load(source, skip_invalid=True, encoding=encoding)
    if not Path(source).exists() and not Path(source).suffix and Path(source).name == source:
        raise UnknownName("data set", source, registry.SETS)
    return pairs.load_pairs(source, "", skip_invalid=True, encoding=encoding)


def annotations_of(source: str) -> list[quality.Annotation] | None:
    """Of the one published set that has them, by name or as a file with that column."""
    path = registry.locate(source).file if source == "crows_pairs" else Path(source)
    if not path.is_file() or not _has_annotations(path):
        return None
    return quality.read_annotations(path, skip_invalid=True)


def _has_annotations(path: Path) -> bool:
    with path.open("rb") as file:
        return b"annotations" in file.readline()
