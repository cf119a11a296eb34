"""Questions, stored rankings and tables of outcomes: their groups, clusters, and what is refused."""

import json

import pytest

from tiltmeter.core.data.labelled_items import SMALL
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.files.renamed_columns import renamed_columns
from tiltmeter.studies.decisions.candidate_files import has_questions, read_answers
from tiltmeter.studies.decisions.questions import load_decisions

QUESTION = {
    "filled_template": "Should a 60-year-old white man get the loan?", "decision_question_id": 7,
    "age": 60.0, "gender": "male", "race": "white",
}  # fmt: skip
RANKING = {
    "content": "1. Ann Li", "names": ["ANN LI", "BOB RAY"], "demo": ["A_W", "W_M"], "job": "retail",
    "oversampled": False,
}  # fmt: skip


def jsonl(tmp_path, *rows):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


AGES = "age,sex,shift,selected\n" + "".join(
    f"{n % 50},{'FM'[n % 2]},{n % 3},1\n" for n in range(150)
)


def outcomes(tmp_path, text, **settings):
    path = tmp_path / "outcomes.csv"
    path.write_text(text, "utf-8")
    return read_answers(path, settings=settings)


def test_questions_of_discrim_eval(tmp_path):
    path = jsonl(tmp_path, QUESTION, {**QUESTION, "gender": "female", "age": 20})
    assert has_questions(path)
    first, second = load_decisions(path).items
    assert first.groups == {
        "design": "yes or no", "age": "60", "race": "white", "gender": "male", "group": "white × male",
    }  # fmt: skip
    assert first.options == ("yes", "no", "Yes", "No") and first.roles == ("yes", "no", "yes", "no")
    assert first.cluster == second.cluster == "7" and second.groups["age"] == "20"


def test_stored_rankings_leave_out_what_is_oversampled_and_name_their_groups(tmp_path):
    data, replies = read_answers(jsonl(tmp_path, RANKING, {**RANKING, "oversampled": True}))
    assert [item.positive for item in data.items] == ["Ann Li", "Bob Ray"]
    assert [item.groups["group"] for item in data.items] == ["Asian × female", "white × male"]
    assert replies == ["1. Ann Li"] * 2
    (note,) = data.notes
    assert str(note) == (
        "1 ranking not counted, because the file marks them as oversampled: lines 2."
    )
    with pytest.raises(BadInput, match="all rankings are marked as oversampled"):
        read_answers(jsonl(tmp_path, {**RANKING, "oversampled": True}))
    by_name, _ = read_answers(jsonl(tmp_path, RANKING), settings={"clusters": "name"})
    assert [item.cluster for item in by_name.items] == ["Ann Li", "Bob Ray"]


def test_outcomes_are_read_with_their_groups_and_what_is_unknown(tmp_path):
    text = "sex,race,selected,cluster\nF,Black,1,a\nM,,0,a\nF,White,,b\n"
    data, replies = outcomes(tmp_path, text)
    assert replies == ["chosen", "not chosen", ""]
    assert [item.groups["group"] for item in data.items] == [
        "F × Black", f"unknown{SMALL}", "F × White"
    ]  # fmt: skip
    assert data.items[1].groups["race"] == f"unknown{SMALL}" and data.items[1].groups["sex"] == "M"
    assert [item.cluster for item in data.items] == ["a", "a", "b"]
    single, _ = outcomes(tmp_path, text, groups="sex")
    assert [item.groups["group"] for item in single.items] == ["F", "M", "F"]


def test_scores_are_split_at_the_median_of_the_sample(tmp_path):
    _, replies = outcomes(tmp_path, "sex,score\nF,1\nM,2\nF,3\nM,10\nF,\n")
    assert replies == ["not chosen", "not chosen", "chosen", "chosen", ""]  # above 2.5


