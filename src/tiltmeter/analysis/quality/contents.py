"""What a data set or a file holds: found through the study that reads it, described by its kind of items."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.analysis.quality.composition import ITEMS, DataDescription, counted_items, texts_of
from tiltmeter.analysis.quality.labels import read_labels
from tiltmeter.analysis.quality.pairs import Annotation, read_annotations
from tiltmeter.analysis.quality.pairs import describe as describe_pairs
from tiltmeter.analysis.quality.triples import describe as describe_triples
from tiltmeter.core.analysis import RESERVED
from tiltmeter.core.control_tokens import spelling_items, spelling_sentence
from tiltmeter.core.errors import BadInput, UnknownName, known_names
from tiltmeter.core.finder import find
from tiltmeter.core.items import LAST, Cell, Dataset, Pair, Triple
from tiltmeter.core.judges import SentimentJudge
from tiltmeter.core.labelled_items import LabelledText
from tiltmeter.core.results import Estimate, Note, Record, notes_of
from tiltmeter.core.study import Study
from tiltmeter.data.downloads import registry
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.files.renamed_columns import renamed_file
from tiltmeter.data.files.toml_file import has_tables, toml_table
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.premises import PremiseFile, PremiseGroup
from tiltmeter.data.hub import hub_files
from tiltmeter.data.pairs import pairs
from tiltmeter.data.texts.frequencies import Reference
from tiltmeter.run import item_loading
from tiltmeter.run.choosing import settings_of

NOUNS: Mapping[type, str] = {Pair: "pairs", Triple: "triples"}
"""What items are called, in the plural; others are items."""
SAMPLE = "sample:"
"""Before the name of a study: its made-up items."""
MOST = 100
"""Values of an axis by which items are counted; an axis with more names single items."""


def load(
    source: str,
    *,
    study: Study[Any] | None = None,
    columns: Mapping[str, str] | None = None,
    skip_invalid: bool,
    encoding: str = "",
    missing: str | None = None,
) -> Dataset[Any]:
    """The items of a registered data set or a file, through the study that reads it, else as pairs.

    A file may lie on the hub; `sample:STUDY` are a study's made-up items. Where the default data of a study
    are not here, but data that it takes in their place are, these.

    Args:
        source: The name of the data set, or the file.
        study: Which one reads it; by default one that knows its layout.
        columns: Of a table: its column for each field that has another name there.
        skip_invalid: Whether items that cannot be used are left out.
        encoding: Of the file.
        missing: Words for missing values, as `missing_words` reads them.

    Raises:
        UnknownName: It is neither a file nor a data set.
        BadInput: The file cannot be read, or is of no known layout.
        BadItems: Some items cannot be used, and `skip_invalid` is not set.
        Unavailable: The data set is not here and cannot be fetched.
    """
    if source.startswith(SAMPLE):
        made_up: Study[Any] = find("studies", source.removeprefix(SAMPLE), "STUDY")
        return made_up.sample()
    file = hub_files.local(source)

    def read(reader: Study[Any], path: str | Path | None) -> Dataset[Any]:
        given = {"settings": settings_of(reader, {})} if reader.settings else {}
        return reader.load(path, skip_invalid=skip_invalid, encoding=encoding, **given)

    with renamed_file(file, columns or {}, "FILE"), missing_words(missing):
        if study is not None:
            return read(study, file)
        path = Path(file)
        registering = [study for study in item_loading.all_studies() if source in study.data]
        if registering:
            return _registered(registering, source, read)
        if not path.exists() and not path.suffix and path.name == source:
            packaged = {name for study in item_loading.all_studies() for name in study.data}
            raise UnknownName("data set", source, sorted(packaged | set(registry.known_sets())))
        if studies := item_loading.readers_of(path, encoding, item_loading.all_studies()):
            for reader in studies[:-1]:  # the first that needs nothing besides, such as a corpus
                with suppress(BadInput):
                    return read(reader, path)
            return read(studies[-1], path)
        if path.suffix.lower() == ".toml":
            toml_table(path, "see docs/data.md for the files that are read", encoding=encoding)
            raise BadInput(
                "no study reads a TOML file of this layout",
                "see docs/studies for the files of each study",
                file=path.name,
            )
        return pairs.load_pairs(file, "", skip_invalid=skip_invalid, encoding=encoding)


def _registered(
    studies: Sequence[Study[Any]],
    source: str,
    read: Callable[[Study[Any], str | None], Dataset[Any]],
) -> Dataset[Any]:
    """The items of a registered set by the study it matters most to, of those that need nothing besides.

    Studies that make items of the data come last: a check is to count texts, not the swaps made of them.
    """
    refused: list[BadInput] = []
    absent = source in registry.known_sets() and registry.status(source) == "absent"
    for study in sorted(studies, key=lambda study: (study.makes_items, study.data.index(source))):
        try:
            return read(study, None if absent and source == study.data[0] else source)
        except BadInput as error:
            refused.append(error)
    raise refused[0]


def describe(
    data: Dataset[Any],
    source: str,
    *,
    encoding: str = "",
    reference: Reference | None = None,
    sentiment: SentimentJudge | None = None,
    items: Sequence[str] = (),
    show_text: bool = False,
) -> DataDescription:
    """Describe the items that `load` read of a source, with people's labels or annotations where it has some.

    Args:
        data: The items.
        source: What they were read from.
        encoding: Of the file.
        reference: Word frequencies to compare keywords with.
        sentiment: What judges the sentiment of triples.
        items: Ids of items to list.
        show_text: Whether records have the texts of their items.

    Raises:
        BadInput: The file cannot be read; or `reference` or `sentiment` is given for other items than
            triples.
        UnknownName: An item that is to be listed is not there.
    """
    path = _file(str(hub_files.local(source)), data)
    first = next(iter(data.items), None)
    if isinstance(first, Triple):
        labels = read_labels(path, encoding=encoding) if path.is_file() else None
        found = describe_triples(
            data, labels, reference=reference, by=sentiment, show_text=show_text
        )
    else:
        for given, option, what in (
            (reference, "--reference", "keywords"), (sentiment, "--sentiment", "rated sentiment"),
        ):  # fmt: skip
            if given is not None:
                raise BadInput(
                    f"{source} holds {noun(data)}, which have no {what}",
                    f"leave {option} out, or give a set of triples",
                )
        if isinstance(first, Pair):
            found = describe_pairs(data, _annotations(path), show_text=show_text)
        else:
            notes = [*(f"left out: {p}" for p in data.invalid), *map(str, data.notes)]
            lists = _group_lists(path, encoding)
            found = DataDescription(
                [*_counts(data.items)], [*_lists(lists)] if lists else [], notes, dict(data.about)
            )
    return replace(found, records=[*_listed(data, items, show_text=show_text), *found.records])


def _listed(data: Dataset[Any], items: Sequence[str], *, show_text: bool) -> Iterator[Record]:
    by_id = {item.id: item for item in data.items} if items else {}
    known_names("item", items, by_id)
    for name in items:
        item = by_id[name]
        groups = {**getattr(item, "groups", {}), "item": name}
        yield Record(name, {}, groups, texts=texts_of(item) if show_text else {}, kind="item")


def _group_lists(path: Path, encoding: str) -> GroupFile | PremiseFile | None:
    """Those of a packaged file or of one of the user's; None of other data."""
    kinds: dict[str, type[GroupFile | PremiseFile]] = {
        "pairs": GroupFile,
        "situations": PremiseFile,
    }
    for table, kind in kinds.items():
        if str(path) in kind.packaged:
            return kind.named(str(path))
        if path.is_file() and has_tables(path, encoding, names=(table,)):
            return kind.named(path, encoding=encoding)
    return None


