"""Audit profiles: the studies that an audit runs, their options, the time budget and the thresholds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import known
from tiltmeter.core.reading.typed_values import OTHERS
from tiltmeter.core.reading.value_types import Line, via
from tiltmeter.data.files.document_paths import confined
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.run.run_options import AuditOptions, ReplyOptions
from tiltmeter.run.sweeps.sweep import (
    EVERYWHERE,
    OF_MODELS,
    OF_REPLIES,
    OF_STUDIES,
    Entry,
    ModelEntry,
    StudyTable,
    confined_options,
    distinct,
    of_document,
    shared_replies,
)

_TIME = re.compile(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?")


MIN_ANSWERED = 0.8
"""The default minimum share of replies that must be answers."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile: which studies an audit runs and how, its time budget and its thresholds."""

    name: str
    title: str
    listed: tuple[Entry, ...]
    """The listed studies with their options."""
    others: Mapping[str, Any] | None
    """The options of all studies that are not listed; None if only listed ones are run."""
    opening: Mapping[str, Any] = field(default_factory=dict)
    """The options with which the model is opened: values by the field of `Options`."""
    replies: ReplyOptions = field(default_factory=ReplyOptions)
    """How the model replies in all studies with replies; a study's own options go before."""
    max_time: float | None = None
    """The time budget in seconds; None for no limit."""
    thresholds: tuple[Mapping[str, Any], ...] = ()
    """The tables of thresholds, as written in the file."""
    margins: tuple[str, ...] = ()
    """Differences from a reference that count as none, as of `--margin`."""
    require_complete: bool = False
    """Whether every study that applies to the model needs a result with enough answers."""
    min_answered: float = MIN_ANSWERED
    """The minimum share of replies, from 0 to 1, that must be answers; below it a study counts as
    unanswered."""
    models: tuple[ModelEntry, ...] = ()
    """The models that a file lists, with their options; none in a profile of studies alone."""
    called: str = ""
    """What results call the model; "" for its usual name."""
    file: str = ""
    """The path of the profile's file, for messages."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every study to run: the listed ones, then all other installed ones if `others` is given."""
        if self.others is None:
            return self.listed
        names = {entry.name for entry in self.listed}
        rest = [Entry(name, self.others) for name in known("studies") if name not in names]
        return (*self.listed, *rest)


def profiles() -> dict[str, Path]:
    """The built-in profiles by name.

    >>> sorted(profiles())
    ['chat', 'full', 'quick', 'release']
    """
    folder = Path(str(resources.files("tiltmeter.data") / "profiles"))
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def read_profile(name: str) -> Profile:
    """Read a built-in profile or a TOML file; the names of studies are looked up later.

    Raises:
        UnknownName: The name is neither a built-in profile nor a file.
        BadInput: The file is not TOML.
        BadItems: The file holds keys or values that are not allowed.
    """
    built_in = profiles()
    if name in built_in:
        return _profile(built_in[name], name)
    path = Path(name)
    if path.suffix != ".toml" and not path.is_file():
        raise UnknownName("profile or TOML file", name, built_in, or_file=True)
    return _profile(path, path.stem)


def profile_of(options: AuditOptions) -> Profile:
    """The profile that the options name, with the changes that they make to it.

    Raises:
        UnknownName, BadInput, BadItems: See `read_profile`.
    """
    profile = read_profile(str(options.profile))
    complete = profile.require_complete or options.require_complete
    given = {
        key: getattr(options, option.name)
        for key, option in OF_REPLIES.items()
        if getattr(options, option.name) != option.default
    }
    named = {OF_REPLIES[key].name: value for key, value in given.items()}
    return replace(
        profile,
        require_complete=complete,
        replies=replace(profile.replies, **named),
        listed=tuple(entry.without(given) for entry in profile.listed),
        others=None if profile.others is None else Entry("", profile.others).without(given).options,
    )


def seconds_of(text: str) -> float:
    """Parse a duration such as "1h 30min" into seconds.

    >>> seconds_of("30m"), seconds_of("1h 30min"), seconds_of("90s")
    (1800.0, 5400.0, 90.0)

    Raises:
        BadInput: The text is not a duration.
    """
    match = _TIME.fullmatch(text.strip())
    numbers: Sequence[str | None] = match.groups() if match else ()
    if not any(numbers):
        raise BadInput(f"{text!r} is not a time", "write 30m, 2h, 1h30m or 90s")
    hours, minutes, seconds = (int(part or 0) for part in numbers)
    return float(hours * 3600 + minutes * 60 + seconds)


@dataclass(frozen=True, slots=True)
class _ProfileFile:
    shared: Annotated[Mapping[str, Any], OTHERS, EVERYWHERE]
    title: Line = ""
    called: Line = ""
    max_time: Annotated[float | None, via(Line, seconds_of)] = None
    study: tuple[Entry, ...] = ()
    model: tuple[ModelEntry, ...] = ()
    others: StudyTable | None = None
    require_complete: bool = False
    min_answered: float = MIN_ANSWERED
    margins: tuple[Line, ...] = ()
    threshold: tuple[Mapping[str, Any], ...] = ()


def _profile(path: Path, name: str) -> Profile:
    read = read_toml(_ProfileFile, path, "docs/how-to/audit.md")
    replies, shared = shared_replies(read.shared, path)
    if read.others is None and not read.study:
        raise BadInput("lists no study", 'write [[study]] and name = "…" below', file=path.name)
    if not 0 <= read.min_answered <= 1:
        reason = f"min_answered is {read.min_answered:g}, and a share lies between 0 and 1"
        raise BadInput(reason, "write min_answered = 0.8", file=path.name)
    of_studies = {key: value for key, value in shared.items() if key in OF_STUDIES}
    with of_document("", path):
        opening = confined({k: v for k, v in shared.items() if k in OF_MODELS}, path, model=True)
    with of_document("others", path):
        others = (
            None if read.others is None else confined_options(of_studies | dict(read.others), path)
        )
    return Profile(
        name=name,
        title=read.title or name,
        listed=distinct("study", read.study, shared, OF_STUDIES, path),
        others=others,
        opening={OF_MODELS[key].name: value for key, value in opening.items()},
        replies=replies,
        max_time=read.max_time,
        thresholds=read.threshold,
        margins=read.margins,
        require_complete=read.require_complete,
        min_answered=read.min_answered,
        models=distinct("model", read.model, shared, OF_MODELS, path),
        called=read.called,
        file=str(path),
    )


def time_text(seconds: float) -> str:
    """A duration as text, rounded to whole seconds, or to whole minutes from ten minutes on.

    >>> time_text(45.2), time_text(90), time_text(1800), time_text(5400)
    ('45 s', '1 min 30 s', '30 min', '1 h 30 min')
    """
    whole = round(seconds) if seconds < 600 else 60 * round(seconds / 60)  # noqa: PLR2004
    units = {"h": whole // 3600, "min": whole // 60 % 60, "s": whole % 60}
    return " ".join(f"{number} {unit}" for unit, number in units.items() if number) or "0 s"
