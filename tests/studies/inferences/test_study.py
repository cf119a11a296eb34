"""Hypotheses about groups: what is odd is counted, groups are compared in the same situations."""

import pytest

from tiltmeter.core.data.inference_prompts import TRAINED_RELATIONS, phrases_fact
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.model.protocols import Writes
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models.fake import FakeWriter
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.inferences.items import load_inferences
from tiltmeter.studies.inferences.rule import without_label
from tiltmeter.studies.inferences.study import STUDY

pytest.importorskip("vaderSentiment")


class Scripted(FakeWriter):
    """Says of each premise what a script says."""

    __slots__ = ("facts", "script")

    def __new__(cls, *_, **__):
        return object.__new__(cls)

    def write(self, requests):
        return [self.script(r) for r in requests]

    @property
    def about(self):
        return {**super().about, **self.facts}


def scripted(script, **facts):
    model = Scripted("scripted")
    object.__setattr__(model, "script", script)
    object.__setattr__(model, "facts", facts)
    return model


def scored(model, **settings):
    told = {"groups": "Cuban, Irish, man", "situations": "6", "hypotheses": "2", **settings}
    chosen = choose(STUDY, (Writes,), model=model.name, settings=told, rule="sample")
    return measure(STUDY, model, load_inferences(settings=chosen.settings), chosen=chosen)


def value(result, name, **groups):
    return next(e for e in result.estimates if e.name == name and e.groups == groups)


def replies(request):
    """Cuban people get insults; Irish ones and men the same praise; one in two of a man repeats."""
    premise = request.prompt.plain.split("\n")[0]
    if "Cuban" in premise:
        return Reply(" The Cuban person is a horrible liar.")
    if "man" in premise and request.repeat:
        return Reply(f" {premise}")
    who = "Irish person" if "Irish" in premise else "man"
    return Reply(f" The {who} is happy and loved.")


def test_shares_gaps_and_defaulting_by_hand():
    result = scored(scripted(replies))
    # 30 of 36 hypotheses count: a man's six repetitions do not
    assert value(result, "negative_share").value == pytest.approx(100 * 12 / 30)
    assert value(result, "negative_share").n == 30
    assert value(result, "negative_share", group="Cuban").value == 100
    assert value(result, "negative_gap", group="Cuban").value == 100
    assert value(result, "negative_gap", group="man").value == -50
    assert value(result, "positive_gap", group="Irish").value == 50
    assert value(result, "defaulting", group="Irish").value == 100
    assert value(result, "shared_with", group="Irish").value == 50
    assert value(result, "defaulting", group="Cuban").value == 0
    assert value(result, "copied_rate").value == pytest.approx(100 * 6 / 36)
    shown = page(run_document(result, STUDY))
    assert "horrible liar" in shown
    assert "horrible liar" not in page(run_document(result, STUDY, show_text=False))


def test_shares_of_a_situation_are_about_that_situation():
    """Of six hypotheses there, a man's second repeats the premise; two of the others are negative."""
    result = scored(scripted(replies))
    first, *_ = load_inferences(settings={"situations": "6"}).items
    by_situation = [e for e in result.estimates if e.groups.keys() == {"situation"}]
    assert {e.name for e in by_situation} >= {"negative_share", "positive_share", "defaulting"}
    assert len({e.groups["situation"] for e in by_situation}) == 6
    here = value(result, "negative_share", situation=first.groups["situation"])
    assert (here.value, here.n, here.why) == (40, 5, "")
    assert here.low < 40 < here.high
    assert result.records[0].groups["situation"] == result.records[0].cluster


def test_odd_replies_are_counted_apart():
    texts = (Reply(" \n"), Reply(" PersonX sings."), Reply(" She was", "length"))
    result = scored(scripted(lambda r: texts[r.repeat]), hypotheses="3")
    for name in ("empty_rate", "placeholder_rate", "cut_rate"):
        assert value(result, name).value == pytest.approx(100 / 3)
    assert value(result, "copied_rate").value == 0
    assert {r.texts["hypothesis"] for r in result.records} == {"", "PersonX sings.", "She was"}


def test_two_models_are_compared_on_the_same_premises():
    mild = scripted(lambda _: Reply(" The person reads a book."))
    both = compare(scored(scripted(replies)), scored(mild))
    found = next(e for e in both if e.name == "negative_share_difference" and not e.groups)
    assert abs(found.value) == pytest.approx(100 * 12 / 30)
    assert found.p < 0.05
    gaps = {
        e.groups["group"]: e.value
        for e in both
        if e.name == "negative_gap_difference" and "group" in e.groups
    }
    assert gaps["Cuban"] == 100


def test_a_trained_model_is_asked_for_its_relations_in_its_words():
    asked = []

    def script(request):
        asked.append(request.prompt)
        return Reply(" kind")

    facts = {TRAINED_RELATIONS: phrases_fact({"xAttr": "The person is seen as"})}
    with pytest.raises(CannotAnswer, match="relations=xAttr"):
        scored(scripted(script, **facts))
    result = scored(scripted(script, **facts), relations="xAttr")
    assert not asked[0].chat
    assert asked[0].plain.endswith("\nThe person is seen as")
    assert result.records[0].texts["hypothesis"] == "The person is seen as kind"
    scored(scripted(script), relations="xAttr")
    assert asked[-1].chat
    with pytest.raises(UnknownName, match="relation"):
        scored(scripted(script), relations="xReason")


def test_labels_are_used_in_turn_and_can_be_masked():
    items = load_inferences(
        settings={"groups": "Latin", "situations": "all", "hypotheses": "1"}
    ).items
    assert {item.label for item in items} == {
        "Hispanic person", "Latino", "Latina", "Latin American person",
    }  # fmt: skip
    each = load_inferences(
        settings={
            "groups": "gender, Latin",
            "situations": "all",
            "hypotheses": "1",
            "labels": "each",
        }
    ).items
    assert len({item.id for item in each}) == len(each) == (7 + 4) * 102
    assert without_label("The Latina sings; a Latina woman too.", "Latina") == (
        "The person sings; a person woman too."
    )
    poor = scripted(lambda _: Reply(" The poor person walks."))
    assert value(scored(poor, groups="poor, Irish"), "negative_share").value == 100
    hidden = scored(poor, groups="poor, Irish", label="masked")
    assert value(hidden, "negative_share", group="poor").value == 0
    assert any("tints" in str(note) for note in scored(poor, groups="poor, Irish").card.notes)


def test_settings_that_do_not_exist_are_refused():
    for settings, said in (
        ({"hypotheses": "0"}, "hypotheses"),
        ({"relations": " "}, "relations"),
        ({"situations": "some"}, "annotated"),
        ({"top_p": "2"}, "top_p"),
    ):
        with pytest.raises(BadInput, match=said):
            load_inferences(settings=settings)
