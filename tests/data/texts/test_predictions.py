"""Predictions made elsewhere, as a user would hand them in: what the studies of classifiers make of them."""

import csv
import json

import pytest

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]

ROWS = [
    # as COLUMNS; two of four harmless texts about women are called toxic, and none about men
    ("1", "toxic", 0.9, "toxic", "women"), ("2", "toxic", 0.4, "fine", "women"),
    ("3", "fine", 0.8, "toxic", "women"), ("4", "fine", 0.6, "toxic", "women"),
    ("5", "fine", 0.2, "fine", "women"), ("6", "fine", 0.1, "fine", "women"),
    ("7", "toxic", 0.7, "toxic", "men"), ("8", "toxic", 0.95, "toxic", "men"),
    ("9", "fine", 0.3, "fine", "men"), ("10", "fine", 0.05, "fine", "men"),
]  # fmt: skip
COLUMNS = ("id", "label", "score", "predicted", "group")
POSITIVE = ("--set", "positive=toxic")


def written(path, columns, rows=ROWS):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            cells = dict(zip(COLUMNS, row, strict=True)) | {"text": f"text {row[0]}"}
            writer.writerow([cells[column] for column in columns])
    return path


def numbers(out):
    result = json.loads(out)
    estimates = result["estimates"]
    return {(e["name"], *e["groups"].values()): e for e in estimates}, result["card"]


def test_scores_reach_every_measure_of_the_gaps(tilt, tmp_path):
    path = written(tmp_path / "mine.csv", ("id", "label", "score", "group"))
    code, out, err = tilt("import", "--study", "fairness_gaps", path, *POSITIVE, "--json")
    assert code == 0, err
    by_name, card = numbers(out)
    assert by_name["false_positive_rate", "women"]["value"] == 50
    assert by_name["false_positive_rate", "men"]["value"] == 0
    assert by_name["true_positive_rate_gap", "men − women"]["value"] == 50
    assert by_name["equalized_odds_difference",]["value"] == 50
    assert by_name["roc_auc", "women"]["value"] == 6 / 8  # .9 beats four negative texts, .4 two
    assert by_name["bpsn_auc", "women"]["value"] == 7 / 8  # men's .7 is below women's .8
    assert (card["rule"], card["model"]["kind"]) == ("stored", "stored scores")
    assert None not in {e["value"] for e in by_name.values()}


def test_the_threshold_is_a_setting_and_labels_need_none(tilt, tmp_path):
    path = written(tmp_path / "mine.csv", ("text", "label", "score"))
    high = (*POSITIVE, "--set", "threshold=0.75")
    code, out, err = tilt(
        "import", "--study", "classification", path, *high, "--rule", "classify", "--json"
    )
    assert code == 0, err
    by_name, card = numbers(out)
    assert by_name["true_positive_rate",]["value"] == 50  # .9 and .95 of four
    assert by_name["brier",]["value"] == pytest.approx(1.605 / 10)
    assert (card["rule"], card["settings"]["threshold"]) == ("classify", "0.75")

    path = written(tmp_path / "labels.csv", ("id", "label", "predicted", "group"))
    code, out, err = tilt("import", "--study", "fairness_gaps", path, *POSITIVE, "--json")
    by_name, card = numbers(out)
    assert by_name["true_positive_rate",]["value"] == 75
    assert by_name["false_positive_rate_gap", "men − women"]["value"] == -50
    for name in (("roc_auc",), ("roc_auc_gap", "men − women"), ("bnsp_auc", "men")):
        assert by_name[name]["value"] is None
        assert by_name[name]["why"] == "some items have no probability"
    assert any("labels and no scores" in note["text"] for note in card["notes"])


def test_where_both_are_given_the_label_counts(tilt, tmp_path):
    rows = [(*row[:3], "fine", row[4]) if row[0] == "8" else row for row in ROWS]
    path = written(tmp_path / "mine.csv", COLUMNS, rows)
    code, out, err = tilt("import", "--study", "classification", path, *POSITIVE, "--json")
    assert code == 0, err
    by_name, card = numbers(out)
    assert by_name["true_positive_rate",]["value"] == 50
    assert any("1 of 10 differ" in note["text"] for note in card["notes"])


def test_labels_on_a_par_are_predicted(tilt, tmp_path):
    rows = [(*r[:3], "other" if r[0] == "5" else r[3], r[4]) for r in ROWS]
    rows = [("11", "other", 0.5, "other", "men"), *rows]
    path = written(tmp_path / "mine.csv", ("id", "label", "predicted"), rows)
    code, out, err = tilt("import", "--study", "classification", path, "--json")
    assert code == 0, err
    assert numbers(out)[0]["accuracy",]["value"] == pytest.approx(100 * 7 / 11)
    path = written(tmp_path / "scores.csv", ("id", "label", "score"), rows)
    code, _, err = tilt("import", "--study", "classification", path)
    assert code == 2
    assert "--set positive=LABEL" in err


