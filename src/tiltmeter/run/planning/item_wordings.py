"""Items in several wordings (`--wordings`): which wordings, and the data set of items crossed with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EDITED
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted
from tiltmeter.core.wordings import AXIS, WORDING, Wordings
from tiltmeter.data.prompts.wording_files import read_wordings
from tiltmeter.run.run_options import RunOptions

ALL = "all"
FEWEST = 2
"""The minimum number of wordings for a comparison."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording that a run asks in."""

    name: str
    setting: str
    """The value of the setting `wording`: the name again, or the template of a user's wording."""
    standard: bool = False
    """Whether it is the study's standard wording, whose items keep their ids."""


def chosen_wordings(study: Study[Any], options: RunOptions) -> list[Wording]:
    """The wordings that `--wordings` names, in order.

    Raises:
        BadInput: The study has no wordings; there are not so many; a single one is named as well; or a file
            cannot be read or has a template without the places that the study needs.
        BadItems: The file holds keys or values that cannot be used.
    """
    given, known = str(options.wordings).strip(), study.wordings
    if known is None:
        reason = f"--wordings has no effect: {study.name} has no wordings to choose from"
        raise BadInput(reason, "leave it out")
    if options.settings.get(WORDING.name):
        raise BadInput(
            f"--wordings asks in several wordings, and --set {WORDING.name}=… in one",
            "leave one of them out",
        )
    if isinstance(options.data, Dataset):
        raise BadInput(
            "--wordings has no effect: the items are loaded, with their questions, already",
            "give the name of a data set, or a file",
        )
    own = [Wording(name, name, name == known.names[0]) for name in known.names]
    if given == ALL:
        return own
    if given.isdecimal():
        count = int(given)
        if not FEWEST <= count <= len(own):
            reason = (
                f"--wordings is {count:,}, and {study.name} has {counted(len(own), 'wordings')}"
            )
            raise BadInput(reason, f"write a number from {FEWEST} to {len(own)}, all, or a file")
        return own[:count]
    return _of_file(Path(given), known, options.encoding)


def _of_file(path: Path, known: Wordings, encoding: str) -> list[Wording]:
    if not path.is_file():
        raise BadInput(f"--wordings is {str(path)!r}", "write all, a number, or a TOML file")
    read = read_wordings(path, known, encoding=encoding)
    if len(read) < FEWEST:
        reason, way_out = "it has one wording", f"write several, or use --set {WORDING.name}=…"
        raise BadInput(reason, way_out, file=path.name)
    return [Wording(name, template) for name, template in read.items()]


def worded(options: RunOptions, wording: Wording) -> RunOptions:
    """The options for the items in one wording."""
    return replace(
        options, wordings=None, settings={**options.settings, WORDING.name: wording.setting}
    )


def crossed(by_wording: Mapping[Wording, Dataset[Any]]) -> Dataset[Any]:
    """One data set of the same items in several wordings, the wordings of an item one after the other.

    Items have the axis `wording`. Those of the standard wording keep their id, the others have @ and the name
    behind it; all wordings of an item are in its cluster.
    """
    first = next(iter(by_wording.values()))
    items = [
        _in_wording(item, wording)
        for versions in zip(*(data.items for data in by_wording.values()), strict=True)
        for item, wording in zip(versions, by_wording, strict=True)
    ]
    about = {**first.about, "wordings": ", ".join(wording.name for wording in by_wording)}
    if marks := [f"{w.name} {_mark(w)}" for w in by_wording if w.setting != w.name]:
        about["wording_templates"] = ", ".join(marks)
    return replace(first, items=items, about=about)


def _mark(wording: Wording) -> str:
    """What tells a user's template from another of the same name."""
    return sha256(wording.setting.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _in_wording(item: Any, wording: Wording) -> Any:
    groups = {**item.groups, AXIS: wording.name}
    if EDITED in groups:  # an edit is compared with the text in the same wording
        groups[EDITED] = f"{groups[EDITED]}@{wording.name}"
    return replace(
        item,
        id=item.id if wording.standard else f"{item.id}@{wording.name}",
        groups=groups,
        cluster=item.cluster or item.id,
    )
