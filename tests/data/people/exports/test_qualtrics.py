"""Exports of Qualtrics: items by column, responses of nobody."""

from data.people.exports.examples import qualtrics, table
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading


def test_columns_of_qualtrics_that_are_named_are_the_items(tmp_path):
    rows = [("StartDate", "ResponseId", "Q1", "Q2"), ("d", "a", 1, 2), ("d", "b", 1, 3)]
    how = AnswerReading(questions=("Q1", "Q2"))
    found = read_judgments(table(tmp_path / "q.csv", rows), how)
    assert found.items == ("Q1", "Q2")
    assert found.answers["answer"].tolist() == [[1, 1], [2, 3]]


def test_responses_of_nobody_are_left_out_and_unfinished_ones_are_noted(tmp_path):
    path, _ = qualtrics(tmp_path)
    lines = path.read_text().splitlines()
    made_up = [
        line.replace("Survey Preview", "Survey Test") for line in lines if "Survey Preview" in line
    ]
    head = lines[0].replace("Status", "Status,Finished")
    rows = [line.replace("IP Address,", "IP Address,True,").replace("Survey Preview,", "Survey Preview,True,")
            .replace("Survey Test,", "Survey Test,True,") for line in [*lines[3:], *made_up]]  # fmt: skip
    heads = [line.replace(",", ",x,", 1) for line in lines[1:3]]
    rows[0] = rows[0].replace("True", "False")
    path.write_text("\n".join([head, *heads, *rows]) + "\n")
    found = read_judgments(path)
    assert found.annotators == ("ann", "bo", "cy")
    assert "1 response was not finished; its answers count." in found.notes
    assert "Left out: 1 preview, 1 test response." in found.notes
