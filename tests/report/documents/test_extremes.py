"""Both ends of a long axis."""

from dataclasses import replace

from report import contexts
from tiltmeter.core.study_views import Extremes
from tiltmeter.report.documents.extremes import caution, ends, ends_within, extreme_sections
from tiltmeter.report.documents.families import main_family

VIEW = Extremes("ss", "target", "target terms")
SS, LMS, _ = contexts.three(57.0, 83.6)
TERMS = [
    replace(SS, n=27 + i, value=40.0 + 2 * i, groups={"target": f"term {i:02}"}) for i in range(12)
]


def test_the_ends_are_listed_with_a_caution():
    found = ends([*TERMS, SS, LMS, replace(TERMS[0], value=None, groups={"target": "none"})], VIEW)
    assert found is not None
    names = [f"term {i}" for i in ("11", "10", "09", "08", "07")]
    assert [e.groups["target"] for e in found.highest] == names
    assert [e.groups["target"] for e in found.lowest] == [f"term 0{i}" for i in range(5)]
    assert len(found.ranked) == 13
    assert caution(found, VIEW) == (
        "Each value comes from only 27 to 38 contexts, so its interval is wide. Of 12 target terms, some are "
        "at either end by chance: with other contexts, others would be."
    )


def test_how_many_were_tested_and_differ_is_said():
    tested = [replace(t, p=0.02, p_adjusted=0.24) for t in TERMS[1:]]
    sure = replace(TERMS[0], p=0.001, p_adjusted=0.012, low=30.0, high=44.0)
    found = ends([sure, *tested], VIEW)
    assert found is not None
    assert caution(found, VIEW).endswith(
        "Of 12 target terms tested, 1 differs significantly from no preference after Holm’s adjustment."
    )


def test_few_are_never_at_both_ends():
    found = ends(TERMS[:3], VIEW)
    assert found is not None
    assert (len(found.highest), len(found.lowest)) == (1, 1)
    assert ends(TERMS[:1], VIEW) is None
    assert ends([SS], VIEW) is None
    assert ends([replace(t, value=50.0) for t in TERMS], VIEW) is None


def test_they_are_no_categories_however_few():
    result = contexts.result()
    family = main_family(result.estimates, result.card.views)
    assert family is not None
    assert family.axes == ("domain",)


def test_both_ends_of_each_domain():
    view = replace(VIEW, within="domain")
    inside = [replace(t, groups={"domain": "ab"[i % 2], **t.groups}) for i, t in enumerate(TERMS)]
    found = ends_within([*TERMS, *inside], view)
    names = {
        domain: [[e.groups["target"] for e in side] for side in (both.highest, both.lowest)]
        for domain, both in found.items()
    }
    assert names == {
        "a": [["term 10", "term 08", "term 06"], ["term 00", "term 02", "term 04"]],
        "b": [["term 11", "term 09", "term 07"], ["term 01", "term 03", "term 05"]],
    }
    result = replace(contexts.result(), estimates=[SS, *TERMS, *inside])
    whole, by_domain = extreme_sections(result, view, "r1")
    assert (whole.title, by_domain.title) == ("Target terms", "Target terms by domain")
    (picture,) = by_domain.blocks
    assert picture.table.columns[0].cells[:3] == ["a × term 10", "a × term 08", "a × term 06"]
    assert picture.table.rows == picture.table.most == 12
    assert ends_within(TERMS, view) == {}
