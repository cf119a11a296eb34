"""Lists for panels: sums to the cent, everybody in one place, no line that a participant made up."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

import pytest

from support.survey.paid import RAW, a_paid_study
from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.tables import read_table
from tiltmeter.survey.collected import collect
from tiltmeter.survey.participants.listing import (
    ListedPeople,
    ListedPerson,
    PlatformIds,
    list_people,
)
from tiltmeter.survey.participants.pay import PersonPay, pay_report
from tiltmeter.survey.participants.payment_lists import payment_lists, plan_payments

REWARD = Decimal("2.00")
BATCH = """HITId,AssignmentId,WorkerId,Answer.code,Approve,Reject
h,session_slow,{0}slow,=1,,
h,session_flat,{0}flat,x,,
h,session_other,other,y,,
"""


def rows(text):
    return [*csv.DictReader(io.StringIO(text))]


def a_person(name, outcome="finished", amount="2.00", top_up="0.00", marks=(), platform="prolific"):
    pay = PersonPay(f"r-{name}", outcome, 60, Decimal(amount), top_up=Decimal(top_up))
    ids = PlatformIds(platform, {"PROLIFIC_PID": name} if name else {})
    return ListedPerson(f"r-{name}", outcome, 0, 1, 1, 1, 0, tuple(marks), "", pay, ids)


def lists_of(*people, reject=(), batch=None):
    listed = ListedPeople("study", people, "GBP")
    plan = plan_payments(listed, reward=REWARD, reject_marks=reject)
    return plan, {each.name: each for each in payment_lists(listed, plan, batch=batch)}


@pytest.mark.parametrize("platform", ["prolific", "mturk", "cloudresearch", "link"])
def test_what_is_in_lists_and_what_is_not_sums_up_to_what_is_owed(store, platform):
    ids = {"mturk": ("workerId", "hitId", "assignmentId")}
    ids = ids.get(platform, ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
    study, _ = a_paid_study(store, platform, ids)
    collected = store.read(collect, study)
    report = pay_report(collected)
    listed = store.read(list_people, collected, ids=True, report=report)
    plan = plan_payments(listed, reward=report.reward)
    in_lists = sum(each.amount for each in payment_lists(listed, plan))
    others = sum(person.pay.total for person in plan.unlisted)
    assert (in_lists, others) == (Decimal("9.14"), Decimal("2.00"))
    assert in_lists + others == report.total


def test_a_person_is_in_one_list_of_amounts():
    plan, lists = lists_of(
        a_person("full"), a_person("part", "screened_out", "0.14"), a_person("none", "declined", "0"),
        a_person("gone", "withdrew"), a_person("more", top_up="0.50"),
    )  # fmt: skip
    assert [*plan.decided.values()] == ["approve", "partial", "unpaid", "approve", "approve"]
    assert lists["prolific-approve.txt"].text == "full\ngone\nmore\n"
    assert lists["prolific-partial.csv"].text == "part,0.14\n"
    assert lists["prolific-bonus.csv"].text == "more,0.50\n"
    assert "prolific-reject.csv" not in lists


def test_marks_propose_a_rejection_only_for_who_submitted_and_only_if_asked():
    people = (
        a_person("a", marks=("speed", "duplicate")), a_person("b", "stopped", marks=("speed",)),
        a_person("c", "failed_checks", "0", marks=("speed",)), a_person("d", marks=("hidden_tab",)),
    )  # fmt: skip
    assert "reject" not in lists_of(*people)[0].decided.values()
    plan, lists = lists_of(*people, reject=("speed",))
    assert [*plan.decided.values()] == ["reject", "approve", "reject", "approve"]
    assert [row["id"] for row in rows(lists["prolific-reject.csv"].text)] == ["a", "c"]
    assert plan.reasons["r-a"] == "Flagged by the study’s checks: speed."
    assert "a" not in lists["prolific-approve.txt"].text
    assert "you decide" in lists["prolific-reject.csv"].how


@pytest.mark.parametrize(
    "id_", ["me,100.00\nother", "a\rb", "=1+1", "", "a b", "ä", "x" * 201, 'a"b']
)
def test_an_id_that_no_panel_gives_is_in_no_list(id_):
    plan, lists = lists_of(a_person("good", top_up="1.00"), a_person(id_, top_up="5.00"))
    assert [person.ids.id for person in plan.unlisted] == [id_]
    assert lists["prolific-approve.txt"].text == "good\n"
    assert lists["prolific-bonus.csv"].text == "good,1.00\n"


def test_mturk_gets_its_batch_back_and_bonuses_with_tokens(store, tmp_path):
    study, people = a_paid_study(store, "mturk", ("workerId", "hitId", "assignmentId"))
    listed = store.read(list_people, store.read(collect, study), ids=True)
    flat = people["flat"]
    listed = replace(
        listed,
        people=tuple(
            replace(p, marks=("speed",) if p.person == flat else ()) for p in listed.people
        ),
    )
    plan = plan_payments(listed, reward=REWARD, reject_marks=("speed",))
    (tmp_path / "batch.csv").write_text(BATCH.format(RAW))
    batch = read_table(tmp_path / "batch.csv", known=None)
    lists = {each.name: each for each in payment_lists(listed, plan, batch=batch)}
    back = rows(lists["mturk-batch.csv"].text)
    assert [(row["Approve"], row["Reject"]) for row in back] == [
        ("X", ""), ("", "Flagged by the study’s checks: speed."), ("", ""),
    ]  # fmt: skip
    assert back[0]["Answer.code"] == "=1"  # as MTurk wrote it
    assert (lists["mturk-batch.csv"].people, lists["mturk-batch.csv"].amount) == (2, 2)
    paid = {row["WorkerId"].removeprefix(RAW): row for row in rows(lists["mturk-bonus.csv"].text)}
    assert {name: row["BonusAmount"] for name, row in paid.items()} == {
        "slower": "1.00", "out": "0.14",
    }  # fmt: skip
    assert paid["slower"]["AssignmentId"] == "session_slower"
    tokens = {row["UniqueRequestToken"] for row in paid.values()}
    assert len(tokens) == 2 and all(len(token) == 32 for token in tokens)
    again = {each.name: each for each in payment_lists(listed, plan)}
    assert again["mturk-bonus.csv"].text == lists["mturk-bonus.csv"].text
    assert "session_slow\n" in again["mturk-approve.txt"].text


def a_worker(worker, assignment, marks=()):
    raw = {"workerId": worker, "assignmentId": assignment}
    who = a_person(worker, marks=marks)
    return replace(who, ids=PlatformIds("mturk", {name: id_ for name, id_ in raw.items() if id_}))


@pytest.mark.parametrize("claimed", ["V1", "X\nV1", "=V1"])
def test_the_assignment_of_somebody_else_pays_nobody(claimed):
    plan, lists = lists_of(a_worker("mallory", claimed), a_worker("vic", "V1"), a_worker("w", "W1"))
    assert lists["mturk-approve.txt"].text == ("W1\n" if claimed == "V1" else "V1\nW1\n")
    assert "mallory" in [person.ids.id for person in plan.unlisted]


def test_a_batch_is_decided_by_who_worked_and_not_by_the_assignment_that_somebody_claims(tmp_path):
    """A worker who is flagged cannot have the row of another rejected, nor one worker's row count twice."""
    text = "WorkerId,AssignmentId\nvic,V1\nmallory,M1\ntwice,T1\ntwice,T2\nagain,A2\n"
    (tmp_path / "batch.csv").write_text(text)
    batch = read_table(tmp_path / "batch.csv", known=None)
    _, lists = lists_of(
        a_worker("vic", ""), a_worker("mallory", "V1", ["speed"]), a_worker("twice", "T2"),
        a_worker("again", "A1"), reject=("speed",), batch=batch,
    )  # fmt: skip
    decided = [
        (row["AssignmentId"], row["Approve"], bool(row["Reject"]))
        for row in rows(lists["mturk-batch.csv"].text)
    ]
    assert decided == [
        ("V1", "X", False), ("M1", "", True), ("T1", "", False), ("T2", "X", False), ("A2", "X", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [("a,b\n1,2\n", "a batch has the columns"), (BATCH.format("z"), "none of its assignments")],
)
def test_another_file_is_no_batch(tmp_path, text, says):
    (tmp_path / "batch.csv").write_text(text.replace("session_", "others_"))
    batch = read_table(tmp_path / "batch.csv", known=None)
    person = replace(a_person("w"), ids=PlatformIds("mturk", {"workerId": "w"}))
    with pytest.raises(BadInput, match=says):
        lists_of(person, batch=batch)


def test_sona_gets_survey_codes_and_connect_a_table_to_copy():
    _, lists = lists_of(
        a_person("1234", platform="sona"), a_person("77", platform="sona", marks=("speed",)),
        a_person("c1", platform="cloudresearch", top_up="0.25"), reject=("speed",),
    )  # fmt: skip
    assert lists["sona-credit.txt"].text == "1234\n"
    assert lists["sona-no-credit.csv"].people == 1
    (row,) = rows(lists["cloudresearch.csv"].text)
    assert (row["participantId"], row["decision"], row["bonus"]) == ("c1", "approve", "0.25")
    assert lists["cloudresearch.csv"].amount == Decimal("2.25")
