"""Reads the items of a data set or file that the user names, through the study that knows its layout."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.study import Study
from tiltmeter.data.downloads import registry
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.files.renamed_columns import renamed_file
from tiltmeter.data.files.toml_file import toml_table
from tiltmeter.data.hub import hub_files
from tiltmeter.data.pairs import pairs
from tiltmeter.run.planning import item_loading
from tiltmeter.run.planning.choosing import settings_of

SAMPLE = "sample:"
"""The prefix that, before the name of a study, names the study's made-up sample items."""


def load_source(
    source: str,
    *,
    study: Study[Any] | None = None,
    columns: Mapping[str, str] | None = None,
    skip_invalid: bool,
    encoding: str = "",
    missing: str | None = None,
) -> Dataset[Any]:
    """Read a registered data set or a file through the study that knows its layout, otherwise as pairs.

    A file may be on the hub, and `sample:STUDY` names the study's made-up items. If the default data of a
    study are missing but other data that it takes are present, those are read.

    Args:
        source: The name of the data set, or the file.
        study: The study that reads it; by default one that knows its layout.
        columns: The column of the table for each field that has a different name there.
        skip_invalid: Whether to leave out items that cannot be used.
        encoding: The encoding of the file; "" means UTF-8.
        missing: Words for missing values, as `missing_words` reads them.

    Raises:
        UnknownName: The source is neither a file nor a data set.
        BadInput: The file cannot be read, or is of no known layout.
        BadItems: Some items cannot be used, and `skip_invalid` is not set.
        Unavailable: The data set is not on this machine and cannot be downloaded.
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
            raise UnknownName(
                "data set", source, sorted(packaged | set(registry.known_sets())), or_file=True
            )
        if studies := item_loading.readers_of(path, encoding, item_loading.all_studies()):
            # The first study that needs nothing more, such as a corpus; the last one's error is raised.
            for reader in studies[:-1]:
                with suppress(BadInput):
                    return read(reader, path)
            return read(studies[-1], path)
        if path.suffix.lower() == ".toml":
            toml_table(
                path, "see docs/how-to/data.md for the files that are read", encoding=encoding
            )
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
    """Read a registered set through the study that lists it first, among those that need nothing more.

    Studies that make items from the data come last: a check should count the texts, not the swaps made of
    them.
    """
    refused: list[BadInput] = []
    absent = source in registry.known_sets() and registry.status(source) == "absent"
    for study in sorted(studies, key=lambda study: (study.makes_items, study.data.index(source))):
        try:
            return read(study, None if absent and source == study.data[0] else source)
        except BadInput as error:
            refused.append(error)
    raise refused[0]
