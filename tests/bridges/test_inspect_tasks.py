"""Tasks of inspect_ai, as far as they go without it."""

from types import SimpleNamespace

import tiltmeter as tm
from support.evaluation_logs import answered
from tiltmeter.bridges.answers import asked_rows
from tiltmeter.bridges.inspect_tasks import askable_studies, metadata_of, numbers_of
from tiltmeter.run.asking.manner import Manner


def test_metrics_of_inspect_are_the_studys_numbers_with_their_intervals():
    samples = [
        answered(row, n) for n, row in enumerate(asked_rows("prompts", writes=True, chats=True))
    ]
    scores = [
        SimpleNamespace(
            sample_id=s.id,
            sample_metadata=s.fields,
            score=SimpleNamespace(answer=s.reply, metadata=None),
        )
        for s in samples
    ]
    run = tm.run("prompts", "fake")
    whole = {e.name: (e.value, e.low, e.high) for e in run.estimates if not e.groups}
    shown = numbers_of(scores)
    strict = ("strict_accuracy", "strict_accuracy_low", "strict_accuracy_high")
    assert tuple(map(shown.get, strict)) == whole["strict_accuracy"]
    assert numbers_of([]) == {}  # which inspect_ai asks for before the first sample


def test_there_is_a_task_for_each_study_in_which_a_model_writes():
    assert "bbq" in askable_studies() and "starter_pairs" not in askable_studies()


def test_a_model_that_thinks_has_room_for_it_and_no_stop_texts():
    settings = {"stop": "newline"}
    (plain, *_) = asked_rows(
        "story_choice", writes=True, chats=True, rule="word", settings=settings
    )
    manner = Manner(answer_tokens=50, thinking_tokens=1_000)
    (row, *_) = asked_rows(
        "story_choice", writes=True, chats=True, rule="word", settings=settings, manner=manner
    )
    asked = [metadata_of(plain, thinks=False), metadata_of(row, thinks=True)]
    assert [(each["max_tokens"], each["stop"]) for each in asked] == [(16, ["\n"]), (1_050, [])]
    assert plain.request.prompt == row.request.prompt
