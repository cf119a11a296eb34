"""Profiles: which studies an audit runs, in which way, for how long at most, and what must hold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import known
from tiltmeter.core.options import Option, options_of
from tiltmeter.run.sweep import (
    OF_MODELS,
    OF_STUDIES,
    Entry,
    checked_options,
    entries_of,
    read_table,
)

_TIME = re.compile(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?")


@dataclass(frozen=True, slots=True)
class ProfileOptions:
    """What the top of a profile may say besides the options of studies and models."""

    title: Annotated[str, Option("What the audit is about.")] = ""
    budget: Annotated[str, Option("Begin no further study after this time: 30m, 2h, 90s.")] = ""


OWN = options_of(ProfileOptions)


@dataclass(frozen=True, slots=True)
class Profile:
    """What a profile says."""

    name: str
    title: str
    listed: tuple[Entry, ...]
    """Studies with their options."""
    others: Mapping[str, Any] | None
    """Options of all studies that are not listed; None where only the listed ones are run."""
    opening: Mapping[str, Any] = field(default_factory=dict)
    """How the model is opened: values of `Options`, by field."""
    budget: float | None = None
    """In seconds."""
    thresholds: tuple[Mapping[str, Any], ...] = ()
    """Tables of thresholds, as they are written."""
    file: str = ""
    """For messages."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every study to run: those listed, then all others that are installed."""
        if self.others is None:
            return self.listed
        names = {entry.name for entry in self.listed}
        rest = [Entry(name, self.others) for name in known("studies") if name not in names]
        return (*self.listed, *rest)


def profiles() -> dict[str, Path]:
    """The built-in profiles by name.

    >>> sorted(profiles())
    ['full', 'quick']
    """
    folder = Path(str(resources.files("tiltmeter.data") / "profiles"))
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def read_profile(name: str) -> Profile:
    """A built-in profile, or a TOML file; names of studies are looked up later.

    Raises:
        UnknownName: It is neither.
        BadInput: The file cannot be used.
    """
    built_in = profiles()
    if name in built_in:
        return _profile(built_in[name], name)
    path = Path(name)
    if path.suffix != ".toml" and not path.is_file():
        raise UnknownName("profile or TOML file", name, built_in)
    return _profile(path, path.stem)


def _profile(path: Path, name: str) -> Profile:
    table = read_table(path)
    listed, others = table.pop("study", []), table.pop("others", None)
    thresholds = table.pop("threshold", [])
    top = "the top of the file"
    own = {key: table.pop(key) for key in OWN if key in table}
    own = checked_options(own, OWN, top, path)
    shared = checked_options(table, {**OF_STUDIES, **OF_MODELS}, top, path)
    if others is not None:
        if not isinstance(others, dict):
            raise BadInput("others is not a table", "write [others]", file=str(path))
        studies = {key: value for key, value in shared.items() if key in OF_STUDIES}
        others = studies | checked_options(others, OF_STUDIES, "[others]", path)
    if not isinstance(thresholds, list) or not all(isinstance(one, dict) for one in thresholds):
        raise BadInput("threshold is not a list of tables", "write [[threshold]]", file=str(path))
    nothing = others is not None and not listed
    return Profile(
        name,
        own.get("title", name),
        () if nothing else entries_of("study", listed, OF_STUDIES, OF_MODELS, shared, path),
        others,
        {OF_MODELS[key].name: value for key, value in shared.items() if key in OF_MODELS},
        seconds_of(own["budget"]) if "budget" in own else None,
        tuple(thresholds),
        str(path),
    )


def seconds_of(text: str) -> float:
    """A time that a person wrote, in seconds.

    >>> seconds_of("30m"), seconds_of("1h 30min"), seconds_of("90s")
    (1800.0, 5400.0, 90.0)

    Raises:
        BadInput: It is no time.
    """
    match = _TIME.fullmatch(text.strip())
    parts: Sequence[str | None] = match.groups() if match else ()
    if not any(parts):
        raise BadInput(f"{text!r} is not a time", "write 30m, 2h, 1h30m or 90s")
    hours, minutes, seconds = (int(part or 0) for part in parts)
    return float(hours * 3600 + minutes * 60 + seconds)


def time_text(seconds: float) -> str:
    """A time as a person reads it.

    >>> time_text(45.2), time_text(1800), time_text(5400)
    ('45 s', '30 min', '1 h 30 min')
    """
    if seconds < 60:  # noqa: PLR2004
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join(part for part in (f"{hours} h" if hours else "",
                                      f"{minutes} min" if minutes else "") if part)  # fmt: skip
