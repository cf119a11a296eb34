"""People joined with the panel's data, by hand: everybody is accounted for."""

import csv
import io

from tiltmeter.data.people.exports.prolific import PanelPeople, PanelPerson
from tiltmeter.survey.participants.listing import (
    ListedPeople,
    ListedPerson,
    PlatformIds,
    people_csv,
)
from tiltmeter.survey.participants.panel_join import demographics_csv, join_panel


def a_person(name, answers=1):
    ids = PlatformIds("prolific", {"PROLIFIC_PID": name} if name else {})
    return ListedPerson(f"r-{name}", "finished", 0, None, 0, answers, 0, (), "", None, ids)


LISTED = ListedPeople("x", (a_person("a"), a_person("b"), a_person("c", 0), a_person("")))
PANEL = PanelPeople(
    {
        "a": PanelPerson("a", "APPROVED", ("s",), {"Age": "30", "outcome": "theirs"}),
        "c": PanelPerson("c", "RETURNED", (), {"Age": "40", "outcome": ""}),
        "d": PanelPerson("d", "APPROVED", (), {"Age": "50", "outcome": ""}),
    },
    ("Age", "outcome"), 3,
)  # fmt: skip


def test_who_is_in_one_list_only_is_named():
    join = join_panel(LISTED, PANEL)
    assert (join.joined, join.only_in_study, join.only_in_panel, join.without_id) == (
        2, ("b",), ("d",), 1,
    )  # fmt: skip


def test_columns_of_the_panel_never_take_the_place_of_ours():
    rows = [*csv.DictReader(io.StringIO(people_csv(join_panel(LISTED, PANEL).listed)))]
    assert [row["panel_status"] for row in rows] == ["APPROVED", "", "RETURNED", ""]
    assert [row["Age"] for row in rows] == ["30", "", "40", ""]
    assert (rows[0]["outcome"], rows[0]["panel_outcome"]) == ("finished", "theirs")


def test_demographics_by_random_id_are_of_those_who_answered():
    text = demographics_csv(join_panel(LISTED, PANEL))
    assert text == "person,Age,panel_outcome\nr-a,30,theirs\nr-b,,\nr-,,\n"
