"""survey people, erase: who took part, by their ids on the platform, and erasing them."""

from dataclasses import dataclass
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
from tiltmeter.core.reading.options import Encoding, Option
from tiltmeter.core.text import counted, visible

if TYPE_CHECKING:
    from tiltmeter.data.people.exports.prolific import PanelPeople
    from tiltmeter.survey.participants.listing import ListedPeople
    from tiltmeter.survey.participants.panel_join import PanelJoin

MOST_ROWS = 40
"""People whom the terminal shows; the file has all."""
MOST_IDS = 10
"""Ids that a sentence names."""


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """What the panel itself says of people, and where that is written."""

    panel: Annotated[
        Path | None,
        Option("The panel's own export, such as Prolific's demographic data, to join by id."),
    ] = None
    id_column: Annotated[
        str, Option("Column of the panel's file with its ids.", name="id", metavar="COLUMN")
    ] = ""
    demographics: Annotated[
        Path | None,
        Option(
            "Also write a table of the panel's data about people, by random id, without its own ids."
        ),
    ] = None

    def read(self, encoding: str) -> "PanelPeople | None":
        """The people in the panel's file; None where none is given.

        Raises:
            BadInput: Options without a file, or a file that cannot be read.
        """
        from tiltmeter.core.errors import BadInput
        from tiltmeter.data.people.exports.prolific import read_panel

        if self.panel is not None:
            return read_panel(self.panel, person=self.id_column, encoding=encoding)
        if self.demographics or self.id_column:
            raise BadInput("there is no file of the panel to join", "give it with --panel")
        return None


def people(
    study: StudyName = "",
    *,
    database: Database = "survey.db",
    to: Annotated[
        Path | None,
        Option("File for the table, readable by you alone (default: people.csv).", name="to"),
    ] = None,
    panel: PanelOptions,
    overwrite: Overwrite = False,
    encoding: Encoding = "",
    as_json: Json = False,
) -> None:
    """Link answers to platform ids, with outcomes, times, marks and pay, in a file of its own."""
    from tiltmeter.run.files.output_files import check_new_file, write_private
    from tiltmeter.survey.accounts import COMMAND_LINE

    table = Path("people.csv") if to is None and not as_json else to
    files = [path for path in (table, panel.demographics) if path is not None]
    for path in files if not overwrite else ():
        check_new_file(path)
    of_panel = panel.read(encoding)
    with opened_database(database) as store:
        from tiltmeter.survey.participants.listing import list_people, note_listing, people_csv
        from tiltmeter.survey.participants.panel_join import demographics_csv, join_panel

        collected = collected_study(store, study)
        listed_people = store.read(list_people, collected, ids=True)
        store.save(note_listing, listed_people, "survey people", actor=COMMAND_LINE)
    join = join_panel(listed_people, of_panel) if of_panel else None
    listed_people = join.listed if join else listed_people
    if table is not None:
        write_private(table, people_csv(listed_people), overwrite=overwrite)
    if panel.demographics is not None and join is not None:
        write_private(panel.demographics, demographics_csv(join), overwrite=overwrite)
    if as_json:
        print_json(_people_as_object(listed_people, join))
    else:
        _print_people(listed_people, join)
        for note in of_panel.notes if of_panel else ():
            err.print(note)
    for path in files:
        say_file(path)


def _people_as_object(people: "ListedPeople", join: "PanelJoin | None") -> dict[str, object]:
    from tiltmeter.survey.participants.listing import as_object

    further: dict[str, object] = {}
    if join is not None:
        further["panel"] = {
            "joined": join.joined, "only_in_study": list(join.only_in_study),
            "only_in_panel": list(join.only_in_panel), "without_id": join.without_id,
        }  # fmt: skip
    return {
        "study": people.study, "currency": people.currency,
        "outcomes": dict(people.by_outcome), "people": [as_object(p) for p in people.people],
    } | further  # fmt: skip


def _print_people(people: "ListedPeople", join: "PanelJoin | None") -> None:
    from tiltmeter.survey.outcomes import words_of

    out.print(f"{people.study}: {counted(len(people.people), 'people')}")
    for outcome, count in people.by_outcome.items():
        out.print(f"  {count:>5,}  {outcome}")
    rows = [
        (
            visible(person.ids.id) or f"{person.person[:7]}…", words_of(person.outcome),
            f"{person.minutes:.1f}" if person.minutes else "–",
            " ".join(person.marks) or "–",
            f"{person.pay.amount:.2f}" if person.pay else "–",
            f"{person.pay.bonus:.2f}" if person.pay else "–",
        )
        for person in people.people[:MOST_ROWS]
    ]  # fmt: skip
    if rows:
        money = f" {people.currency}" if people.currency else ""
        titles = ("id", "outcome", "min", "marks", f"pay{money}", "bonus")
        print_table(titles, rows, {"id", "outcome", "min"}, {"min", f"pay{money}", "bonus"})
    if len(people.people) > MOST_ROWS:
        err.print(f"… and {len(people.people) - MOST_ROWS:,} more in the file.", style="dim")
    if join is not None:
        _print_join(join)


def _print_join(join: "PanelJoin") -> None:
    out.print(f"joined with the panel: {counted(join.joined, 'people')}")
    for ids, where in (
        (join.only_in_study, "in the study and not in the panel's file"),
        (join.only_in_panel, "in the panel's file and not in the study"),
    ):
        if ids:
            shown = ", ".join(map(visible, ids[:MOST_IDS])) + (", …" if len(ids) > MOST_IDS else "")
            out.print(f"{where}: {len(ids):,} ({shown})")
    if join.without_id:
        out.print(f"without an id of the platform: {counted(join.without_id, 'people')}")


def erase(
    study: StudyName = "",
    *,
    database: Database = "survey.db",
    person: Annotated[
        str | None, Option("Everything of this person, by the random id of exports.", metavar="ID")
    ] = None,
    platform_id: Annotated[
        str | None, Option("Everything of the person with this id on the platform.", metavar="ID")
    ] = None,
    identities: Annotated[bool, Option("The platform's ids of everybody.")] = False,
    bots: Annotated[bool, Option("All bots, with their answers.")] = False,
    close: Annotated[bool, Option("Close the study first; its key is then erased too.")] = False,
) -> None:
    """Erase a person who withdraws, all platform ids, or bots; other people's answers stay."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.survey.accounts import COMMAND_LINE
    from tiltmeter.survey.bot_persons import erase_bots
    from tiltmeter.survey.participants.erasing import erase_people, people_with_id
    from tiltmeter.survey.studies import close_study, erase_identities, study_named

    if (person is not None) + (platform_id is not None) + identities + bots != 1:
        way_out = "give one of --person ID, --platform-id ID, --identities and --bots"
        raise BadInput("it is not clear what to erase", way_out)
    with opened_database(database) as store:
        number = store.read(study_named, study)
        if close:
            store.save(close_study, number, actor=COMMAND_LINE)
        if identities:
            gone = store.save(erase_identities, number, actor=COMMAND_LINE)
            out.print(f"{counted(gone, 'platform ids')} erased")
        elif bots:
            gone = store.save(erase_bots, number, actor=COMMAND_LINE)
            out.print(f"{counted(gone, 'bots')} erased")
        else:
            who = store.read(
                people_with_id, study=number, person=person or "", platform_id=platform_id or ""
            )
            gone = store.save(erase_people, people=who, actor=COMMAND_LINE)
            out.print(f"{counted(len(who), 'people')} and {counted(gone, 'answers')} erased")
        store.scrub()
    if not identities and not bots:
        err.print("Files that were exported before still hold them: make them again.", style="dim")
