"""The ratings of four countries: who rated what."""

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import leakage_ratings, ratings_by_language


@published.needs("stereotype_leakage/data_full_english.json")
def test_four_languages_with_the_names_of_the_lists():
    found = leakage_ratings()
    assert {language: len(r.annotators) for language, r in found.items()} == {
        "en": 34, "ru": 36, "zh": 41, "hi": 40,
    }  # fmt: skip
    lists = GroupFile.named("leakage_en")
    for ratings in found.values():
        assert set(ratings.groups) <= {group.name for group in lists.groups}
        assert ratings.pairs == tuple(pair.name for pair in lists.pairs)


def test_ratings_of_the_user_by_language(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "annotator,group,pair,rating,language\na,women,cold - warm,-50,ru\nb,sailor,cold - warm,50,en\n",
        "utf-8",
    )
    found = ratings_by_language({"": path})
    assert sorted(found) == ["en", "ru"]
    assert found["ru"].annotators == ("a",) and found["ru"].groups == ("woman", "sailor")
    assert found["en"].values[0, 1, 0] == 100
    alone = ratings_by_language({"sw": path})
    assert alone["sw"].annotators == ("a", "b")
    path.write_text(
        "annotator,group,pair,rating\na,women,cold - warm,1\na,woman,cold - warm,2\n", "utf-8"
    )
    with pytest.raises(BadInput, match="'woman' is rated under two names"):
        ratings_by_language({"en": path})
