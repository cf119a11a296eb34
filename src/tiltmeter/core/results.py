"""The results of a run: one record for each item, estimates computed from the records, and a card."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from tiltmeter.core import comparison_views, study_views  # noqa: F401 so that cards with these kinds of views can be read
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.notebook import facts_html, line
from tiltmeter.core.reading.typed_values import Raw
from tiltmeter.core.records import Record
from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.core.scope import LeftOut
from tiltmeter.core.text import counted
from tiltmeter.core.validity import Validity
from tiltmeter.core.views import View, read_view

STUDY_FIELD = "tiltmeter"
"""The field by which a sample of another program says that it is an item of a study: which study, by which
rule, on which data, with which settings. Its `id` is then the item's."""
NoteKind: TypeAlias = Literal["coverage", "data", "axes", "oddity", "caution"]
"""coverage: only a part of the data was counted. data: what the reader of the data noticed. axes: an
axis of the data without results. oddity: items of an unusual form, which a check of the data lists.
caution: what limits the numbers."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that belongs beside the numbers."""

    kind: NoteKind
    text: str

    def __str__(self) -> str:
        return self.text


class CoverageText(str):
    """A remark of a reader that says what it did not read; its note is of that kind."""

    __slots__ = ()


def notes_of(kind: NoteKind, texts: Iterable[str]) -> tuple[Note, ...]:
    """A note for each text, all of one kind but for what was not read (`CoverageText`).

    >>> notes_of("data", ["One pair is listed twice."])
    (Note(kind='data', text='One pair is listed twice.'),)
    """
    return tuple(
        Note("coverage" if isinstance(text, CoverageText) else kind, str(text)) for text in texts
    )


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a finding, with its numbers in it."""

    text: str
    kind: Literal["plain", "headline", "note", "warning"] = "plain"


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that is needed to interpret a result and to repeat the run."""

    study: str
    """The study, or the analysis, that made it."""
    study_version: str
    model: Mapping[str, Any]
    """name, kind, fingerprint and further facts from the back-end, the reference where it is not the name;
    {} where no single model is meant."""
    data: Mapping[str, Any]
    """name, version, source, licence, sha256, items, clusters, warning, notes."""
    rule: str = ""
    """How items were scored; "" where nothing was."""
    convention: str = ""
    ties: str = ""
    """What two equal scores count as; "" if no number depends on it."""
    seed: int = 0
    method: str = ""
    """How the numbers were computed and what they mean, with the source; an empty line separates
    paragraphs."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """total, scored, tied, undefined, invalid; `repeats`, the largest number of replies to an item, where it
    is above 1; where a model wrote, what became of its replies: `replies` in all, and how many were answered,
    refused, unread, cut and empty (`core.rules.ReplyScores`)."""
    invalid: Sequence[str] = ()
    """A line for each item that was skipped, with the reason."""
    notes: Sequence[Note] = ()
    measures: Mapping[str, Meaning] = field(default_factory=dict)
    """By measure: how its numbers are to be read."""
    views: Sequence[Annotated[View, Raw(read_view)]] = ()
    """How the study wants its results to be shown, besides the usual tables and pictures."""
    categories: str = ""
    """The axis whose values are kinds of bias; "" where there is none."""
    alike: Sequence[str] = ()
    """Rules whose numbers mean the same as those of this run's rule, itself included."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Plain names of subsets, by axis: {"test": {"weat6": "weat6: Male/Female Names × Career/Family"}}; those
    of the axes themselves are under "axis"."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The study's settings, as used in this run."""
    validity: Validity | None = None
    """What speaks for and against the study as a measure; None if it does not say, and of an analysis."""
    study_file: Mapping[str, str] = field(default_factory=dict)
    """path and sha256 of the Python file that the study was read from; {} for an installed study."""
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The SHA-256 checksums of the other files in the folder that a result was read from."""
    run: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Date and duration: what differs between two equal runs."""
    generalises_to: str = ""
    """What the interval of the first measure generalises to and what it holds fixed; "" of an analysis."""
    left_out: LeftOut | None = None
    """The first measure without one template at a time, where the study declares that."""
    title: str = ""
    """The heading of an analysis; a run of a study has its study's title."""
    subtitle: str = ""
    """What an analysis is about, for the line below its title."""
    means: str = ""
    """What the finding of an analysis means, for readers who were not involved."""
    limits: str = ""
    """What an analysis does not show."""
    finding: Sequence[Paragraph] = ()
    """The finding of an analysis in sentences, so that its folder can be shown without the analysis."""
    sources: Sequence[Mapping[str, Any]] = ()
    """The runs and files that an analysis was computed from."""

    def __post_init__(self) -> None:
        """Make sequences tuples, so that a card from a file equals the one that was written."""
        for name in ("invalid", "notes", "views", "alike", "finding", "sources"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self.settings.items() if value)
        return line(self.title or self.study, {
            "model": self.model_name, "rule": self.rule, "convention": self.convention,
            "data": self.data_name, "settings": settings, "seed": self.seed,
        })  # fmt: skip

    def _repr_html_(self) -> str:
        """As notebooks show it: what was measured, and how to repeat it."""
        return facts_html(self.title or self.study, {
            "model": self.model, "data": self.data,
            "rule": self.rule, "convention": self.convention, "settings": self.settings,
            "seed": self.seed, "counts": self.counts, "notes": list(self.notes),
            "finding": [paragraph.text for paragraph in self.finding], "command": self.command,
        })  # fmt: skip

    @property
    def model_name(self) -> str:
        """The name of the model; "" where no single model is meant."""
        return str(self.model.get("name", ""))

    @property
    def model_reference(self) -> str:
        """How the model was named to the command, without folders of a computer; "" as of `model_name`."""
        return str(self.model.get("reference", self.model_name))

    @property
    def data_name(self) -> str:
        """The name of the data; "" where they have none."""
        return str(self.data.get("name", ""))

    @property
    def replies(self) -> ReplyCounts | None:
        """What became of the model's replies; None where it wrote none."""
        return ReplyCounts.of(self.counts)

    @property
    def repeats(self) -> str:
        """How often a model replied to an item, in words; "" where that is once."""
        times = self.counts.get("repeats", 1)
        return (
            f"up to {counted(times, 'replies')} to an item; n counts replies, intervals are for other items"
            if times > 1
            else ""
        )

    @property
    def compares_runs(self) -> bool:
        """Whether the result is a comparison of runs of one study."""
        return any(view.kind == "compared_runs" for view in self.views)

    @property
    def lays_out_runs(self) -> bool:
        """Whether the views of a collection show what they need of its runs, so that nothing else has to."""
        return any(view.kind in {"printed_cells", "run_blocks"} for view in self.views)

    @property
    def coordinates(self) -> dict[str, str]:
        """What all numbers of the result share; "" for what does not apply."""
        return {
            "model": self.model_name, "data": self.data_name, "study": self.study,
            "rule": self.rule, "convention": self.convention,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """What every command ends in: a study on one model, or an analysis of results and files."""

    card: Card
    records: Sequence[Record]
    estimates: Sequence[Estimate]
    runs: Mapping[str, "Result"] = field(default_factory=dict)
    """The results behind this one, by the names of their folders: the studies' runs of an audit, which are in
    its folder, or the compared runs, which are beside it."""

    @property
    def headline(self) -> Estimate | None:
        """The study's first measure over all items; None where nothing covers all items."""
        return next((e for e in self.estimates if not e.groups), None)
