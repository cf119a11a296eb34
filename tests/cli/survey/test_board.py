"""tiltmeter survey board: from a file with labels to standings and receipts."""

import csv
import json

import pytest

from support.survey.boards import labelled_file, made_up, predictions, scores_like
from tiltmeter.core.errors import Unavailable
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.studies.stereoset import sample
from tiltmeter.survey.boards import store as board_store
from tiltmeter.survey.boards.board import checked_scores
from tiltmeter.survey.boards.contexts import development_text
from tiltmeter.survey.boards.store import opened_board
from tiltmeter.survey.store import SurveyStore

DATA = made_up(4, 3)


@pytest.fixture
def board(tilt, tmp_path, monkeypatch):
    """A board b in survey.db; files are checked in this process."""
    labelled_file(tmp_path, DATA)
    assert tilt("survey", "board", "create", "b", "--labels", "labels.json")[0] == 0
    monkeypatch.setattr("tiltmeter.survey.boards.store.within", lambda _, work, *args: work(*args))
    (tmp_path / "p.json").write_text(predictions(scores_like(DATA, 0.9, 0.5)))


@pytest.mark.usefixtures("board")
def test_a_submission_and_its_receipt(tilt, tmp_path):
    args = ("submit", "b", "p.json", "--as", "ann", "--model", "m", "--receipt", "r.json")
    code, out, err = tilt("survey", "board", *args)
    assert code == 0, err
    scores = ", ".join(
        f"{name} {value:.1f}"
        for name, value in json.loads((tmp_path / "r.json").read_text())["scores"].items()
    )
    assert out == f"m of ann on b (new): {scores}\n"
    made = json.loads((tmp_path / "r.json").read_text())
    listed = json.loads(tilt("survey", "board", "list", "b", "--json")[1])["standings"]
    by_model = {row["model"]: row for row in listed}
    assert listed[0]["model"] == "ideal" and {*by_model} >= {"ideal", "stereotyped", "random", "m"}
    assert {name: by_model["m"][name] for name in made["scores"]} == made["scores"]
    assert (by_model["m"]["rank"], by_model["m"]["rank_high"], by_model["ideal"]["rank"]) == (
        1,
        1,
        None,
    )
    lines = tilt("survey", "board", "list", "b")[1].splitlines()
    assert lines[0].split() == ["rank", "model", "submitter", "icat", "lms", "ss"]
    (line,) = (line for line in lines if line.startswith("1 (1–1)"))
    assert line.split()[2:5] == ["m", "ann", f"{made['scores']['icat']:.1f}"]
    assert max(map(len, lines)) <= 80
    code, _, err = tilt("survey", "board", "list", "b", "--csv", "s.csv")
    assert code == 0 and "s.csv" in err
    rows = [*csv.DictReader((tmp_path / "s.csv").read_text("utf-8").splitlines())]
    assert [row["model"] for row in rows] == [row["model"] for row in listed]
    assert "b: open since 20" in tilt("survey", "board", "list")[1]
    found = json.loads(tilt("survey", "board", "list", "--json")[1])["boards"][0]
    assert (found["submitters"], found["submissions"], found["closed"]) == (1, 1, False)
    code, out, _ = tilt("survey", "board", "verify", "r.json", "--file", "p.json")
    assert code == 0 and out.startswith("genuine: m of ann on b, ")
    code, _, err = tilt("survey", "board", "verify", "r.json", "--file", "none.json")
    assert code == 2 and "none.json: there is no such file" in err
    code, _, err = tilt("survey", "board", "verify", "r.json", "--file", "labels.json")
    assert code == 2 and "labels.json: the receipt is about another file" in err
    (tmp_path / "r2.json").write_text((tmp_path / "r.json").read_text().replace("ann", "bo"))
    code, _, err = tilt("survey", "board", "verify", "r2.json")
    assert code == 2 and "r2.json: the board 'b' of this database did not issue it" in err
    for text in ("{}", "[1]", "x", (tmp_path / "r.json").read_text().replace('"ann"', "[]")):
        (tmp_path / "r3.json").write_text(text)
        assert "r3.json: is no receipt" in tilt("survey", "board", "verify", "r3.json")[2]


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("create", "b", "--labels", "labels.json"), "there is a board 'b' already"),
        (("create", "../x", "--labels", "labels.json"), "'../x' is no name for a board"),
        (("create", "c", "--labels", "none.json"), "none.json: no such file"),
        (("submit", "c", "p.json", "--as", "ann", "--model", "m"), "No board named 'c'. Known: b."),
        (
            ("submit", "b", "none.json", "--as", "ann", "--model", "m"),
            "none.json: there is no such file",
        ),
        (
            ("submit", "b", "p.json", "--as", "ann", "--model", "m", "--receipt", "."),
            "this is a folder; name a file",
        ),
        (("create", "c", "--labels", "labels.json", "--seconds", "inf"), "--seconds"),
        (("export-contexts", "b", "--out", "p.json"), "p.json: this is a file, not a folder"),
    ],
)
def test_mistakes_are_named(tilt, args, says):
    code, _, err = tilt("survey", "board", *args)
    assert code == 2 and says in err
    assert "0 submissions" in tilt("survey", "board", "list")[1]


