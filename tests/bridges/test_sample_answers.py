"""What samples of a log answer: faults cost one sample, repeats count once, contradictions not at all."""

import pytest

from support import evaluation_logs as logs
from support.evaluation_logs import made, pair_log
from tiltmeter.core.errors import BadInput


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
    assert result.card.invalid == [f"{place}: {reason}"]


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
