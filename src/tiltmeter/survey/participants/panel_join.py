"""People of a study joined with what their panel says of them, by their ids on the platform."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tiltmeter.data.people.exports.prolific import PanelPeople
from tiltmeter.survey.formats.cells import Cell, as_csv
from tiltmeter.survey.participants.listing import COLUMNS, ListedPeople, ListedPerson

STATUS = "panel_status"
"""The column with what became of the submission on the panel."""
PANEL = "panel_"
"""Before a panel's column that is called like one of ours."""


@dataclass(frozen=True, slots=True)
class PanelJoin:
    """The people of a study with the panel's columns, and who is in one list only."""

    listed: ListedPeople
    joined: int
    """People who are in both."""
    only_in_study: tuple[str, ...]
    """Platform ids of people whom the panel's file does not have."""
    only_in_panel: tuple[str, ...]
    """The panel's ids of people who never came to the study."""
    without_id: int
    """People of the study of whom no platform id is stored."""


def join_panel(listed: ListedPeople, panel: PanelPeople) -> PanelJoin:
    """The people with the panel's answers about them; who has none there has empty cells."""
    names = {
        column: f"{PANEL}{column}" if column in {*COLUMNS, STATUS} else column
        for column in panel.columns
    }
    people = tuple(_with_panel(person, panel, names) for person in listed.people)
    ours = {person.ids.id for person in listed.people if person.ids.id}
    return PanelJoin(
        replace(listed, people=people, panel_columns=(STATUS, *names.values())),
        joined=len(ours & panel.people.keys()),
        only_in_study=tuple(sorted(ours - panel.people.keys())),
        only_in_panel=tuple(sorted(panel.people.keys() - ours)),
        without_id=sum(not person.ids.id for person in listed.people),
    )


def _with_panel(person: ListedPerson, panel: PanelPeople, names: Mapping[str, str]) -> ListedPerson:
    found = panel.people.get(person.ids.id) if person.ids.id else None
    if found is None:
        return person
    about = {names[column]: answer for column, answer in found.about.items()}
    return replace(person, panel={STATUS: found.status, **about})


def demographics_csv(join: PanelJoin) -> str:
    """The panel's answers by random id, without ids of the platform, for use with the answers.

    It has the people whose answers are stored; neither times nor the panel's status, which would tell who is
    who.
    """
    columns = tuple(name for name in join.listed.panel_columns if name != STATUS)
    rows: list[dict[str, Cell]] = [
        {"person": person.person, **{name: person.panel.get(name) for name in columns}}
        for person in join.listed.people
        if person.answers
    ]
    return as_csv(("person", *columns), rows)
