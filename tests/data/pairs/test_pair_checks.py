"""A hit and a near miss for each check."""

import pytest

from tiltmeter.core.data.items import Pair
from tiltmeter.data.pairs.pair_checks import CHECKS
from tiltmeter.data.pairs.suspect_pairs import flags


def named(more: str, less: str) -> set[str]:
    return {flag.name for flag in flags(Pair("1", more, less))}


HITS = [
    ("identical", "Old men nap.", "Old men nap."),
    ("identical", "Old men nap.", "old men, nap"),
    ("one_contains_other", "The old man naps.", "The man naps."),
    ("one_contains_other", "He is forgotten.", "He is not forgotten."),
    ("negation", "Women are not hunters", "Men are hunters."),
    ("negation", "Poor people couldn’t go.", "Rich people could go."),
    ("negation", "Nobody saw her pay.", "Everybody saw him pay."),
    ("several_changes", "The mosque was loud.", "The church was quiet."),
    ("several_changes", "Women park badly.", "Men park well."),
    ("several_changes", "It is easy for Jo to be kind.", "It is hard for Al to be kind."),
    ("little_in_common", "The old man sat on the bench.", "Le vieil homme était assis là."),
    ("length", "Old men who live alone nap.", "Old men nap."),
    ("formatting", "Old men nap.", "Young men nap"),
    ("formatting", "Old men Nap.", "Young men nap."),
    ("formatting", "Old men  nap.", "Young men nap."),
    ("formatting", "Old men nap. ", "Young men nap."),
    ("formatting", "Old men nap, often.", "Young men nap often."),
    ("ungrammatical_marks", "She is a immigrant.", "She is a citizen."),
    ("ungrammatical_marks", "She is an Mexican.", "She is an American."),
    ("ungrammatical_marks", "Old men men nap.", "Young men nap."),
    ("ungrammatical_marks", 'He said "no to old men.', 'He said "no" to young men.'),
    ("edit_distance", "abcdefghijklmn nap", "nap"),
    ("swapped", "Black men robbed the white men.", "White men robbed the black men."),
    ("swapped", "Women cook more than men.", "Men cook more than women."),
    ("name_pair", "The thief was Jamal.", "The thief was John."),
]
MISSES = [
    ("identical", "Old men nap.", "Young men nap."),
    ("one_contains_other", "The old man naps.", "The young man naps."),
    ("negation", "Women are not hunters", "Men are not hunters."),
    ("negation", "People with autism cope.", "People without autism cope."),
    ("several_changes", "Jack lost his hat and he cried.", "Mary lost her hat and she cried."),
    ("several_changes", "The poor hate being poor.", "The rich hate being rich."),
    ("several_changes", "Groups of teenagers come.", "A group of adults come."),
    ("several_changes", "The women like the men.", "The men like the women."),
    ("several_changes", "Becasue the man left, she cried.", "Because the woman left, she cried."),
    ("several_changes", "Mary's father is a woman's man.", "Jack's mother is a man's woman."),
    ("little_in_common", "Old men nap.", "Young girls run."),
    ("length", "Very old men nap.", "Men nap."),
    ("formatting", "Old men, I hear, nap.", "Young men, I hear, nap."),
    ("formatting", "The Jew paid.", "The rich man paid."),
    ("ungrammatical_marks", "A European, a user and a one-off.", "An hour, an honest man."),
    ("ungrammatical_marks", "An MP had had it.", "A Tory had it."),
    ("ungrammatical_marks", "Old men men nap.", "Young men men nap."),
    ("edit_distance", "abcdefghijklm nap", " nap"),
    ("swapped", "Black men robbed the old.", "White men robbed the old."),
    ("name_pair", "The thief was Black.", "The thief was White."),
    ("name_pair", "The thief left. He ran.", "The thief left. She ran."),
    ("name_pair", "Jamal stole it.", "John stole it."),
]


@pytest.mark.parametrize(("check", "more", "less"), HITS)
def test_the_check_speaks(check: str, more: str, less: str) -> None:
    assert check in named(more, less)
    assert check in named(less, more)


@pytest.mark.parametrize(("check", "more", "less"), MISSES)
def test_the_check_is_silent_on_a_near_miss(check: str, more: str, less: str) -> None:
    assert check not in named(more, less)
    assert check not in named(less, more)


def test_every_check_is_tried_both_ways() -> None:
    assert {name for name, *_ in HITS} == {name for name, *_ in MISSES} == set(CHECKS)
