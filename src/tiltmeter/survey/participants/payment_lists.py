"""Lists with which panels pay people: whom to approve, bonuses, and whom one might reject, by platform.

Layouts are those of the panels' own documentation:

- Prolific takes ids of participants for bulk approval, and bonuses as lines "id,amount"
  (https://docs.prolific.com/api-reference/bonuses/create-bonus-payments). It rejects one submission at a
  time.
- MTurk takes the results of a batch back with an X in the column Approve or a reason in Reject
  (AWSMechTurk/latest/RequesterUI/ReviewingResultsOutsideoftheRUI.html); bonuses are SendBonus of its API.
- CloudResearch Connect approves, rejects and pays bonuses by an uploaded CSV for which it has a template.
- Sona shows a survey code beside each sign-up, by which credit is granted.

Nothing here rejects anybody. A rejection costs a participant more than the pay, so marks only propose it.
"""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.core.text import listed as in_words
from tiltmeter.data.files.table import FileTable
from tiltmeter.survey.formats.cells import as_csv
from tiltmeter.survey.outcomes import words_of
from tiltmeter.survey.participants.listing import ListedPeople, ListedPerson, PlatformIds
from tiltmeter.survey.participants.money import ZERO

Decision: TypeAlias = Literal["approve", "partial", "reject", "unpaid"]
SUBMITTED = frozenset({"finished", "failed_checks"})
"""Outcomes after which marks may propose a rejection: nobody is rejected for having left."""
APPROVE, REJECT, ASSIGNMENT, WORKER = "Approve", "Reject", "AssignmentId", "WorkerId"
"""Columns of the results of a batch of MTurk."""
_ID = re.compile(r"[\w.@-]{1,200}", re.ASCII)
"""What ids of panels consist of. Ids come from addresses, in which people can write anything, even
another line for a list of payments."""


@dataclass(frozen=True, slots=True)
class PaymentList:
    """One file for a panel."""

    name: str
    text: str
    people: int
    amount: Decimal
    """What is paid with it in all; 0 where nothing is."""
    how: str
    """What to do with it, as a sentence."""


@dataclass(frozen=True, slots=True)
class PaymentPlan:
    """What is to be done about whom."""

    decided: Mapping[str, Decision]
    """By random id, of everybody who left and has a usable id of a platform."""
    people: tuple[ListedPerson, ...]
    """The people who are paid."""
    reasons: Mapping[str, str]
    """By random id, why a rejection is proposed: the checks. What the person should read is for you."""
    unlisted: tuple[ListedPerson, ...]
    """People who are owed something and are in no list: without an id, or with one that no panel gives."""

    def of(self, platform: str, *what: Decision) -> list[ListedPerson]:
        """The people of a platform about whom one of these things is to be done."""
        return [
            person
            for person in self.people
            if person.ids.platform == platform and self.decided[person.person] in what
        ]


def plan_payments(
    listed: ListedPeople, *, reward: Decimal, reject_marks: Collection[str] = ()
) -> PaymentPlan:
    """What is to be done about each person who left.

    Who is owed the reward is to be approved; who is owed another amount is paid in part. Who has one of these
    marks is proposed for rejection, and is in no other list.
    """
    claims = Counter(person.ids.submission for person in listed.people)
    decided: dict[str, Decision] = {}
    reasons: dict[str, str] = {}
    people, unlisted = [], []
    for person in listed.people:
        if person.pay is None:
            continue
        if not _ID.fullmatch(person.ids.id) or not _is_own(person.ids, claims):
            unlisted += [person] if person.pay.total else []
            continue
        people.append(person)
        marks = [_spaced(mark) for mark in person.marks if mark in reject_marks]
        if person.outcome in SUBMITTED and marks:
            decided[person.person] = "reject"
            reasons[person.person] = f"Flagged by the study’s checks: {in_words(marks)}."
        elif not person.pay.total:
            decided[person.person] = "unpaid"
        else:
            decided[person.person] = "approve" if person.pay.amount == reward else "partial"
    return PaymentPlan(decided, tuple(people), reasons, tuple(unlisted))


def _is_own(ids: PlatformIds, claims: Mapping[str, int]) -> bool:
    """Whether the id of a submission, if there is one, can be the person's.

    On MTurk it is what is paid. One that several people came with is at most one's.
    """
    return not ids.submission or (
        _ID.fullmatch(ids.submission) is not None
        and (ids.platform != "mturk" or claims[ids.submission] == 1)
    )


