"""What readers see of judgments: the answers in words, shares of a hypothesis, what a group evokes."""

from support import published
from tiltmeter.analyses.annotations.hypothesis_judgments import (
    HypothesisJudgment,
    harmonised,
    read_hypothesis_judgments,
)
from tiltmeter.analyses.annotations.judgment_records import (
    ASSOCIATIONS,
    HYPOTHESIS,
    JUDGMENT,
    judgment_records,
)

FILE = "stereo_inferences/4_annotations_per_example_updated.csv"
GOOD = {"valid": 1.0, "plausible": 1.0, "identity": 2.0, "situation": 4.0, "sentiment": 4.0}


def judgment(who, group="Cuban", *, association="", hypothesis="It rests.", **codes):
    return HypothesisJudgment(
        (f"A {group} person rests.", hypothesis), "f.csv", "c-1", who, "COMET", group, "nationality",
        {**GOOD, **codes}, "rests", association,
    )  # fmt: skip


def of_kind(kind, *rows):
    return [record for record in judgment_records(rows, rows) if record.kind == kind]


def test_answers_in_words_and_shares_of_a_hypothesis():
    rows = (judgment("a", stereotype=3.0), judgment("b", identity=5.0), judgment("c", valid=5.0))
    first, *_ = of_kind(JUDGMENT, *rows)
    words = {"identity?": "maybe yes", "situation?": "maybe no", "sentiment?": "maybe negative"}
    assert words.items() <= first.texts.items() and first.texts["stereotype?"] == "maybe"
    assert first.scores["identity"] == 2 and "anti-stereotype?" not in first.texts
    assert first.groups == {
        "generator": "COMET", "situation": "rests", "domain": "nationality", "group": "Cuban",
        "item": "c-1", "annotator": "a",
    }  # fmt: skip
    (hypothesis,) = of_kind(HYPOTHESIS, *rows)
    assert hypothesis.scores["judgments"] == 3
    assert round(hypothesis.scores["not_valid_or_not_plausible"], 1) == 33.3
    assert hypothesis.scores["based_on_identity"] == 50
    assert hypothesis.scores["negative"] == 100


def test_associations_are_counted_by_group():
    """A word stands out if it is written three times and more often than about others."""
    told = ("Poor, sad and needy", "poor; drugs", "poor", "")
    rows = [judgment(f"a{i}", "poor", association=text) for i, text in enumerate(told)]
    rows += [judgment(f"a{i}", "Cuban", association="friendly, sad") for i in range(3)]
    cuban, poor = of_kind(ASSOCIATIONS, *rows)
    assert poor.texts["associations"] == "poor (3), sad (1), needy (1), drugs (1)"
    assert poor.scores == {"answers": 3, "different": 4}
    assert poor.texts["keywords"] == ""  # the premise has the word
    assert cuban.texts["keywords"] == "friendly (3), sad (3)"
    assert of_kind(ASSOCIATIONS, judgment("a")) == []


@published.needs(FILE)
def test_two_published_annotators_are_those_of_the_dissertation_in_words():
    """Table 3.1 of Sotnikova 2023 has two annotations of one hypothesis, whose codes are in the files."""
    rows = harmonised(read_hypothesis_judgments([published.need(FILE)])).rows
    answers = {
        r.groups["annotator"]: [text for name, text in r.texts.items() if name.endswith("?")]
        for r in of_kind(JUDGMENT, *rows)
        if r.groups["item"] == "c-cuban-1-xEffect-2"
    }
    assert answers["Annotator 3"] == [
        "yes", "yes", "maybe yes", "maybe no", "maybe negative", "yes", "no",
    ]  # fmt: skip
    assert answers["Annotator 1"] == ["yes", "yes", "no", "not sure", "positive", "no", "no"]