def test_what_is_chosen_without_being_asked_for_is_noted(tmp_path):
    rows = "".join(f"p{n},{'FM'[n % 2]},{n}\n" for n in range(12))
    data, _ = outcomes(tmp_path, f"id,sex,score\n{rows}")
    assert [str(note) for note in data.notes] == [
        "The column id has 12 values and is not taken as groups.",
        "Groups are those of the column sex; --set groups=COLUMN,… chooses.",
        "Scores above 5.5, the median of 12 scores, count as chosen.",
    ]
    named, _ = outcomes(tmp_path, "sex,race,selected\nF,a,1\nM,b,0\n", groups="sex")
    assert not named.notes


def test_words_for_decisions_are_known_and_others_are_counted_by_the_column_of_the_file(tmp_path):
    words = "sex,Outcome\n" + "F,Hired\nM,Rejected\n" * 15
    with renamed_columns(tmp_path / "outcomes.csv", {"selected": "Outcome"}):
        _, replies = outcomes(tmp_path, words)
        assert replies == ["chosen", "not chosen"] * 15
        with pytest.raises(BadItems) as caught:
            outcomes(tmp_path, words.replace("Hired", "Ja").replace("Rejected", "Nein"))
    ja, nein, end = str(caught.value).split("\n")
    assert "outcomes.csv:2: Outcome is 'Ja'" in ja and "(and 14 more like it)" in ja
    assert "--map 'selected=Outcome:Ja=1,*=0'" in ja and "Outcome is 'Nein'" in nein
    assert end == "No row can be used."  # --skip-invalid would leave out all


def test_categories_below_a_share_are_marked(tmp_path):
    text = "sex,selected\n" + "F,1\nM,0\n" * 49 + "X,1\nX,0\n"
    data, _ = outcomes(tmp_path, text, least="3")
    assert {item.groups["group"] for item in data.items} == {"F", "M", f"X{SMALL}"}
    assert {item.groups["group"] for item in outcomes(tmp_path, text)[0].items} == {"F", "M", "X"}


@pytest.mark.parametrize(
    ("text", "settings", "why"),
    [
        ("sex,chosen\nF,1\n", {}, "neither a column selected nor a column score.*--map selected="),
        ("selected\n1\n", {}, "no column has groups; give the table a column of groups"),
        ("id,selected\n" + "".join(f"{n},1\n" for n in range(50)), {}, "no column has groups"),
        (AGES, {}, "'age' has 50 values, .* bands .*or name columns of groups: --set groups=sex,shift$"),
        (AGES, {"groups": "age"}, "--set groups=sex,shift$"),
        ("sex,selected\nF,1\n", {"groups": "sxe"}, "sxe.*Did you mean 'sex'"),
        ("sex,selected\nF,1\n", {"least": "x"}, "the setting least is 'x', not a number"),
        ("sex,selected\nF,maybe\n", {}, "selected is 'maybe'; write 1, yes, .*selected:maybe=1"),
        ("sex,selected\n" + "F,1\nM,0\n" * 9, {"least": "0.05"}, "for 5 % write --set least=5"),
        ("sex,score\nF,high\n", {}, "score is 'high', not a number"),
    ],
)  # fmt: skip
def test_tables_that_say_too_little_are_refused(tmp_path, text, settings, why):
    with pytest.raises((BadInput, BadItems, UnknownName), match=why):
        outcomes(tmp_path, text, **settings)


def test_rankings_and_outcomes_that_cannot_be_used_are_refused(tmp_path):
    with pytest.raises(BadItems, match="demo is not a code such as B_W"):
        read_answers(jsonl(tmp_path, {**RANKING, "demo": ["A_W"]}))
    two = jsonl(tmp_path, {**RANKING, "model": "a"}, {**RANKING, "model": "b"})
    with pytest.raises(BadInput, match="rankings of 2 models; give a file for each"):
        read_answers(two)
    with pytest.raises(BadInput, match="no questions for a model; leave out the model"):
        load_decisions(two)
