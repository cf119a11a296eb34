"""A study: a benchmark's data, the rules that can score it, and the measures computed from the scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.conventions import PAPER, Convention, Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.measures import Measure
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Rule
from tiltmeter.core.scope import NO_SCOPE, Scope
from tiltmeter.core.study_groups import StudyGroup
from tiltmeter.core.validity import Validity
from tiltmeter.core.views import View
from tiltmeter.core.wordings import Wordings

T = TypeVar("T")


Source: TypeAlias = str | Path | None
"""The name of a registered data set, or a file or folder of the user's; None is the default data set."""


class Reading(TypedDict, total=False):
    """How a file of the user's is read."""

    skip_invalid: bool
    """Whether rows that cannot be used are left out and listed in `invalid`; without it they are an error."""
    encoding: str
    """The encoding of text files; the default follows their byte order mark and is otherwise UTF-8."""


class Load(Protocol[T]):
    """Loads the items of a study; one with settings takes these too, as `settings`.

    Loaders raise BadInput where the source is no data set and no file, a file cannot be read or a setting has
    no such value; BadItems where entries cannot be used, which lists all of them; UnknownName where a setting
    names what the data do not have; and Unavailable where a registered file cannot be fetched.
    """

    def __call__(self, source: Source = None, **reading: Unpack[Reading]) -> Dataset[T]:
        """The items, checked, with what is known of their source."""


class Stored(Protocol[T]):
    """Reads scores that another program computed; of a study with settings it takes these too, as `Load`."""

    def __call__(
        self, path: Path, items: Dataset[T] | None, **reading: Unpack[Reading]
    ) -> tuple[Dataset[T], Sequence[Record]]:
        """The scored items, and a record for each; `items` are those given with --data."""


@dataclass(frozen=True, slots=True)
class StoredReplies(Generic[T]):
    """Replies that another program stored, with what they reply to."""

    data: Dataset[T]
    replies: Sequence[Reply | Record]
    """One for each item, in order: a reply that a rule is to read, or a record where the file has no reply
    but what somebody read from it or decided."""
    rule: str
    """The rule that reads them where the user names none."""


class ReadReplies(Protocol[T]):
    """Reads a file of replies; of a study with settings it takes these too, as `Load`."""

    def __call__(
        self, path: Path, items: Dataset[T] | None, as_reply: Callable[[str], Reply], *,
        settings: Mapping[str, str] | None = None, **reading: Unpack[Reading],
    ) -> StoredReplies[T]:  # fmt: skip
        """The items and their replies.

        Args:
            path: The file.
            items: Those given with --data.
            as_reply: Makes a reply of a stored text, with the thought apart from the answer.
            settings: Of the study; None for the defaults.
            reading: How the file is read.
        """


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A Python file of the user's that defines a study."""

    path: str
    """The path that the user typed; of an absolute path, only the file's name."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Study(Generic[T]):
    """A benchmark. The default rule is the first one that the model can answer.

    >>> from tiltmeter.core.finder import find
    >>> study = find("studies", "crows_pairs", "STUDY")
    >>> study.measures[0].name, study.rules[0].name
    ('stereotype_rate', 'pll_shared')
    """

    name: str
    title: str
    version: str
    source: str
    """The citation, with the DOI."""
    measures_what: str
    """What the headline number means, for a reader who does not know the benchmark."""
    not_what: str
    """What the number does not show."""
    load: Load[T]
    sample: Callable[[], Dataset[T]]
    """A few made-up items, so that tests can run every study without its data."""
    rules: tuple[Rule[T], ...]
    measures: tuple[Measure, ...]
    group: StudyGroup | None = None
    """Under which heading `tiltmeter ls` lists it; None: behind all that declare one."""
    asks: str = ""
    """What it asks, in at most 30 characters, for the list of studies; "" shows its title."""
    run_needs: str = ""
    """What the command `run` has to be given besides a model, such as "--data FILE"; "" for nothing."""
    conventions: tuple[Convention, ...] = (PAPER,)
    """The first is the default."""
    data: tuple[str, ...] = ()
    """Names of registered data sets it can run on; the first is the default."""
    makes_items: bool = False
    """Whether its items are made from the texts of the data (swaps, prompts, edits), so that their number
    says nothing about the data themselves."""
    together: tuple[tuple[str, ...], ...] = ()
    """Sets of rules for different tasks that are used together. The first set that a model can answer
    completely is the default, before any single rule."""
    settings: tuple[Setting, ...] = ()
    """Choices for --set NAME=VALUE. A study that has some also has a `load` with the keyword
    `settings`, which takes all of them; rules find them in the context. A rule may have further ones."""
    wordings: Wordings | None = None
    """The ways in which it can put its questions, of a study that asks in words. It then has the setting
    `WORDING`, and `load` puts every question as that says."""
    scope: Scope = NO_SCOPE
    """What the interval of its first measure takes as the sample, and what it holds fixed."""
    control: ControlItems[T] | None = None
    """The study's irrelevant arm (`--placebo`): edits, names or questions that have nothing to do with
    groups, as a baseline for its own. None if it has none."""
    reads: Callable[[Path, str], bool] | None = None
    """Whether a file or folder, in an encoding or "" for the usual one, has a layout that this study reads.
    `data check` finds the study by it, and errors name the studies that read a file. None: never
    recognised."""
    stored: Stored[T] | None = None
    """How scores of another program are read; None where that is not possible."""
    stored_replies: ReadReplies[T] | None = None
    """How replies that another program stored are read, in studies without `stored`. One of the study's rules
    by which a model writes scores them."""
    reads_stored: Callable[[Path, str], bool] | None = None
    """Whether a file, in an encoding or "" for the usual one, has a layout of scores or replies that `stored`
    or `stored_replies` reads by itself, without --data. `import` finds the study by it. None: it has to be
    named."""
    holds_answers: bool = False
    """Whether a file of --data may hold the answers, which `stored` or `stored_replies` reads, so that `run`
    needs no model."""
    views: tuple[View, ...] = ()
    """How results are shown, besides the usual tables and pictures."""
    categories: str = ""
    """The axis whose values are kinds of bias (race, gender, …), by which several studies stand side by side;
    "" where there is none."""
    alike: tuple[str, ...] = ()
    """Rules for different kinds of model whose numbers mean the same, so that `correlate` may take them as
    those of one measure. What is not listed is never matched."""
    validity: Validity | None = None
    """What speaks for and against it as a measure; None where its authors do not say."""
    file: StudyFile | None = None
    """Where it was read from; None for one that is installed."""

    @property
    def every_setting(self) -> dict[str, Setting]:
        """The settings of the study and of its rules, by name."""
        of_rules = (setting for rule in self.rules for setting in rule.settings)
        return {setting.name: setting for setting in (*self.settings, *of_rules)}
