"""Items are scored without estimates, and what comes out shows itself."""

import polars as pl
import pytest

import tiltmeter as tm
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import BadInput, BadItems, CannotAnswer, UnknownName

SENTENCES = [("the nurse was slow", "the pilot was slow"), ("he ran", "she ran")]
ROWS = [{"sent_more": more, "sent_less": less} for more, less in SENTENCES]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "items",
    [
        SENTENCES,
        ROWS,
        pl.DataFrame(ROWS),
        [Pair(str(i), more, less) for i, (more, less) in enumerate(SENTENCES)],
        (tuple(pair) for pair in SENTENCES),
    ],
    ids=["tuples", "rows", "polars", "pairs", "generator"],
)
def test_items_in_memory(items, tmp_path):
    records = tm.score("pll_shared", "fake:masked", items)
    pl.DataFrame(ROWS).write_csv(tmp_path / "own.csv")
    expected = tm.score("pairs", "fake:masked", tmp_path / "own.csv")
    assert [r.item for r in records] == ["0", "1"]
    assert [r.scores for r in records] == [r.scores for r in expected]
    assert [dict(r.texts) for r in records] == [
        {"more": more, "less": less} for more, less in SENTENCES
    ]


def test_a_table_of_pandas():
    pandas = pytest.importorskip("pandas")
    records = tm.score("pairs", "fake", pandas.DataFrame(ROWS))
    assert [dict(r.texts) for r in records] == [
        {"more": more, "less": less} for more, less in SENTENCES
    ]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "no items"),
        ([1, 2], "no kind that can be scored"),
        ([("he ran", "he ran")], "identical"),
        ([Pair("1", "he ran", "he ran ")], "item .1.: both sentences are identical"),
        ([{"sent_more": "he ran"}], "sent_less is missing"),
        ([Pair("1", "a b", "a c"), Pair("1", "a d", "a e")], "another item has the same id"),
    ],
)
def test_items_that_cannot_be_scored_are_refused(items, message):
    with pytest.raises((BadInput, BadItems), match=message):
        tm.score("pairs", "fake", items)


def test_a_rule_by_name_or_as_an_object():
    study = tm.studies()["pairs"]
    rule = next(r for r in study.rules if r.name == "log_likelihood")
    by_name = tm.score("log_likelihood", "fake:causal", SENTENCES)
    assert [r.scores for r in tm.score(rule, "fake:causal", SENTENCES)] == [
        r.scores for r in by_name
    ]
    with pytest.raises(CannotAnswer, match="log_likelihood"):
        tm.score(rule, "fake:masked", SENTENCES)
    with pytest.raises(UnknownName, match="log_likelihood"):
        tm.score("log_likelihod", "fake:causal", SENTENCES)


TWO = ["The nurse said that she was late.", "The nurse said that he was late."]


def test_plain_sentences_are_scored_as_pairs_or_one_by_one():
    (both,) = tm.score(None, "fake:masked", TWO)
    (same,) = tm.score("pll_shared", "fake:masked", [tuple(TWO)], per_token=True)
    assert (both.scores, both.tokens) == (same.scores, same.tokens)
    three = tm.score("pll_all", "fake:masked", [*TWO, "He ran."])
    assert [r.texts["text"] for r in three] == [*TWO, "He ran."]
    (of_pair,) = tm.score("pll_all", "fake:masked", [tuple(TWO)])
    assert three[0].scores["logprob"] == pytest.approx(of_pair.scores["more"])
    assert three[0].tokens is not None
    assert of_pair.tokens is None


def test_plain_sentences_are_scored_by_a_rule():
    with pytest.raises(BadInput, match="by a rule, not by a study"):
        tm.score("pairs", "fake", TWO)
    with pytest.raises(BadInput, match="name a study or a rule"):
        tm.score(None, "fake", [tuple(TWO)])


def test_a_rule_that_has_no_scores_of_tokens_says_so():
    items = tm.studies()["stereoset"].sample().items[:1]
    found = tm.score("stereoset", "fake", items, per_token=True)
    assert found[0].tokens is None


def test_scores_show_themselves():
    found = tm.score(None, "fake:masked", [TWO[0], "The nurse <i>said</i> that he was late."])
    assert found.rule == "pll_shared"
    assert repr(found).startswith("<scores of fake:masked by pll_shared: fake:masked prefers the ")
    shown = found._repr_html_()
    assert "Token by token" in shown
    assert "<i>" not in shown
    table = found.to_polars()
    assert table["score_more"][0] == found[0].scores["more"]
