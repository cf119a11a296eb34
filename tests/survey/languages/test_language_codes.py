"""Codes of languages: which are valid, how they are written, and which language a browser is shown."""

import pytest

from tiltmeter.core.reading.typed_values import reader
from tiltmeter.survey.languages.language_codes import (
    OWN_NAMES,
    LanguageCodes,
    accepted_languages,
    chosen_language,
    direction,
    lineage,
    own_name,
)


@pytest.mark.parametrize("code", ["en", "pt-BR", "zh-Hant", "zh-Hant-TW", "es-419", "ckb"])
def test_a_code_may_name_a_script_and_a_region(code):
    assert reader(LanguageCodes)(code) == (code,)


@pytest.mark.parametrize(
    ("code", "way_out"),
    [("pt_BR", '"pt-BR"'), ("EN", '"en"'), ("zh-hant", '"zh-Hant"'), ("English", '"ar"'), ("e", '"ar"')],
)  # fmt: skip
def test_other_codes_are_refused_with_the_right_spelling(code, way_out):
    with pytest.raises(ValueError, match=r"is '") as error:
        reader(LanguageCodes)([code])
    assert way_out in error.value.faults[0].way_out


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        ("ar", "ar"),
        ("ar-EG,ar;q=0.9,en;q=0.8", "ar"),
        ("fr;q=0.3, ar;q=0.7", "ar"),  # by weight, not by place
        ("fr, de, ar", "ar"),  # the first that the form has
        ("pt", "pt-BR"),
        ("pt-PT,en;q=0.9", "pt-BR"),  # another variety before another language
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "en"),  # other characters
        ("ar;q=0, pt;q=0.1", "pt-BR"),
        ("AR", "ar"),
        ("*", "en"),
        ("", "en"),
        ("ar;q=9, ;;, pt;q=x, \u0661", "en"),  # nothing that can be read
    ],
)
def test_a_browser_is_shown_the_language_it_asks_for(header, shown):
    offered = ("en", "ar", "pt-BR", "zh-Hans")
    assert chosen_language(accepted_languages(header), offered) == shown


def test_very_long_headers_are_cut_short():
    assert len(accepted_languages(",".join(["x" * 8] * 100_000))) <= 1


def test_every_offered_language_is_chosen_where_it_is_wanted():
    for code in OWN_NAMES:
        assert chosen_language([code], ["xx", *OWN_NAMES]) == code
        assert own_name(code) == OWN_NAMES[code]
        assert next(lineage(code)) == code


def test_names_of_languages_are_written_in_their_own_direction():
    for code, name in OWN_NAMES.items():
        is_rtl = any("\u0590" <= letter <= "\u08ff" for letter in name)
        assert direction(code) == ("rtl" if is_rtl else "ltr"), code
