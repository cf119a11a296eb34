"""Scores of sentences as a document."""

import pytest

from tiltmeter.core.records import Record, TokenScore
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Rule
from tiltmeter.report.document import Facts
from tiltmeter.report.documents.scores import MOST_SENTENCES, scores_document, scores_value
from tiltmeter.report.html import page
from tiltmeter.run.measuring.scored_items import ScoredItems

RULE = Rule("some_rule", object, lambda *_: [], "How it is scored.", "Its source")


def tokens(*named):
    return tuple(TokenScore(text, hash(text) % 1000, value) for text, value in named)


def pair(more=-3.0, less=-5.0, *, per_token=True):
    both = {
        "more": tokens(("The", -1.0), ("nurse", None), ("ran", -2.0)),
        "less": tokens(("The", -1.5), ("doctor", None), ("ran", -3.5)),
    }
    scores = {"more": more, "less": less, "tokens_more": 2.0, "tokens_less": 2.0}
    texts = {"more": "The nurse ran", "less": "The doctor <b>ran</b>"}
    return Record("1", scores, {}, texts=texts, tokens=both if per_token else None)


def sentence(i, score, count=2.0):
    scores = {"logprob": score, "tokens_scored": count, "raw_bytes": 5.0}
    return Record(
        str(i), scores, {}, texts={"text": f"Text {i}"}, tokens={"logprob": tokens(("a", score))}
    )


def scored(*records, notes=(), per_token=True):
    return ScoredItems(records, {"name": "demo"}, RULE, "paper", notes, per_token)


def words(document):
    return [p.text for p in document.paragraphs()]


def test_two_sentences_which_is_preferred_and_by_which_tokens():
    document = scores_document(scored(pair()))
    assert words(document) == [
        "demo prefers the first sentence: −3.00 against −5.00 nats, a difference of 2.00.",
        "Largest differences by token (first minus second): “ran” +1.50, “The” +0.50.",
    ]
    scores, beside = document.tables()
    assert scores.strong == [True, False]
    assert [c.cells for c in beside.columns] == [
        ["The", "nurse", "ran"], ["−1.00", "", "−2.00"],
        ["The", "doctor", "ran"], ["−1.50", "", "−3.50"], ["+0.50", "", "+1.50"],
    ]  # fmt: skip
    assert beside.notes == ["Tokens without a number are not scored by this rule."]
    assert "<b>ran" not in page(document)


@pytest.mark.parametrize(
    ("more", "less", "said", "preferred"),
    [
        (-3.0, -5.0, "prefers the first", "first"),
        (-5.0, -3.0, "prefers the second", "second"),
        (-3.0, -3.0, "scores both sentences the same: −3.00", None),
    ],
)
def test_the_preference(more, less, said, preferred):
    found = scored(pair(more, less))
    assert said in words(scores_document(found))[0]
    value = scores_value(found)
    assert (value["preferred"], value["difference"]) == (preferred, more - less)


def test_a_rule_without_scores_of_tokens_says_so():
    found = scored(pair(per_token=False))
    document = scores_document(found)
    assert "The rule some_rule gives no scores of single tokens." in words(document)
    assert len(list(document.tables())) == 1
    assert scores_value(found)["items"][0]["sentences"][0]["tokens"] is None


def test_several_sentences_are_listed_in_their_order():
    document = scores_document(scored(sentence(1, -4.0), sentence(2, -3.0, 1.0), sentence(3, -9.0)))
    table, *alone = document.tables()
    assert table.columns[2].cells == ["−2.00", "−3.00", "−4.50"]
    assert table.strong == [False, True, False]
    assert [t.title for t in alone] == [f"Sentence {i}, token by token" for i in (1, 2, 3)]
    assert "sentence 2 highest" in words(document)[0]
    many = [sentence(i, -float(i)) for i in range(1, MOST_SENTENCES + 2)]
    assert len(list(scores_document(scored(*many)).tables())) == 1


def test_one_sentence_and_what_is_to_be_known_of_it():
    document = scores_document(scored(sentence(1, -4.0), notes=(Note("caution", "Rare words."),)))
    assert words(document) == ["demo scores the sentence −4.00 nats."]
    assert "Rare words." in [b.text for b in document.blocks() if hasattr(b, "text")]


def test_records_of_another_kind_are_a_table_of_their_scores():
    other = [Record("a", {"left": 1.5}, {}), Record("b", {"right": 2.0}, {})]
    document = scores_document(scored(*other))
    (table,) = document.tables()
    assert [c.cells for c in table.columns] == [["a", "b"], ["1.50", ""], ["", "2"]]
    (facts,) = (b.facts for b in document.blocks() if isinstance(b, Facts))
    assert facts["Tokens"] == "The rule some_rule gives no scores of single tokens."
    unasked = scores_document(scored(*other, per_token=False))
    assert "gives no scores" not in page(unasked)


def test_as_json():
    value = scores_value(scored(pair()))
    first, second = value["items"][0]["sentences"]
    assert (first["text"], first["score"]) == ("The nurse ran", -3.0)
    assert [t["logprob"] for t in second["tokens"]] == [-1.5, None, -3.5]
