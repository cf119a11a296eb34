"""Logged answers in place of a model: the same numbers, and no item lost on the way."""

import json
from dataclasses import replace

import pytest

import tiltmeter as tm
from support.evaluation_logs import answered
from tiltmeter.bridges.answers import LoggedAnswers, asked_rows
from tiltmeter.bridges.matching import result_of
from tiltmeter.bridges.samples import EvaluationLog
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Reply
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions


def numbers(estimates):
    return [(e.name, e.groups, e.value, e.low, e.high, e.p, e.n) for e in estimates]


@pytest.mark.parametrize(
    ("study", "writes", "rule"),
    [("prompts", True, "word"), ("prompts", True, "contains"), ("prompts", False, "choice"),
     ("starter_pairs", False, "log_likelihood")],
)  # fmt: skip
def test_a_log_of_an_exported_task_gives_the_numbers_of_a_run(study, writes, rule):
    rows = asked_rows(study, writes=writes, chats=True, rule=rule)
    log = EvaluationLog(
        "inspect_ai", "renamed", "fake", "l", "0",
        [answered(row, n) for n, row in enumerate(rows)], chats=True,
    )  # fmt: skip
    result = result_of(log, RunOptions(), Logged())[1]
    run = tm.run(study, "fake", rule=rule)
    assert (result.card.rule, result.card.convention, result.card.invalid) == (rule, "paper", ())
    assert [record.item for record in result.records] == [record.item for record in run.records]
    assert numbers(result.estimates) == numbers(run.estimates)


def test_a_lost_row_loses_its_item_alone():
    rows = asked_rows("prompts", writes=False, chats=True)  # two orders of the options each
    assert len(rows) == 2 * len({row.item.id for row in rows})
    log = EvaluationLog(
        "lm_eval", "", "m", "l", "0", [answered(row, 0) for row in rows[1:]], chats=True
    )
    result = result_of(log, RunOptions(), Logged())[1]
    assert [record.item for record in result.records] == [row.item.id for row in rows[2::2]]


def test_a_row_says_what_reads_it_back():
    row = asked_rows("prompts", writes=True, chats=True, settings={"wrap": "text"})[0]
    about = json.loads(row.fields["tiltmeter"])
    assert (about["study"], about["rule"], about["settings"]["wrap"]) == (
        "prompts",
        "stated",
        "text",
    )
    assert not row.request.prompt.chat and row.fields["id"] == row.item.id


def test_a_study_that_asks_nothing_in_words_is_no_task():
    with pytest.raises(CannotAnswer, match="no rule of starter_pairs asks"):
        asked_rows("starter_pairs", writes=True, chats=True)


def test_stop_texts_end_the_answer_where_a_model_thought():
    rows = asked_rows("prompts", writes=True, chats=True)
    thought, plain = (
        Reply("\nPowerful\nI chose", "length", thought="Hm\nHm"),
        Reply("\nPowerful\nI chose"),
    )
    requests = [replace(row.request, stop=("\n",)) for row in rows[:2]]
    answers = dict(zip(requests, (thought, plain), strict=True))
    model = LoggedAnswers({}, answers, chats=True)
    assert [(r.text, r.finish) for r in model.write(requests)] == [
        ("Powerful", "stop"), ("\nPowerful\nI chose", "stop"),  # whoever asked applied them to that
    ]  # fmt: skip
