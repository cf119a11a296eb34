"""What samples of a log answer: faults cost one sample, repeats count once, contradictions not at all."""

import json

import pytest

from support import evaluation_logs as logs
from support.evaluation_logs import answered, made, pair_log
from tiltmeter.bridges.answers import asked_rows
from tiltmeter.bridges.matching import result_of
from tiltmeter.bridges.samples import EvaluationLog
from tiltmeter.core.errors import BadInput
from tiltmeter.run.run_options import RunOptions


def bad(*values, at=0):
    def change(rows):
        rows[at]["resps"] = [[[value, "False"]] for value in values]

    return change


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (("NaN", "-2.0"), "the log-probability of its option 1 is NaN"),
        ((3.5, "-2.0"), "the log-probability of its option 1 is 3.5, above 0"),
        (("-1.0", "-2.0", "-3.0"), "it has 3 log-probabilities for 2 options"),
    ],
)
@pytest.mark.parametrize("at", [0, 3])
def test_one_bad_log_probability_costs_one_sample(tmp_path, values, reason, at):
    result = made(pair_log(tmp_path, bad(*values, at=at)))
    assert (result.card.study, result.card.counts["scored"]) == ("starter_pairs", 5)
    place = f"samples_starter_pairs_{logs.DATE}.jsonl:{at + 1}: sample '{at}'"
    assert result.card.invalid == (f"{place}: {reason}",)


def test_where_all_are_bad_the_reason_is_the_true_one(tmp_path):
    def change(rows):
        for row in rows:
            bad("NaN", "-1.0")([row])

    path = pair_log(tmp_path, change)
    with pytest.raises(
        BadInput, match=r"scored \(sample '0': the log-probability of its option 1 is NaN"
    ):
        made(path, study="starter_pairs")


def test_two_samples_of_one_item_count_once_and_contradictions_not_at_all(tmp_path):
    def change(rows):
        rows.append({**rows[0], "doc_id": 10})  # says the same
        rows.append({**rows[1], "doc_id": 11})
        bad("-9.0", "-1.0")(rows[-1:])

    result = made(pair_log(tmp_path, change))
    assert result.card.counts["scored"] == 5
    reasons = [line.partition(": ")[2] for line in result.card.invalid]
    assert reasons == [
        "sample '10': sample '0' has the same answer to its item, which counts",
        "sample '11': sample '1' answers its item differently",
        "sample '1': another sample answers its item differently",
    ]


def epochs(folder, replies):
    """A log of inspect_ai of the first questions of `prompts`, each with these replies in its epochs."""
    rows = asked_rows("prompts", writes=True, chats=True)
    samples = [
        {**logs.inspect_sample(row.fields["id"], reply, metadata=row.fields), "epoch": epoch}
        for row, said in zip(rows, replies, strict=False)
        for epoch, reply in enumerate(said, 1)
        if reply
    ]
    path = folder / "log.json"
    path.write_text(json.dumps(logs.inspect_log(samples, "tiltmeter/prompts")))
    return path


def test_epochs_are_repeats_of_a_question(tmp_path):
    result = made(
        epochs(tmp_path, [("yes", "no", "yes"), ("no", "no", "no"), ("yes", "yes", "yes")])
    )
    assert (result.card.counts["repeats"], result.card.counts["scored"]) == (3, 9)
    changed = next(
        e for e in result.estimates if e.name == "changed_between_repeats" and not e.groups
    )
    assert round(changed.value, 1) == 33.3 and changed.n == 3
    first = [(r.first, r.repeat, r.said) for r in result.records][:3]
    assert [(repeat, said) for _, repeat, said in first] == [(0, "yes"), (1, "no"), (2, "yes")]
    assert len({item for item, _, _ in first}) == 1


def test_of_unequal_numbers_of_epochs_those_count_that_keep_most_replies(tmp_path):
    lacks = [("yes", "no", "yes"), ("no", "", "no"), ("yes", "yes", ""), ("no", "no", "no")]
    result = made(epochs(tmp_path, lacks))  # 2 of 4 questions, or 3 of 2
    assert (result.card.counts["repeats"], result.card.counts["scored"]) == (2, 8)
    reasons = [line.rpartition(": ")[2] for line in result.card.invalid]
    assert reasons == ["it is repeat 3 of 3 where 2 count"] * 2
    said = [(r.repeat, r.said) for r in result.records if r.first == result.records[2].first]
    assert said == [(0, "no"), (1, "no")]  # the second epoch failed


def test_a_study_whose_data_ask_for_repeats_takes_a_log_without():
    rows = asked_rows("story_choice", writes=True, chats=True)
    samples = [answered(row, n) for n, row in enumerate(rows)]
    log = EvaluationLog("inspect_ai", "tiltmeter/story_choice", "m", "f", "", samples, chats=True)
    result = result_of(log, RunOptions(), None)[1]
    assert result.card.counts["scored"] == len(rows) and "repeats" not in result.card.counts
