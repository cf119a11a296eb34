"""What the model said is shown by what became of it, with how it was read."""

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.rules import ReplyScores
from tiltmeter.report.document import Document, Items, Lines
from tiltmeter.report.documents.reply_examples import EACH, reply_sections
from tiltmeter.report.html import page
from tiltmeter.scoring.reply_scores import REPLIES

OPTIONS = "The grandson\nThe grandfather"


def record(name, kind, said, option=-1, **more):
    scores = {kind: 1.0, "said": float(option)}
    return Record(
        name,
        scores,
        {"category": "Age"},
        said=said,
        texts={"text": "Who?", "options": OPTIONS},
        **more,
    )


def sections(records, scores=REPLIES, **options):
    outcomes = ("answered", "refused", "unread", "cut", "thinking", "empty")
    counts = {
        o: sum(r.scores.get(n) == 1 for r in records for n in getattr(scores, o)) for o in outcomes
    }
    card = Card("s", "1", {}, {}, "word", counts={"replies": sum(counts.values()), **counts})
    return reply_sections(Result(card, records, ()), scores, **options)


def shown(section):
    return {
        block.title: [(i.value, i.sentences[-1].pieces[0][0]) for i in block.items]
        for block in section.blocks
        if isinstance(block, Items)
    }


def lines(section):
    return [line for block in section.blocks if isinstance(block, Lines) for line in block.lines]


def test_each_outcome_has_examples_with_how_they_were_read():
    (section,) = sections([
        *(record(f"a{i}", "listed", "The grandson.", 0) for i in range(9)),
        record("b", "listed", "The grandfather", 1),
        record("c", "refused", "I cannot help with that."),
        record("d", "off_list", "Sure!"),
        record("e", "ambiguous", "Either"),
        record("f", "empty", " "),
    ])  # fmt: skip
    assert shown(section) == {
        "Not understood: 2 of 14": [
            ("names no option", "Sure!"),
            ("names several options, or takes one back", "Either"),
        ],
        "Empty: 1 of 14": [("empty", "(nothing)")],
        "Refusals: 1 of 14": [("refusal", "I cannot help with that.")],
        "Answered: 10 of 14": [
            ("read as: The grandson", "The grandson."), ("read as: The grandfather", "The grandfather"),
        ],
    }  # fmt: skip
    assert lines(section) == [
        "not understood (names no option): “Sure!” (d)", "empty: no text (f)",
        "refusal: “I cannot help with that.” (c)",
    ]  # fmt: skip


def test_examples_are_the_most_frequent_and_never_act_on_a_screen():
    some = [record(f"{i}", "off_list", f"no\x1b {i % 5 if i > 4 else 0}") for i in range(20)]
    (section,) = sections(some)
    assert lines(section)[0] == "not understood (names no option): “no[U+001B] 0” (0, 8 times)"
    assert len(lines(section)) == 3 and len(shown(section)["Not understood: 20 of 20"]) == EACH


def test_without_replies_or_scores_of_replies_there_is_nothing():
    assert sections([record("a", "listed", "The grandson", 0)], ReplyScores(())) == []
    (section,) = sections([record("a", "listed", "The grandson", 0)])
    assert lines(section) == []  # the terminal is silent where everything was read


def test_of_several_replies_each_is_shown_with_the_text_that_it_answers():
    scores = {"before_listed": 1.0, "before_said": 1.0, "after_refused": 1.0, "after_said": -1.0}
    both = Record(
        "x", scores, {}, said="I cannot", texts={"text": "stupid", "edited": "st*pid", "options": "no\nyes"},
        replies={"before": "Yes.", "after": "I cannot"},
    )  # fmt: skip
    sided = REPLIES.sided({"before": "text", "after": "edited"})
    (section,) = sections([both], sided)
    items = [item for block in section.blocks if isinstance(block, Items) for item in block.items]
    assert [(i.value, [s.pieces[0][0] for s in i.sentences]) for i in items] == [
        ("refusal", ["st*pid", "I cannot"]), ("read as: yes", ["stupid", "Yes."]),
    ]  # fmt: skip


def test_thoughts_are_shown_folded_and_only_on_request():
    some = [record("a", "listed", "The grandson", 0, thoughts={"reply": "Who was it?"})]
    for asked in (False, True):
        (section,) = sections(some, show_thoughts=asked)
        made = page(Document("t", "m", ["f"], [section]))
        assert ("Who was it?" in made) == asked
    assert "<details><summary>The whole text, 3 words</summary>" in made


def test_a_reply_that_was_cut_off_while_thinking_is_an_outcome_of_its_own():
    (section,) = sections([record("a", "thinking", "", thoughts={"reply": "Hm"})])
    assert lines(section) == ["cut off while thinking: no text (a)"]
