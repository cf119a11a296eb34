"""import finds the study that reads a table of scores, predictions or outcomes by its layout."""

import json

import pytest

PAIRS = "id,sent_more,sent_less,sent_more_score,sent_less_score\n" + "".join(
    f"p{n},The old man {n} sang.,The young man {n} sang.,-{n % 3},-1\n" for n in range(12)
)
LABELS = "id,text,label,score\n" + "".join(
    f"t{n},text {n},{['rude', 'kind'][n % 2]},0.{n % 9}\n" for n in range(12)
)
GROUPS = "id,text,label,score,gender\n" + "".join(
    f"t{n},text {n},{['rude', 'kind'][n % 2]},0.{n % 9},{'fm'[n // 6]}\n" for n in range(12)
)
OUTCOMES = "selected,sex\n" + "".join(f"{n % 3 // 2},{'fm'[n % 2]}\n" for n in range(40))
ENTRIES = [{"id": "s1", "score": -1.5}]
PREDICTIONS = json.dumps({"intrasentence": ENTRIES, "intersentence": []})


@pytest.mark.parametrize(
    ("name", "content", "study", "options"),
    [
        ("a.csv", PAIRS, "pairs", ()),
        ("a.csv", LABELS, "classification", ("--set", "positive=rude")),
        ("a.csv", GROUPS, "fairness_gaps", ("--set", "positive=rude")),
        ("a.csv", OUTCOMES, "decisions", ()),
        (
            "mapped.csv",
            PAIRS.replace("sent_more,", "worse,", 1),
            "pairs",
            ("--map", "sent_more=worse"),
        ),
    ],
)
def test_tables_are_read_by_the_study_whose_layout_they_have(
    tilt, tmp_path, name, content, study, options
):
    (tmp_path / name).write_text(content)
    code, out, err = tilt("import", name, *options, "--json")
    assert code == 0, err
    assert json.loads(out)["card"]["study"] == study
    named = json.loads(tilt("import", name, "--study", study, *options, "--json")[1])
    assert named["estimates"] == json.loads(out)["estimates"]


def test_predictions_of_stereoset_are_recognised(tilt, tmp_path):
    (tmp_path / "p.json").write_text(PREDICTIONS)
    code, _, err = tilt("import", "p.json", "--data", "nowhere.json")
    assert code == 2 and "nowhere.json" in err  # StereoSet is asked for its data


def test_several_tables_of_one_study_are_compared(tilt, tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(PAIRS.replace("-1\n", "-1\n" if name == "a.csv" else "-0.5\n"))
    code, out, err = tilt("import", "a.csv", "b.csv", "--name", "A", "--name", "B", "--json")
    assert code == 0, err
    assert any(e["name"].endswith("_difference") for e in json.loads(out)["estimates"])
    code, _, err = tilt("import", "a.csv", "b.csv", "--name", "A")
    assert code == 2 and "files: 2, names: 1; give one --name a file" in err


def test_a_file_is_renamed_by_the_name_that_it_has(tilt, tmp_path):
    """OLD=NEW renames that file's model; another keeps its name."""
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(PAIRS)
    code, out, err = tilt("import", "a.csv", "b.csv", "--name", "b=new", "--json")
    assert code == 0, err
    assert {e["model"] for e in json.loads(out)["estimates"]} >= {"a", "new"}
    code, _, err = tilt("import", "a.csv", "b.csv", "--name", "c=new")
    assert code == 2 and "No model in these files named 'c'" in err
