"""survey pay: what people are owed, what they earned an hour, and lists for the panel."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_table, say_file
from tiltmeter.cli.survey.database import (
    Database,
    Overwrite,
    StudyName,
    collected_study,
    opened_database,
)
from tiltmeter.core.reading.answer_options import ChoiceOptions, marks_given
from tiltmeter.core.reading.options import Encoding, Option
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.survey.collected import Collected
    from tiltmeter.survey.participants.pay import PayReport
    from tiltmeter.survey.participants.payment_lists import PaymentList, PaymentPlan
    from tiltmeter.survey.store import SurveyStore

MOST_ROWS = 40
"""Bonuses that the terminal shows."""


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Which files for the panel `survey pay` writes, and whose rejection it proposes."""

    lists: Annotated[
        Path | None, Option("Folder for lists of approvals and bonuses, in the panels' layouts.")
    ] = None
    propose_reject: Annotated[
        tuple[str, ...],
        Option(
            "Marks for which the lists propose to reject somebody; you decide.",
            metavar="MARK[,MARK]",
            parse=marks_given,
            typed=str,
        ),
    ] = ()
    batch: Annotated[
        Path | None, Option("MTurk's results of the batch, to fill in Approve and Reject.")
    ] = None


def pay(
    study: StudyName = "",
    *,
    database: Database = "survey.db",
    hourly: Annotated[
        float, Option("Hourly rate to reach (default: the form's).", min=0, max=1e9)
    ] = 0.0,
    choice: ChoiceOptions,
    for_panel: ListOptions,
    overwrite: Overwrite = False,
    encoding: Encoding = "",
    as_json: Json = False,
) -> None:
    """What people are owed and earned per hour, bonuses up to a rate, and lists for the panel."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.derived.people.answer_choice import choice_of
    from tiltmeter.run.files.output_files import check_new_file, write_private
    from tiltmeter.survey.participants.money import exact
    from tiltmeter.survey.participants.pay import check_marks, pay_report

    folder = for_panel.lists
    if folder is None and (for_panel.propose_reject or for_panel.batch):
        raise BadInput("--propose-reject and --batch are for lists", "name a folder with --lists")
    wanted = choice_of(choice, encoding=encoding)
    rate = exact(round(hourly, 2))
    plan: PaymentPlan | None = None
    lists: dict[Path, PaymentList] = {}
    with opened_database(database) as store:
        collected = collected_study(store, study)
        check_marks(collected, (*for_panel.propose_reject, *wanted.marks))
        report = pay_report(collected, hourly=rate, choice=wanted if wanted.leaves_out else None)
        if folder is not None:
            plan, made = _payment_lists(store, collected, report, for_panel, encoding=encoding)
            lists = {folder / each.name: each for each in made}
            for path in lists if not overwrite else ():
                check_new_file(path)
    for path, each in lists.items():
        write_private(path, each.text, overwrite=overwrite)
    whole = pay_report(collected, hourly=rate) if wanted.leaves_out else report
    if as_json:
        print_json(_as_object(report, whole, lists, plan))
    else:
        _print_pay(report, whole)
        if plan is not None:
            _print_lists(lists, plan, report.currency)
    for path in lists:
        say_file(path)
    if folder is not None and not lists:
        err.print("No list is written: nobody with a platform id is owed anything.")


def _payment_lists(
    store: "SurveyStore",
    collected: "Collected",
    report: "PayReport",
    options: ListOptions,
    *,
    encoding: str,
) -> "tuple[PaymentPlan, list[PaymentList]]":
    """What is to be done about whom, and the lists; that ids were read for them is noted."""
    from tiltmeter.data.files.tables import read_table
    from tiltmeter.survey.accounts import COMMAND_LINE
    from tiltmeter.survey.participants.listing import list_people, note_listing
    from tiltmeter.survey.participants.payment_lists import payment_lists, plan_payments

    batch = read_table(options.batch, encoding=encoding, known=None) if options.batch else None
    owed = store.read(list_people, collected, report=report, ids=True)
    plan = plan_payments(owed, reward=report.reward, reject_marks=options.propose_reject)
    made = payment_lists(owed, plan, batch=batch)
    store.save(note_listing, owed, "survey pay", actor=COMMAND_LINE)
    return plan, made


def _as_object(
    report: "PayReport",
    whole: "PayReport",
    lists: "dict[Path, PaymentList]",
    plan: "PaymentPlan | None",
) -> dict[str, object]:
    """Money as texts with two decimals: numbers of JSON are no decimal numbers."""
    further: dict[str, object] = {}
    if report.left_out:
        further |= {"left_out": report.left_out, "total_of_all": str(whole.total)}
    if plan is not None:
        further["lists"] = [
            {"file": str(path), "people": each.people, "amount": str(each.amount), "how": each.how}
            for path, each in lists.items()
        ]
        further["in_no_list"] = [person.person for person in plan.unlisted]
    return {
        "currency": report.currency, "target": str(report.target),
        "median": report.median, "tenth": report.tenth, "timed": report.timed,
        "amounts": str(report.amounts), "bonuses": str(report.bonuses), "total": str(report.total),
        "outcomes": [
            {
                "outcome": of.outcome, "people": of.people,
                "each": None if of.each is None else str(of.each),
                "amounts": str(of.amounts), "bonuses": str(of.bonuses),
            }
            for of in report.by_outcome
        ],
        "people": [
            {
                "person": person.person, "outcome": person.outcome, "seconds": person.seconds,
                "hourly": person.hourly, "amount": str(person.amount),
                "bonus": str(person.bonus), "total": str(person.total),
            }
            for person in report.people
        ],
    } | further  # fmt: skip


def _print_pay(report: "PayReport", whole: "PayReport") -> None:
    from tiltmeter.survey.outcomes import words_of

    money = report.currency
    if report.median is None or report.tenth is None:
        out.print(f"No hourly pay is shown: {report.why_no_rate}.")
    else:
        out.print(
            f"Hourly pay of those who finished: median {report.median:,.2f} {money}; nine of ten "
            f"earned more than {report.tenth:,.2f} (n = {report.timed})."
        )
    if report.target:
        out.print(
            f"Bonuses that raise pay to {report.target:.2f} {money} an hour: {report.top_ups:,.2f} "
            f"{money} in all."
        )
    if not report.people:
        return
    rows = [
        (
            words_of(of.outcome), f"{of.people:,}", "not said" if of.each is None else str(of.each),
            f"{of.amounts:,}", f"{of.bonuses:,}", f"{of.amounts + of.bonuses:,}",
        )
        for of in report.by_outcome
    ]  # fmt: skip
    rows.append(
        ("all", f"{len(report.people):,}", "", f"{report.amounts:,}", f"{report.bonuses:,}",
         f"{report.total:,}")
    )  # fmt: skip
    titles = ("outcome", "people", f"{money} each", "pay", "bonuses", "total")
    print_table(titles, rows, {*titles}, {*titles[1:]})
    if any(of.each is None for of in report.by_outcome):
        err.print("Outcomes of which the form does not say what is paid count as 0.", style="dim")
    if report.left_out:
        out.print(
            f"Left out: {report.left_out:,} of {counted(len(whole.people), 'people')}; "
            f"all together are owed {whole.total:,} {money}."
        )
    rewarded = [person for person in report.people if person.bonus]
    for person in rewarded[:MOST_ROWS]:
        out.print(f"  {person.person}  {person.bonus:.2f}")
    if len(rewarded) > MOST_ROWS:
        more = f"… and {len(rewarded) - MOST_ROWS:,} more bonuses: --lists or --json has all."
        err.print(more, style="dim")


def _print_lists(lists: "dict[Path, PaymentList]", plan: "PaymentPlan", currency: str) -> None:
    for each in lists.values():
        amount = f", {each.amount:,} {currency}" if each.amount else ""
        out.print(f"{each.name}: {counted(each.people, 'people')}{amount}. {each.how}")
    rejected = [p for p in plan.people if plan.decided[p.person] == "reject"]
    for people, what in (
        (rejected, "proposed for rejection and in no list of payments"),
        (plan.unlisted, "in no list, because no usable id of a platform is stored"),
    ):
        if people:
            owed = sum((p.pay.total for p in people if p.pay), Decimal())
            out.print(f"{counted(len(people), 'people')}, {owed:,} {currency}: {what}")
