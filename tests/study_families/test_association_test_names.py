"""Plain names of association tests: short, and never the same for two tests of one data set."""

import pytest

from tiltmeter.core.data.items import WordSets
from tiltmeter.core.finder import find
from tiltmeter.study_families.association_test_names import LONGEST, labels_of_tests


def labelled(name, *names, y=("b",)):
    test = WordSets(name, ("a",), y, ("c",), ("d",), names)
    return labels_of_tests([test]).get("test", {}).get(name)


@pytest.mark.parametrize(
    ("name", "names", "label"),
    [
        ("t", ("MentalDisease", "PhysicalDisease", "Brief", "Long"), "Mental/Physical Disease × Brief/Long"),
        ("weat3", ("EuropeanAmericanNames", "AfricanAmericanNames", "Good", "Bad"),
         "weat3: European/African American Names × Good/Bad"),
        ("t", ("old_people", "young_people", "slow", "quick"), "old/young people × slow/quick"),
        ("t", ("Names", "Names", "Same", "Same"), "Names/Names × Same/Same"),
        ("t", ("Terms", "MaleTerms", "A", "B"), "Terms/Male Terms × A/B"),
        ("t", ("Him", "Her", "LikableNotHostile", "UnlikableHostile"),
         "Him/Her × Likable Not Hostile/Unlikable Hostile"),
        ("heilman_double_bind_likable_1+3-", ("Male", "Female", "LikableNotHostile", "UnlikableHostile"),
         "Double bind: Male/Female × Likable/Unlikable (job and review text)"),
        ("sent-heilman_double_bind_competent_one_word",
         ("Male", "Female", "CompetentAchievementOriented", "IncompetentNotAchievementOriented"),
         "Double bind: Male/Female × Competent/Incompetent (template sentences)"),
        ("t", ("X", "Y", "A", "B"), None),
        ("t", ("x" * LONGEST, "Y", "A", "B"), None),
    ],
)  # fmt: skip
def test_by_hand(name, names, label):
    assert labelled(name, *names) == label


def test_a_test_of_one_group_names_that_group_only():
    assert labelled("t", "Nurses", "", "Kind", "Unkind", y=()) == "Nurses × Kind/Unkind"


def test_tests_that_would_be_called_alike_keep_their_own_names():
    one, other = (
        WordSets(name, ("a",), ("b",), ("c",), ("d",), ("Old", "Young", "Slow", "Quick"))
        for name in ("first", "second")
    )
    assert labels_of_tests([one]) == {"test": {"first": "Old/Young × Slow/Quick"}}
    assert labels_of_tests([one, other]) == {}


@pytest.mark.parametrize("study", ["weat", "seat", "ceat"])
def test_the_packaged_tests_have_plain_names(study):
    data = find("studies", study, "STUDY").sample()
    tests = {item.groups["test"] for item in data.items if "test" in item.groups}
    assert tests
    assert data.labels["test"].keys() == tests
    assert len(set(data.labels["test"].values())) == len(tests)