def test_the_next_command_names_the_database(tilt, tmp_path):
    labelled_file(tmp_path, DATA)
    command = ("survey", "board", "create", "b", "--labels", "labels.json", "--database", "o.db")
    code, _, err = tilt(*command)
    assert code == 0 and "survey board export-contexts b --database o.db" in err


def test_a_split_publishes_a_quarter_of_the_terms_with_labels(tilt, tmp_path):
    data = made_up(8, 2)
    labelled_file(tmp_path, data)
    code, _, err = tilt(
        "survey", "board", "create", "b", "--labels", "labels.json", "--publish-part"
    )
    assert code == 0, err
    assert tilt("survey", "board", "export-contexts", "b", "--out", "out")[0] == 0
    public = json.loads((tmp_path / "out" / "b-contexts.json").read_text("utf-8"))
    hidden = {cluster["id"] for cluster in public["data"]["intrasentence"]}
    development = read_triples(tmp_path / "out" / "b-development.json").items
    assert len({item.target for item in development}) == 2
    assert hidden == {item.id for item in data.items} - {item.id for item in development}
    assert "gold" not in json.dumps(public)


def test_sentences_get_new_ids_where_theirs_tell_labels(tilt, tmp_path):
    data = sample()  # ids such as within-0/stereotype
    (tmp_path / "labels.json").write_text(development_text(data), "utf-8")
    code, out, err = tilt("survey", "board", "create", "b", "--labels", "labels.json")
    assert code == 0 and "sentences have new ids" in err
    assert "The board b is open: 15 contexts about 4 target terms" in out
    assert "With so few target terms a single context may move the scores" in err
    tilt("survey", "board", "export-contexts", "b")
    public = (tmp_path / "b-contexts.json").read_text("utf-8")
    assert "stereotype" not in public
    with SurveyStore(tmp_path / "survey.db") as store:
        board = opened_board(store, "b")
        item = next(i for i in board.labelled().items if i.id == "within-3")
    assert item.names[0] in public and item.attributes[0] == "gentle"


@pytest.mark.usefixtures("board")
def test_faults_are_found_without_labels_and_changed_labels_are_not_used(tmp_path, caplog):
    board_store._read.cache_clear()
    (tmp_path / "labels.json").write_text("{}")
    with SurveyStore(tmp_path / "survey.db") as store:
        board = opened_board(store, "b")
        assert checked_scores(tmp_path / "p.json", board.contexts)
        with pytest.raises(Unavailable, match="the file has no faults") as found:
            board.submit("ann", "m", tmp_path / "p.json")
        assert "labels.json" not in str(found.value)
        assert "labels.json: it was changed since the board was made" in caplog.text
        assert board.state.all_shown() == ()


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize("name", [" ", "a\x1b[31m"])
def test_a_submitter_has_a_name(tilt, name):
    code, _, err = tilt("survey", "board", "submit", "b", "p.json", "--as", name, "--model", "m")
    assert (code, "is no name for a submitter" in err) == (2, True)


def test_the_page_of_a_group_in_a_group(tilt):
    code, out, _ = tilt("survey", "board", "-h")
    assert code == 0
    assert "tiltmeter survey board [OPTIONS] COMMAND" in out
    assert "export-contexts  Write what submitters need" in out
    code, _, err = tilt("survey", "bored")
    assert code == 2
    assert "Did you mean 'board'" in err