def _lists(lists: GroupFile | PremiseFile) -> Iterator[Record]:
    """Groups by domain, and what is said of them.

    That is pairs of traits by dimension with further words for each, and templates by family; or situations
    by kind, and the labels of groups that have several.
    """
    domains: dict[str, list[str]] = {}
    for group in lists.groups:
        labels = group.labels if isinstance(group, PremiseGroup) else (group.name,)
        domains.setdefault(group.domain, []).extend(labels)
    for domain, names in domains.items():
        scores, texts = {"groups": float(len(names))}, {"names": ", ".join(names)}
        yield Record(domain, scores, {"domain": domain}, texts=texts, kind="groups")
    if isinstance(lists, PremiseFile):
        for named in lists.groups:
            if len(named.labels) > 1:
                texts = {"labels": ", ".join(named.labels)}
                places = {"domain": named.domain, "group": named.name}
                yield Record(named.name, {}, places, texts=texts, kind="labels")
        for situation in lists.situations:
            places = {"kind": situation.kind, "situation": situation.text}
            yield Record(situation.text, {}, places, kind="situations")
        return
    for pair in lists.pairs:
        left, right = _words(pair.left), _words(pair.right)
        traits = {"dimension": pair.dimension, "left trait": left, "right trait": right}
        others = {
            "other left words": _words(pair.more_left),
            "other right words": _words(pair.more_right),
        }
        yield Record(f"{left} - {right}", {}, traits, texts=others, kind="traits")
    for template in lists.templates:
        names_of = {"family": template.family, "template": template.name}
        yield Record(template.name, {}, names_of, kind="templates")


def _words(said: Mapping[str, Sequence[str]]) -> str:
    """The words in the first form in which they are given."""
    return ", ".join(next(iter(said.values()), ()))


def _counts(items: Sequence[Any]) -> Iterator[Estimate]:
    """All items, then by the values of each of their axes, and labelled texts by their label."""
    counts: dict[str, Counter[str]] = {}
    for item in items:
        label = {"label": item.truth} if isinstance(item, LabelledText) else {}
        for axis, value in {**label, **getattr(item, "groups", {})}.items():
            counts.setdefault(axis, Counter())[value] += 1
    yield from counted_items(ITEMS, len(items), len(items), {})
    for axis, values in counts.items():
        if len(values) <= MOST and axis not in RESERVED:
            for value, n in values.most_common():
                yield from counted_items(ITEMS, n, len(items), {axis: value})


def _file(source: str, data: Dataset[Any]) -> Path:
    """Where the items were read from; of a set of several files, its name."""
    name = data.name if data.name in registry.known_sets() else source
    if name not in registry.known_sets() or len(registry.find(name).files) != 1:
        return Path(source)
    return registry.locate(name).file


def _annotations(path: Path) -> list[Annotation] | None:
    """What annotators said, where the file has a column of it."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if b"annotations" not in file.readline():
            return None
    return read_annotations(path, skip_invalid=True)


def control_token_notes(data: Dataset[Any]) -> tuple[Note, ...]:
    """A note with the ids of the items whose texts spell a control token of the usual tokenizers."""
    spelled, ids = spelling_items(data.items)
    whose = "of many models, read as plain text in a run"
    return notes_of("caution", [spelling_sentence(spelled, ids, whose)] if ids else [])


def noun(data: Dataset[Any]) -> str:
    """What the items are called, in the plural."""
    return NOUNS.get(type(next(iter(data.items), None)), "items")


def trait_last(data: Dataset[Any]) -> tuple[int, int] | None:
    """Of cells, how many templates end with the trait, of how many; None of other items."""
    frames = {item.cluster: item.task for item in data.items if isinstance(item, Cell)}
    return (sum(task == LAST for task in frames.values()), len(frames)) if frames else None