def payment_lists(
    listed: ListedPeople, plan: PaymentPlan, *, batch: FileTable | None = None
) -> list[PaymentList]:
    """The files for each platform that people came from.

    Args:
        listed: The people, with platform ids.
        plan: What is to be done about each.
        batch: The results of a batch as MTurk gives them, to be sent back filled in.

    Raises:
        BadInput: The batch lacks a column, or is of other people.
    """
    platforms = dict.fromkeys(person.ids.platform for person in plan.people)
    lists: list[PaymentList] = []
    for platform in platforms:
        makers = {"prolific": _prolific, "cloudresearch": _cloudresearch, "sona": _sona}
        if platform == "mturk":
            lists += _mturk(listed, plan, batch)
        else:
            lists += makers.get(platform, _other)(listed, plan, platform)
    return [each for each in lists if each.people]


def _amounts(people: Iterable[ListedPerson]) -> Decimal:
    return sum((person.pay.amount for person in people if person.pay), ZERO)


def _bonuses(people: Iterable[ListedPerson]) -> Decimal:
    return sum((person.pay.bonus for person in people if person.pay), ZERO)


def _rewarded(plan: PaymentPlan, platform: str) -> list[ListedPerson]:
    """People with a bonus."""
    paid = plan.of(platform, "approve", "partial")
    return [person for person in paid if person.pay and person.pay.bonus]


def _partly_paid(plan: PaymentPlan, platform: str) -> list[ListedPerson]:
    """People whose outcome is paid with another amount than the reward."""
    return [p for p in plan.of(platform, "partial") if p.pay and p.pay.amount]


def _spaced(mark: str) -> str:
    return mark.replace("_", " ")


