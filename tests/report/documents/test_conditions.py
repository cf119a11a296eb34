"""What has to be known beside the numbers."""

from dataclasses import replace

from report import example
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card, Note
from tiltmeter.report.documents.conditions import conditions, head_of, marks, precision_of

RESULT = example.result()


def test_how_it_was_scored_and_what_was_left_out():
    facts = conditions(RESULT.card, RESULT.estimates).facts
    assert facts["Scored by"] == "rule log_likelihood, convention paper"
    assert facts["Ties"] == "9 of 240; policy half"
    assert facts["Left out"] == (
        "2 of 242 items; the card lists them; Only the stories in English were scored"
    )
    assert facts["p"] == (
        "exact binomial test against 50, two-sided; Holm’s adjustment within each of: bias type, "
        "direction, check; “all” is a single test"
    )
    assert str(facts["MDE"]).startswith("minimum detectable effect")
    assert (
        facts["Sides"]
        == "above 50: more stereotyping sentence; below 50: less stereotyping sentence"
    )


def test_notes_are_sorted_by_their_kind_and_not_by_their_words():
    said = "Only the left out goes without a score."
    for kind, key in (("coverage", "Left out"), ("caution", "Caution")):
        card = replace(RESULT.card, notes=[Note(kind, said)], counts={"total": 1})
        facts = conditions(card, RESULT.estimates).facts
        assert [k for k, v in facts.items() if said.rstrip(".") in str(v)] == [key]
    data = replace(RESULT.card, notes=[Note("data", said)], counts={"total": 1})
    assert conditions(data, RESULT.estimates).facts["Left out"] == "nothing"
    many = replace(RESULT.card, notes=[Note("coverage", f"part {i}") for i in range(9)], counts={})
    assert "6 more notes of this kind, on the page" in str(
        conditions(many, RESULT.estimates).facts["Left out"]
    )


def test_marks_speak_of_a_test_only_where_there_was_one():
    one = Estimate("r", 57.3, 51.0, 63.4, 0.01, 9, 50, "%")
    assert "p < .05" in marks([one])
    assert "p < .05" not in marks([replace(one, p=None)])
    assert "interval without the neutral value" in marks([replace(one, p=None)])
    size = replace(one, meaning=Meaning(magnitude=True), groups={"family": "a"})
    assert marks([replace(one, neutral=None), size]) == ""
    # drawn in a table of its own, since nothing covers all items; else it is a line of another table
    assert "◆ not tested" in marks([one, replace(size, name="size")])
    assert "not tested" not in marks([one, replace(size, name="size"), replace(one, name="size")])


def test_a_result_without_a_test_speaks_of_none():
    bare = Estimate("mean", 0.5, 0.4, 0.6, None, 9, None, "of 1", interval="Student’s t")
    facts = conditions(RESULT.card, [bare, replace(bare, groups={"kind": "a"})]).facts
    assert (facts["Marks"], facts["p"], facts["MDE"]) == ("", "", "")
    gap = Estimate("gap", 0.1, -0.1, 0.3, 0.2, 9, 0, "of 1", test="permutation of identities")
    assert conditions(RESULT.card, [bare, gap]).facts["p"] == "permutation of identities"


def test_what_the_sides_of_a_few_subsets_are_made_of():
    sets = "Bakers (2) and Sailors (2) by Pan (1) and Wave (1)"
    card = Card("mine", "1", {}, {"kitchen": sets}, "mean_pool", "paper", "", 0, "", {"total": 4},
                labels={"test": {"kitchen": "bakers × pans"}})  # fmt: skip
    meaning = Meaning(sides=("X closer to B", "X closer to A"))
    found = [Estimate("size", 1.2, 0.5, 1.6, 0.01, 4, 0, "", groups={"test": "kitchen"},
                      meaning=meaning)]  # fmt: skip
    assert conditions(card, found).facts["Sides"] == (
        f"above 0: X closer to A; below 0: X closer to B. bakers × pans: {sets}"
    )
    many = [replace(found[0], groups={"test": t}) for t in "abcde"]
    full = replace(card, data=dict.fromkeys("abcde", sets))
    assert str(conditions(full, many).facts["Sides"]).endswith("The page lists the sets of each.")


def test_what_a_head_knows_and_in_which_precision_items_were_scored():
    card = RESULT.card
    assert head_of(card) == precision_of(card) == ""
    trained = replace(card, model={**card.model, "head: held-out accuracy": 0.475})
    assert head_of(trained) == "right about 47.5 % of held-out pairs; chance is 50"
    half = replace(card, model={**card.model, "precision": "bfloat16"})
    assert precision_of(half) == "bfloat16; near ties may be decided differently in float32"


def test_lines_of_a_models_file_that_were_not_read_are_named():
    card = replace(
        RESULT.card, model={"file": "v.txt", "lines left out": "1 (14)"}, notes=(), counts={}
    )
    assert conditions(card, RESULT.estimates).facts["Left out"] == "lines of v.txt: 1 (14)"
