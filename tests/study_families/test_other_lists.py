"""Association tests with the lists of other papers."""

from tiltmeter.core.data.items import WordSets
from tiltmeter.data.associations.published_lists import PublishedList, PublishedLists
from tiltmeter.study_families.association_tests import targets_of
from tiltmeter.study_families.other_lists import (
    OWN,
    each_with_other_lists,
    items_with_other_lists,
    with_other_lists,
)

NAMES = ("Math", "Arts", "MaleTerms", "FemaleTerms")
TEST = WordSets(
    "weat7", ("sums", "sets"), ("verse", "dance"), ("he", "man"), ("she", "woman"), NAMES
)


def lists(*papers):
    return PublishedLists(
        tuple(
            PublishedList(category, paper, words)
            for paper, by_category in papers
            for category, words in by_category.items()
        ),
        "made up",
    )


SMITH = ("Smith, 2020", {
    "male": ("lad", "uncle", "king", "duke", "boss"), "female": ("lass", "aunt", "queen", "lady", "boss"),
})  # fmt: skip
SAME = ("Same, 2021", {"male": ("Man", "he"), "female": ("woman", "she")})
MATH = ("Lee, 2022", {"math 1": ("graphs",), "arts 1": ("opera",)})


def test_one_pair_of_opposite_sets_is_replaced_at_a_time():
    other = with_other_lists(TEST, lists(SMITH, MATH))
    math, male = other.tests.values()
    assert [*other.tests] == ["math 1 / arts 1 (Lee, 2022)", "male / female (Smith, 2020)"]
    assert (math.x, math.y, math.a, math.b) == (("graphs",), ("opera",), TEST.a, TEST.b)
    assert (male.x, male.y, male.a, male.b) == (
        TEST.x, TEST.y, ("lad", "uncle", "king", "duke"), ("lass", "aunt", "queen", "lady"),
    )  # fmt: skip
    assert other.notes == ("male / female (Smith, 2020) has “boss” on both sides: left out.",)


def test_lists_with_the_words_of_the_test_count_once():
    other = with_other_lists(TEST, lists(SAME))
    assert not other.tests
    assert "1 published list has the words of the test" in other.notes[0]
    _, notes = each_with_other_lists([TEST], lists(SAME))
    assert notes[-1] == "No published lists but the tests’ own for the sets of weat7."


def test_lists_that_share_many_words_are_no_opposite_sets():
    same = ("Smith, 2020", {"male": ("lad", "boss"), "female": ("lass", "boss")})
    other = with_other_lists(TEST, lists(same))
    assert not other.tests
    assert "1 of 2 words are on both sides, and the list is left out" in other.notes[0]


def test_the_items_are_the_words_of_the_test_and_the_targets_of_each_list():
    items = [*items_with_other_lists(targets_of(TEST), with_other_lists(TEST, lists(SMITH)))]
    own = [item for item in items if item.groups["list"] == OWN]
    assert [item.side for item in own] == ["X", "X", "Y", "Y", "A", "A", "B", "B"]
    assert [item.groups["word"] for item in own[4:]] == ["he", "man", "she", "woman"]
    assert all(item.groups["words_of"] == "weat7" for item in items)
    assert ["test" in item.groups for item in own] == [True] * 4 + [False] * 4
    others = items[8:]
    assert [item.text for item in others] == ["sums", "sets", "verse", "dance"]
    assert {item.test.name for item in others} == {"weat7: male / female (Smith, 2020)"}
    assert len({item.id for item in items}) == len(items)


def test_a_word_with_a_full_stop_is_no_sentence_among_words():
    targets = WordSets(
        "weat6b", ("he",), ("she",), ("job",), ("home",), ("MaleTerms", "FemaleTerms", "A", "B")
    )
    paper = ("Lee, 2022", {"male": ("Mr.", "lad"), "female": ("Ms.", "lass")})
    items = items_with_other_lists(targets_of(targets), with_other_lists(targets, lists(paper)))
    assert not any(item.cluster for item in items)


SENTENCES = WordSets(
    "sent-weat7",
    ("This is math.", "It is math.", "This is algebra.", "It is algebra."),
    ("This is art.", "It is art.", "This is a dance.", "It is a dance."),
    ("This is a boy.", "A boy is here.", "These are boys.", "This is a man.", "A man is here."),
    (
        "This is a girl.",
        "A girl is here.",
        "These are girls.",
        "This is an aunt.",
        "An aunt is here.",
    ),
    NAMES,
)


def test_words_are_put_into_the_sentences_of_the_set():
    paper = ("Lee, 2022", {"male": ("uncle", "boy"), "female": ("aunt", "niece")})
    (variant,) = with_other_lists(SENTENCES, lists(paper)).tests.values()
    assert variant.a == (
        "This is an uncle.", "An uncle is here.",
        "This is a boy.", "A boy is here.", "These are boys.",
    )  # fmt: skip
    assert variant.b == (
        "This is an aunt.", "An aunt is here.", "This is a niece.", "A niece is here.",
    )  # fmt: skip
