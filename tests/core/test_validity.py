"""The checklist of construct validity, and that every study answers it."""

import pytest

from support.citations import identifiers_of
from tiltmeter.core.finder import find, known
from tiltmeter.core.study import Study
from tiltmeter.core.validity import CHECKLIST, HEADINGS, Validity
from tiltmeter.data.citations.references import cited_in

STUDIES: dict[str, Study] = {name: find("studies", name, "STUDY") for name in known("studies")}
LONGEST = 60
"""Words of a row: one or two sentences."""


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_answers_each_row_in_a_sentence_or_two(study):
    validity = STUDIES[study].validity
    assert validity is not None, "declare Study.validity: see docs/extend/add-a-study.md"
    rows = dict(validity.rows())
    assert list(rows) == list(HEADINGS.values())
    for heading, text in rows.items():
        assert text.endswith((".", ")")), heading
        assert 3 < len(text.split()) < LONGEST, heading
        for identifier in identifiers_of(text):
            assert cited_in(identifier), f"{heading}: {identifier} is not in references.bib"


def test_the_rows_are_the_fields_in_the_order_of_the_paper():
    names = list(HEADINGS)
    validity = Validity(**{name: f"`{name}`." for name in names})
    assert list(dict(validity.rows()).values()) == [f"{name}." for name in names]
    assert dict(validity.rows(markdown=True))["Contamination"] == "`contamination`."
    assert [r.in_sentence for r in cited_in(CHECKLIST)] == ["Bean et al. 2025"]
