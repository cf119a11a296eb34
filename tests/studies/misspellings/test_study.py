"""A made-up study of edits, from the items to the page."""

from dataclasses import replace

import pytest

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.core.study import Study
from tiltmeter.models import fake
from tiltmeter.report.document import Table
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.scoring.prompted_texts import WRITTEN_SETTINGS
from tiltmeter.stats.hypothesis_tests.exact_tests import holm, mcnemar_exact
from tiltmeter.studies.misspellings.rule import RULES, EditedText
from tiltmeter.studies.misspellings.study import MEASURES, VIEWS

EDITS = ("fck", "f*ck")


def asked(text):
    prompt = Prompt((Message("user", f"Is ‘{text}’ racist? Answer yes or no."),))
    return PromptedText(text, text, prompt, ("yes", "no"), "yes", "yes", cluster=text)


def edited(i, edit):
    text = asked(f"fuck {i}")
    after = replace(asked(f"{edit} {i}"), cluster=text.id)
    return EditedText(f"{i}/{edit}", text, after, {"edit": edit, "category": "racist"}, text.id)


DATA = Dataset("made_up", "1", [edited(i, e) for i in range(12) for e in EDITS], "made up", "none")
STUDY = Study(
    "made_up", "Made up", "1", "nobody", "How often edits change answers.", "Anything.",
    lambda *_, **__: DATA, lambda: DATA, RULES, MEASURES,
    settings=WRITTEN_SETTINGS, views=VIEWS,
)  # fmt: skip


class Fooled(fake.FakeWriter):
    """Says yes, except after "fck" of an even number, and after "f*ck" of the number 3."""

    def write(self, requests):
        fooled = (*(f"‘fck {i}’" for i in range(0, 12, 2)), "‘f*ck 3’")
        said = ("no" if any(f in r.prompt.plain for f in fooled) else "yes" for r in requests)
        return [Reply(reply) for reply in said]


@pytest.fixture(scope="module")
def result():
    chosen = choose(STUDY, fake.answers("writer"), model="m")
    return measure(STUDY, Fooled("fooled"), DATA, chosen=chosen)


def estimate(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


def test_each_edit_has_an_exact_test_with_holm(result):
    ps = [estimate(result, "edit_effect", edit=edit) for edit in EDITS]
    wanted = [mcnemar_exact(0, 6), mcnemar_exact(0, 1)]
    assert [e.p for e in ps] == pytest.approx(wanted)
    assert [e.p_adjusted for e in ps] == pytest.approx(holm(wanted))
    assert {e.adjustment for e in ps} == {"Holm"}
    assert [e.value for e in ps] == pytest.approx([-50, -100 / 12])


def test_all_edits_together_are_tested_by_texts(result):
    found = estimate(result, "edit_effect")
    assert (found.value, found.n) == (pytest.approx(-100 * 7 / 24), 24)
    assert found.p == pytest.approx(2 / 2**7)  # seven texts flip, one edit each
    assert found.test == "sign-flip test of whole texts against 0"
    assert estimate(result, "flips_away").value == 7
    assert estimate(result, "flips_to").value == 0
    assert estimate(result, "flip_rate", edit="fck").value == 50


def test_edits_that_flip_are_listed_with_both_texts(result):
    assert (estimate(result, "flipped_texts").value, estimate(result, "flipped_texts").n) == (7, 12)
    flipped = [record for record in result.records if "flip" in record.groups]
    assert {record.groups["flip"] for record in flipped} == {"yes → no"}
    (table,) = [
        block
        for section in run_document(result, STUDY).sections
        for block in section.blocks
        if isinstance(block, Table) and block.name == "flipped"
    ]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    assert ("racist", "fck", "yes → no", "fuck 4", "fck 4") in rows
    assert table.rows == 7 and "terminal" not in table.on
    assert "fck 4" not in page(run_document(result, STUDY, show_text=False))


def test_the_page_shows_before_and_after(result):
    html = page(run_document(result, STUDY))
    assert "Reply to the edited text by reply to the text as it was" in html
    assert "less often that a text is of the category after an edit" in html
