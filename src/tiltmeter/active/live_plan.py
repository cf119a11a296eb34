"""What a live round is about, and the file that says why each item was asked."""

from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from tiltmeter import __version__
from tiltmeter.active.json_lines import replace_text, text_of
from tiltmeter.active.predictor import Predictor
from tiltmeter.active.predictors import predictor_named
from tiltmeter.active.run_files import AskReason, RunManifest, SettingValue
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.votes import FEWEST_ITEMS
from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array

ASKED: Final = "asked.jsonl"


class LiveVote(NamedTuple):
    """An answer that somebody has given."""

    assignment: int
    item: str
    person: str
    label: str


@dataclass(frozen=True, slots=True)
class _Asked(AskReason):
    """A line of the file of reasons."""

    assignment: int = 0
    item: str = ""


@dataclass(frozen=True, slots=True)
class LivePlan:
    """What a round is about. All of it is fixed before anybody is asked."""

    name: str
    items: tuple[str, ...]
    """Keys of the items that people may be asked about."""
    texts: tuple[str, ...]
    """The text of each item."""
    features: Array
    """Features of the items, shape (items, d)."""
    labels: tuple[str, ...]
    ordered: bool
    strategy: str
    settings: LoopSettings
    """The settings, with N filled in (`LoopSettings.for_pool`)."""
    test_items: int = 0
    """Items with N votes each on which the model is measured; their votes are not in the budget."""
    per_person: int = 0
    """Items per person; 0 for all."""
    most_votes: int = 0
    """Votes that an item may have; 0 for no limit."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Check that there are enough items.

        Raises:
            BadInput: There are too few, or the budget does not go beyond the first votes.
        """
        needed = self.test_items + self.settings.entropy_items
        if 0 < self.test_items < FEWEST_ITEMS:
            raise BadInput(f"{self.test_items} test items are too few", f"use {FEWEST_ITEMS}, or 0")
        if len(self.items) <= needed:
            raise BadInput(
                f"{self.name} has {counted(len(self.items), 'items')}, and {needed} are needed to begin with",
                "give more items, or use fewer for tests and for f_ent",
            )
        if self.settings.first >= self.settings.budget:
            raise BadInput(f"the first votes alone are {self.settings.first:,}", "raise the budget")
        check_live(self.strategy, self.settings)

    @property
    def predictor(self) -> Predictor:
        """What is trained on the votes."""
        return predictor_named(self.settings.predictor)

    def manifest(self) -> RunManifest:
        """What the folder of the round says of it."""
        digest = sha256(repr((self.items, self.labels)).encode()).hexdigest()
        pool: dict[str, SettingValue] = {
            "name": self.name, "sha256": digest, "items": len(self.items)
        }  # fmt: skip
        settings = asdict(self.settings) | {"test_items": self.test_items, "live": True}
        return RunManifest(
            pool, self.labels, settings, self.settings.grid, {"tiltmeter": __version__},
            (self.strategy,), (self.seed,),
        )  # fmt: skip


def check_live(strategy: str, settings: LoopSettings) -> None:
    """Raise BadInput if a strategy or a predictor cannot work while votes come in.

    Raises:
        BadInput: One of them does not.
        UnknownName: There is no such strategy or predictor.
    """
    chosen, predictor = strategy_named(strategy), predictor_named(settings.predictor)
    if chosen.needs in {"all votes", "resampled models"}:
        missing = "votes that nobody has given yet" if chosen.needs == "all votes" else chosen.needs
        raise BadInput(f"{strategy} needs {missing}", "use another strategy")
    if chosen.majority and not predictor.has_majority:
        raise BadInput(
            f"{strategy} trains on majority labels, and --predictor {settings.predictor} does not",
            "use another strategy or predictor",
        )
    if predictor.asks_known_people:
        raise BadInput(
            f"--predictor {settings.predictor} has to know all annotators before the first vote",
            "use another predictor",
        )


class ReasonFile:
    """Why each item was asked, by the number of the assignment; kept in a file, a line each.

    A reason is written before its assignment is committed. If a kill comes between the two, the database
    gives the number again, and the new reason takes the place of the old one.
    """

    def __init__(self, folder: Path) -> None:
        """Read what an earlier call has kept; a last line that a stop cut off is left out.

        Raises:
            StorageError: The file cannot be read.
        """
        self._file = folder / ASKED
        try:
            text = self._file.read_text("utf-8", "replace") if self._file.exists() else ""
        except OSError as error:
            raise StorageError(f"{self._file} cannot be read ({error.strerror})") from error
        lines = text[: text.rfind("\n") + 1].splitlines()
        self.found = {
            asked.assignment: asked
            for number, line in enumerate(lines, start=1)
            for asked in [self._asked(line, number)]
        }
        self._can_append = text[-1:] in {"", "\n"}

    def add(self, assignment: int, item: str, reason: AskReason) -> None:
        """Keep one; StorageError where it cannot be written."""
        asked = _Asked(**asdict(reason), assignment=assignment, item=item)
        append = self._can_append and assignment not in self.found
        self.found[assignment] = asked
        self._can_append = False  # if the disk is full now, part of a line may stay
        try:
            if append:
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(text_of([asked]))
            else:
                replace_text(self._file, text_of(self.found.values()))
        except OSError as error:
            raise StorageError(f"{self._file} cannot be written ({error.strerror})") from error
        self._can_append = True

    def _asked(self, line: str, number: int) -> _Asked:
        try:
            return made(_Asked, parsed(line))
        except ValueError as error:
            place = f"{self._file}:{number}"
            raise StorageError(
                f"{place}: the line is damaged ({error}); delete it, and run the command again"
            ) from None
