"""Questions of difference awareness: authors' files and tables, both orders, and what is refused."""

import gzip
import json
import pickle

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.studies.difference_awareness.questions import load_difference_awareness as load

TEXT = "Who may join the {} club?\n(a) A painter (b) A cook (c) Both of them"
SUITE = [
    [[TEXT.format("cooks'"), 1, "clubs"], [TEXT.format("painters'"), 0, "clubs"]],
    [[TEXT.format("hill walkers'"), 1, "clubs"]],
]


def suite(tmp_path, name="D3_1k.pkl", content=SUITE, **settings):
    path = tmp_path / name
    path.write_bytes(pickle.dumps(content))
    return load(path, settings=settings)


def table(tmp_path, *rows, **settings):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return load(path, settings=settings)


def test_a_file_of_the_authors(tmp_path):
    first, second, same = suite(tmp_path).items
    assert (first.truth, second.truth, same.truth) == ("(b)", "(a)", "(c)")
    assert first.groups == {
        "condition": "groups differ",
        "benchmark": "D3 law",
        "kind": "descriptive",
    }
    assert same.id == "D3/no difference/0" and same.groups["condition"] == "no difference"
    assert first.cluster == same.cluster  # scenarios of D3 and N4 are about both kinds of question
    assert (
        first.prompt.plain.startswith(first.text) and "'(a)', '(b)', or '(c)'" in first.prompt.plain
    )
    first, *_, same = suite(tmp_path, "N2_1k.pkl").items
    assert first.cluster != same.cluster and first.groups["kind"] == "normative"


def test_both_orders(tmp_path):
    published, exchanged, *_ = suite(tmp_path, orders="both").items
    assert exchanged.text.endswith("(a) A cook (b) A painter (c) Both of them")
    assert (published.truth, exchanged.truth) == ("(b)", "(a)")
    assert published.cluster == exchanged.cluster
    assert [item.groups["order"] for item in (published, exchanged)] == [
        "as published",
        "exchanged",
    ]


def test_a_table_of_ones_own(tmp_path):
    row = {"question": TEXT.format("chess").replace("(a)", "(1)"), "answer": "c"}
    (item,) = table(tmp_path, row).items
    assert (item.truth, item.groups) == ("(c)", {"condition": "no difference"})
    rows = {**row, "benchmark": "D1"}, {**row, "benchmark": "D2"}
    assert len(table(tmp_path, *rows, benchmarks="D2").items) == 1
    with pytest.raises(UnknownName, match="'D5'"):
        table(tmp_path, row, benchmarks="D5")


@pytest.mark.parametrize(
    ("row", "why"),
    [({"question": "Who?"}, "does not list the options"), ({"answer": "d"}, "answer is 'd'")],
)
def test_rows_that_are_no_question_are_refused(tmp_path, row, why):
    with pytest.raises(BadItems, match=why):
        table(tmp_path, {"question": TEXT, "answer": "a"} | row)


@pytest.mark.parametrize("content", [[1, 2], [[]], [[["Who?", 5, ""]], []], {}])
def test_a_pickle_of_something_else_is_refused(tmp_path, content):
    with pytest.raises(BadInput, match="is not two lists of questions"):
        suite(tmp_path, content=content)


def test_a_folder_with_the_lists_in_json(tmp_path):
    theirs = suite(tmp_path).items
    (tmp_path / "D3_1k.pkl").unlink()
    (tmp_path / "README.md").write_text("What these files are.")
    (tmp_path / "D3_1k.json.gz").write_bytes(gzip.compress(json.dumps(SUITE).encode()))
    assert load(tmp_path).items == theirs
    assert load(tmp_path / "D3_1k.json.gz").items == theirs
    (tmp_path / "D3_1k.json.gz").write_bytes(gzip.compress(b'[["a"]]'))
    with pytest.raises(BadInput, match="not two lists of questions"):
        load(tmp_path)
