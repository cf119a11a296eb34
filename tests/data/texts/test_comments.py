"""Comments of a user's table: labels as given, and what is refused."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.texts.comments import read_comments

ROWS = ("a,racist", "b,neither", "c,ageist", "d,sexist", "e,neither")
DEFAULTS = {"kinds": "", "neither": ""}


def table(tmp_path, rows=ROWS, header="text,label"):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def read(path, **options):
    settings = {key: options.pop(key) for key in ("kinds", "neither") if key in options}
    return read_comments(path, {**DEFAULTS, **settings}, **options)


def test_the_labels_of_the_paper_come_first(tmp_path):
    comments = read(table(tmp_path))
    assert comments.labels == ("sexist", "racist", "ageist", "neither")
    assert comments.kinds == ("sexist", "racist", "ageist")
    assert [text.text for text in comments.by_label["neither"]] == ["b", "e"]
    (text,) = comments.by_label["racist"]
    assert (text.id, text.cluster, text.where) == ("1", "1", "mine.csv:2")
    assert comments.ambiguous == ()


def test_kinds_and_neither_are_named(tmp_path):
    path = table(tmp_path, ["a,hateful", "b,fine", "c,rude"])
    comments = read(path, kinds="rude, hateful", neither="fine")
    assert comments.labels == ("rude", "hateful", "fine")
    with pytest.raises(UnknownName, match=r"'hatefull'\. Did you mean 'hateful'"):
        read(path, kinds="hatefull", neither="fine")


def test_a_label_that_is_not_wanted(tmp_path):
    path = table(tmp_path)
    with pytest.raises(
        BadItems, match=r"mine.csv:4: the label 'ageist' is none of sexist, racist and neither"
    ):
        read(path, kinds="sexist,racist")
    comments = read(path, kinds="sexist,racist", skip_invalid=True)
    assert comments.labels == ("sexist", "racist", "neither")
    assert [problem.line for problem in comments.about.invalid] == [4]


def test_groups_and_clusters_are_kept(tmp_path):
    rows = ["a,rude,x,t", "b,neither,y,t"]
    comments = read(table(tmp_path, rows, "text,label,group_site,cluster"))
    assert [(t.groups, t.cluster) for t in comments.by_label["rude"]] == [({"site": "x"}, "t")]


@pytest.mark.parametrize(
    ("rows", "header", "said"),
    [
        (ROWS, "text,kind", r"no column named label .*--map label=COLUMN"),
        (
            ["a,0", "b,1"],
            "text,label",
            r"a label is '0', which cannot stand in a question .*0=neither",
        ),
        (["a,{x}", "b,neither"], "text,label", r"a label is '\{x\}'"),
        (
            ["a,rude", "b,fine"],
            "text,label",
            r"'neither', which texts of no kind have; labels are 'fine'",
        ),
        (["a,neither"], "text,label", "every text has the label 'neither'"),
        (
            ["a,Rude", "b,rude", "c,neither"],
            "text,label",
            "differ in case only: 'Rude', 'neither', 'rude'",
        ),
        (["a,rude,x", "b,neither,y"], "text,label,group_setting", "which the study uses itself"),
    ],
)
def test_tables_that_cannot_be_asked_about(tmp_path, rows, header, said):
    with pytest.raises(BadInput, match=said):
        read(table(tmp_path, rows, header))


def test_rows_that_cannot_be_asked_about(tmp_path):
    path = table(tmp_path, ["a,rude", " A ,neither", ",rude", "b,", "c,neither", "C,neither"])
    with pytest.raises(BadItems) as refused:
        read(path)
    assert [problem.line for problem in refused.value.problems] == [4, 5]
    with pytest.raises(BadItems) as refused:
        read(table(tmp_path, ["a,rude", " A ,neither", "c,neither", "C,neither"]))
    first, second = refused.value.problems
    assert first.reason == "the same text as in line 2, where the label is 'rude'"
    assert second.reason == "the same text as in line 4"
    comments = read(path, skip_invalid=True)
    assert {label: len(texts) for label, texts in comments.by_label.items()} == {
        "rude": 1,
        "neither": 1,
    }
    assert [problem.line for problem in comments.about.invalid] == [3, 5]


def test_without_a_text_of_no_kind(tmp_path):
    comments = read(table(tmp_path, ["a,rude"]), needs_neither=False)
    assert comments.by_label["neither"] == ()
    assert comments.kinds == ("rude",)
