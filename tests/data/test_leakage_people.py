"""The ratings of four countries: who rated what."""

import published
from tiltmeter.data.groups import packaged
from tiltmeter.data.leakage_people import leakage_ratings

pytestmark = published.needs("stereotype_leakage/data_full_english.json")


def test_four_languages_with_the_names_of_the_lists():
    found = leakage_ratings()
    assert {language: len(r.annotators) for language, r in found.items()} == {
        "en": 34, "ru": 36, "zh": 41, "hi": 40,
    }  # fmt: skip
    lists = packaged("leakage_en")
    for ratings in found.values():
        assert set(ratings.groups) <= {group.name for group in lists.groups}
        assert ratings.pairs == tuple(pair.name for pair in lists.pairs)
