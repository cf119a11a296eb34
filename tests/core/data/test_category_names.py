"""Different names of one category of bias."""

import pytest

from tiltmeter.core.data.category_names import joined_note, names_to_join, usual_name


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("race-color", "race"), ("Race_ethnicity", "race"), ("ethnicity", "race"),
        ("sexual_orientation", "sexual-orientation"), ("Sexual orientation", "sexual-orientation"),
        ("Physical_appearance", "physical-appearance"), ("social-class", "socioeconomic"),
        ("SES", "socioeconomic"), ("socio-economic", "socioeconomic"), ("Disability_status", "disability"),
        ("gender", "gender"), ("gender/sexuality", "gender/sexuality"), ("Asian", "Asian"), ("", ""),
    ],
)  # fmt: skip
def test_what_a_category_is_usually_called(name, usual):
    assert usual_name(name) == usual
    assert usual_name(usual) == usual


def test_only_names_that_differ_between_sources_are_joined():
    assert names_to_join([["race-color", "age"], ["race-color"]]) == {}
    assert names_to_join([["race-color", "age"], ["ethnicity"]]) == {
        "ethnicity": "race", "race-color": "race",
    }  # fmt: skip
    assert joined_note({"race-color": "race"}) == [
        "Different names of one category are joined: race-color as race."
    ]
    assert joined_note({}) == []


def test_two_groups_of_one_source_stay_two():
    assert names_to_join([["race", "ethnicity", "SES"], ["race-color", "class"]]) == {
        "SES": "socioeconomic", "class": "socioeconomic",
    }  # fmt: skip
    assert names_to_join([["race", "race"], ["ethnicity"]]) == {"ethnicity": "race"}
