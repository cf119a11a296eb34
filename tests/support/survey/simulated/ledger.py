"""What the server promised to simulated participants, against what it holds and exports in the end."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import select

from tiltmeter.survey.schema import Answer, Assignment, ItemRow, Person, PlatformIdentity
from tiltmeter.survey.store import SurveyStore

NOWHERE = 0
"""The assignment of answers outside items."""


@dataclass
class Ledger:
    """Acknowledged answers, and how each person left."""

    answers: dict[tuple[str, int, str, str], object] = field(default_factory=dict)
    """The last acknowledged value, by platform id, assignment, page and question."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """How each person left by what their browser showed, by platform id."""
    about: dict[str, tuple[tuple[str, object], ...]] = field(default_factory=dict)
    """What each person said of themselves, by platform id; the server must not know of whom it is."""
    panel: str = ""
    """The address to which people go back in the end."""
    acknowledged: int = 0
    again: int = 0

    def keep(self, person, page, values):
        """Note answers to a page that the server said it holds."""
        for question, value in values.items():
            self.answers[person, page.assignment or NOWHERE, page.name, question] = value
        self.acknowledged += len(values)

    def forget(self, person):
        """Note that a person had everything erased."""
        for at in [at for at in self.answers if at[0] == person]:
            del self.answers[at]


@dataclass(frozen=True)
class Held:
    """What a database holds of a study in the end."""

    names: dict[str, str]
    """Platform ids by random id."""
    outcomes: dict[str, str]
    """As in the ledger, by platform id."""
    given: dict[int, tuple[str, str, int]]
    """Random id, item and round, by assignment."""
    votes: Counter[tuple[str, str]]
    """By item and state of the assignment, of first rounds."""
    stored: Counter[str]
    """Rows of answers, by random id."""

    @property
    def twice(self):
        """Items that a person has twice in one round."""
        return [at for at, count in Counter(self.given.values()).items() if count > 1]


def held(database: str) -> Held:
    """Read a database of one study."""
    with SurveyStore(database) as store:

        def read(session):
            people = session.scalars(select(Person)).all()
            ids = {row.person_id: row.raw for row in session.scalars(select(PlatformIdentity))}
            names = {p.id: next(iter(ids[p.id].values())) for p in people if p.id in ids}
            rows = session.execute(select(Assignment, ItemRow.key).join(ItemRow)).all()
            return Held(
                names,
                {names[p.id]: p.outcome or "" for p in people if p.id in names},
                {row.id: (row.person_id, item, row.round) for row, item in rows},
                Counter((item, row.state) for row, item in rows if row.round == 1),
                Counter(session.scalars(select(Answer.person_id))),
            )

        return store.read(read)


def differences(ledger: Ledger, exported: list[dict[str, str]], now: Held) -> list[str]:
    """Acknowledged answers that `answers.csv` lacks or has with another value, and those that nobody gave."""
    ids = {name: person for person, name in now.names.items()}
    wanted = {}
    for (name, assignment, page, question), value in ledger.answers.items():
        _, item, number = now.given.get(assignment, ("", "", 1))
        wanted[ids.get(name, name), item, number, page, question] = value
    there = {
        (row["person"], row["item"], int(float(row["round"])), row["page"], row["question"]): row[
            "value"
        ]
        for row in exported
    }
    lost = [f"lost: {at}" for at in wanted.keys() - there.keys()]
    unknown = [f"never acknowledged: {at}" for at in there.keys() - wanted.keys()]
    other = [
        f"{at}: {there[at]!r}, acknowledged was {value!r}"
        for at, value in wanted.items()
        if at in there and not _same(there[at], value)
    ]
    return [*lost, *other, *unknown]


def _same(text: str, value: object) -> bool:
    return float(text) == value if isinstance(value, float) else text == value