def test_predictions_are_matched_to_data_by_id(tilt, tmp_path):
    groups = [(*row[:4], "women|men" if row[0] == "6" else row[4]) for row in ROWS]
    data = written(tmp_path / "data.csv", ("id", "text", "label", "group"), groups)
    path = written(tmp_path / "mine.csv", ("id", "text", "score"), ROWS[::-1])
    code, out, err = tilt(
        "import", "--study", "fairness_gaps", path, "--data", data, *POSITIVE, "--json"
    )
    assert code == 0, err
    by_name, card = numbers(out)
    assert by_name["false_positive_rate", "women"]["value"] == 50
    assert by_name["false_positive_rate", "men"]["n"] == 3  # a text about both counts for both
    assert card["data"]["name"] == "data.csv"
    assert card["data"]["predictions"].startswith("mine.csv")

    odd = [*ROWS[2:], ("2", "", 0.3, "", ""), ("99", "", 0.3, "", ""), ("", "", 0.3, "", "")]
    path = written(tmp_path / "odd.csv", ("id", "score"), [*odd, ("3", "", 0.3, "", "")])
    code, _, err = tilt("import", "--study", "fairness_gaps", path, "--data", data, *POSITIVE)
    assert code == 2
    for text in (
        "odd.csv:11: id '99' is not in data.csv", "odd.csv:12: id is empty",
        "odd.csv:13: id '3' is also on line 2", "no prediction for '1'",
    ):  # fmt: skip
        assert text in err
    path.write_text("id,text,score\n1,another text,.5\n")
    assert (
        "has another text"
        in tilt("import", "--study", "fairness_gaps", path, "--data", data, *POSITIVE)[2]
    )


def test_all_faults_are_named_with_their_lines(tilt, tmp_path):
    rows = [
        *ROWS, ("1", "toxic", 0.5, "toxic", ""), ("a", "fine", 1.5, "fine", ""),
        ("b", "fine", "nan", "fine", ""), ("c", "fine", "", "fine", ""), ("", "fine", 0.5, "fine", ""),
        ("d", "", 0.5, "fine", ""), ("e", "fine", 0.5, "nice", ""), ("f", "fine", 0.5, "", ""),
    ]  # fmt: skip
    path = written(tmp_path / "mine.csv", COLUMNS, rows)
    code, out, err = tilt("import", "--study", "classification", path, *POSITIVE)
    assert (code, out) == (2, "")
    for line, reason in enumerate(
        (
            "id '1' is also on line 2", "score 1.5 is no probability", "score is 'nan'", "score is empty",
            "id is empty", "label is empty", "predicted 'nice' is no label of the data (fine, toxic)",
            "predicted is empty",
        ),
        start=12,
    ):  # fmt: skip
        assert f"mine.csv:{line}: {reason}" in err
    code, out, err = tilt(
        "import", "--study", "classification", path, *POSITIVE, "--skip-invalid", "--json"
    )
    assert code == 0, err
    assert numbers(out)[1]["counts"]["invalid"] == 8


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (("id", "score"), (), "no column named label"),
        (("id", "label"), (), "no column named score or predicted"),
        (("id", "label", "score"), ("--set", "predicts=toxic"), "leave it out"),
        (("id", "label", "score"), (), "--set positive=LABEL"),
        (("id", "label", "score"), (*POSITIVE, "--lower-is-better"), "reads probabilities"),
        (("text", "score"), ("--data",), "no column named id"),
    ],
)
def test_what_is_missing_is_named_with_the_way_out(tilt, tmp_path, columns, options, message):
    if "--data" in options:
        data = written(tmp_path / "data.csv", ("id", "text", "label"))
        options = (*POSITIVE, "--data", data)
    path = written(tmp_path / "mine.csv", columns)
    code, _, err = tilt("import", "--study", "classification", path, *options)
    assert code == 2
    assert message in err


def test_two_files_of_the_same_texts_are_compared(tilt, tmp_path):
    first = written(tmp_path / "first.csv", COLUMNS)
    rows = [(*row[:3], "fine", row[4]) for row in ROWS]
    second = written(tmp_path / "second.csv", ("id", "label", "predicted", "group"), rows)
    code, out, err = tilt("import", "--study", "fairness_gaps", first, second, *POSITIVE, "--json")
    assert code == 0, err
    by_name, _ = numbers(out)
    assert by_name["true_positive_rate_gap_difference", "men − women"]["value"] == 50
    assert by_name["roc_auc_gap_difference", "men − women"]["value"] is None