def _lines(rows: Iterable[Sequence[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in rows)


def _prolific(_: ListedPeople, plan: PaymentPlan, platform: str) -> Iterator[PaymentList]:
    approved, partial = plan.of(platform, "approve"), _partly_paid(plan, platform)
    rewarded = _rewarded(plan, platform)
    yield PaymentList(
        "prolific-approve.txt", _lines([p.ids.id] for p in approved), len(approved),
        _amounts(approved), "Participant ids for bulk approval; Prolific pays the study's reward.",
    )  # fmt: skip
    yield PaymentList(
        "prolific-partial.csv",
        _lines((p.ids.id, str(p.pay.amount)) for p in partial if p.pay),
        len(partial), _amounts(partial),
        "People whose outcome pays another amount than the study's reward: ask them to return their "
        "submission, then pay them this amount as a bonus.",
    )  # fmt: skip
    yield PaymentList(
        "prolific-bonus.csv",
        _lines((p.ids.id, str(p.pay.bonus)) for p in rewarded if p.pay),
        len(rewarded), _bonuses(rewarded),
        "Lines “id,amount” for the bulk bonus payment, once the submissions are approved.",
    )  # fmt: skip
    yield _proposals(
        "prolific-reject.csv", plan, platform,
        "Prolific rejects one submission at a time, with a reason of at least 100 characters.",
    )  # fmt: skip


def _proposals(name: str, plan: PaymentPlan, platform: str, how: str) -> PaymentList:
    rejected = plan.of(platform, "reject")
    columns = ("id", "submission", "outcome", "marks", "why")
    rows = [
        {
            "id": p.ids.id, "submission": p.ids.submission, "outcome": words_of(p.outcome),
            "marks": " ".join(p.marks), "why": plan.reasons[p.person],
        }
        for p in rejected
    ]  # fmt: skip
    return PaymentList(
        name, as_csv(columns, rows), len(rejected), ZERO, f"Proposals; you decide. {how}"
    )


def _mturk(
    listed: ListedPeople, plan: PaymentPlan, batch: FileTable | None
) -> Iterator[PaymentList]:
    rewarded, partial = _rewarded(plan, "mturk"), _partly_paid(plan, "mturk")
    approved = plan.of("mturk", "approve")
    if batch is not None:
        yield _reviewed(batch, plan)
    else:
        yield PaymentList(
            "mturk-approve.txt", _lines([p.ids.submission or p.ids.id] for p in approved),
            len(approved), _amounts(approved),
            "Assignment ids; give the batch's results with --batch to have it filled in.",
        )  # fmt: skip
        yield _proposals("mturk-reject.csv", plan, "mturk", "MTurk shows the worker the reason.")
    columns = (WORKER, ASSIGNMENT, "BonusAmount", "Reason", "UniqueRequestToken")
    bonuses = [(p, p.pay.bonus, "bonus") for p in rewarded if p.pay]
    bonuses += [(p, p.pay.amount, "partial") for p in partial if p.pay]
    rows = [
        {
            WORKER: p.ids.id, ASSIGNMENT: p.ids.submission, "BonusAmount": str(amount),
            "Reason": f"{_spaced(kind).capitalize()} payment for the study {listed.study}.",
            "UniqueRequestToken": _token(listed.study, p.person, kind),
        }
        for p, amount, kind in bonuses
    ]  # fmt: skip
    yield PaymentList(
        "mturk-bonus.csv", as_csv(columns, rows), len(rows),
        sum((amount for _, amount, _ in bonuses), ZERO),
        "Arguments of SendBonus of the API, which takes no files; with the same token it never pays twice.",
    )  # fmt: skip


def _token(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:32]


def _reviewed(batch: FileTable, plan: PaymentPlan) -> PaymentList:
    """The batch's own table with an X or a reason in the rows of people to approve or reject."""
    columns = [name for name in batch.columns if name not in {APPROVE, REJECT}]
    if WORKER not in columns or ASSIGNMENT not in columns:
        reason = f"a batch has the columns {WORKER} and {ASSIGNMENT}"
        raise BadInput(reason, "download its results from MTurk", file=batch.path.name)
    people = plan.of("mturk", "approve", "reject")
    by_worker = {p.ids.id: p for p in people}
    rows = [*batch.rows]
    assignments = Counter(str(row.cells.get(WORKER)) for row in rows)
    # As MTurk wrote it: guarded cells would not be the ones that it knows.
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow([*columns, APPROVE, REJECT])
    decided: list[ListedPerson] = []
    for row in rows:
        texts = {
            name: "" if row.cells.get(name) is None else str(row.cells[name]) for name in columns
        }
        person = by_worker.get(texts[WORKER])
        if person and assignments[texts[WORKER]] > 1:  # only the one with which they came
            person = person if person.ids.submission in {"", texts[ASSIGNMENT]} else None
        decided += [person] if person else []
        why = plan.reasons.get(person.person, "") if person else ""
        writer.writerow([*texts.values(), "X" if person and not why else "", why])
    if not decided:
        reason = "none of its assignments is of somebody who is to be paid"
        raise BadInput(reason, "give the results of this study's batch", file=batch.path.name)
    approved = [person for person in decided if person.person not in plan.reasons]
    return PaymentList(
        "mturk-batch.csv", out.getvalue(), len(decided), _amounts(approved),
        "Upload it with the batch. "
        f"{counted(len(decided) - len(approved), 'proposed rejections')}; you decide: clear "
        "the reason and write an X to approve.",
    )  # fmt: skip


def _cloudresearch(_: ListedPeople, plan: PaymentPlan, platform: str) -> Iterator[PaymentList]:
    people = plan.of(platform, "approve", "partial", "reject")
    kept = [p for p in people if plan.decided[p.person] != "reject"]
    columns = ("participantId", "assignmentId", "decision", "amount", "bonus", "message")
    rows = [
        {
            "participantId": p.ids.id, "assignmentId": p.ids.submission,
            "decision": {"reject": "propose to reject"}.get(d := plan.decided[p.person], d),
            "amount": str(p.pay.amount), "bonus": str(p.pay.bonus),
            "message": plan.reasons.get(p.person, ""),
        }
        for p in people
        if p.pay
    ]  # fmt: skip
    yield PaymentList(
        "cloudresearch.csv", as_csv(columns, rows), len(people), _amounts(kept) + _bonuses(kept),
        "Copy it into the CSV template that Connect offers under Manage Participants.",
    )  # fmt: skip


def _sona(_: ListedPeople, plan: PaymentPlan, platform: str) -> Iterator[PaymentList]:
    people = plan.of(platform, "approve", "partial")
    yield PaymentList(
        "sona-credit.txt", _lines([p.ids.id] for p in people), len(people), ZERO,
        "Survey codes of those to be given credit; Sona shows the code beside each sign-up.",
    )  # fmt: skip
    how = "Sona knows no rejection, only no credit."
    yield _proposals("sona-no-credit.csv", plan, platform, how)


def _other(_: ListedPeople, plan: PaymentPlan, platform: str) -> Iterator[PaymentList]:
    people = plan.of(platform, "approve", "partial")
    columns = ("id", "outcome", "amount", "bonus", "total")
    rows = [
        {
            "id": p.ids.id, "outcome": words_of(p.outcome), "amount": str(p.pay.amount),
            "bonus": str(p.pay.bonus), "total": str(p.pay.total),
        }
        for p in people
        if p.pay
    ]  # fmt: skip
    yield PaymentList(
        f"{platform}-payments.csv", as_csv(columns, rows), len(people),
        _amounts(people) + _bonuses(people), "What each person is owed.",
    )  # fmt: skip
    how = "They are in no list of payments."
    yield _proposals(f"{platform}-not-paid.csv", plan, platform, how)
