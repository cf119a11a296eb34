"""People's labels as a judge: a plain table, and the export of a survey."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.judges import PeopleJudge, open_judge

HEAD = "person,item,question,kind,round,value\n"


def test_a_table_of_labels(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("text,label\nHello,fine\nHello,rude\nHello,rude\nBye,fine\n", "utf-8")
    made = open_judge(f"people:{path}")
    assert isinstance(made, PeopleJudge)
    assert made.votes == {
        ("", "Hello"): [("", "fine"), ("", "rude"), ("", "rude")],
        ("", "Bye"): [("", "fine")],
    }
    assert made.classes == ["fine", "rude"]
    assert made.classify(["Bye", "Hello", "other"]) == ["fine", "rude", ""]
    assert "4 labels of 2 texts in mine.csv" in made.instrument


def test_the_export_of_a_survey_without_training_and_repeats(tmp_path):
    path = tmp_path / "answers.csv"
    rows = "a,i1,label,choice,1,rude\nb,i1,label,choice,1,fine\na,i1,label,choice,2,fine\n"
    path.write_text(f"{HEAD}a,easy,label,choice,0,fine\n{rows}a,i1,why,text,1,so\n", "utf-8")
    (tmp_path / "items.csv").write_text("id,text,group\ni1,Hello,x\ni2,Bye,y\n", "utf-8")
    assert open_judge(f"people:{path}").votes == {("i1", "Hello"): [("a", "rude"), ("b", "fine")]}


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("text,label\nHello,\n", BadItems, "label is empty"),
        ("label\nfine\n", BadInput, "text"),
        (f"{HEAD}a,easy,label,choice,0,fine\n", BadInput, "items.csv"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path, text, error, says):
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(error, match=says):
        open_judge(f"people:{path}")
