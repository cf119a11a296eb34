"""A result in a model card, held against the hub's own library."""

import dataclasses

import pytest
from markdown_it import MarkdownIt

from report import example
from tiltmeter.report.model_card import model_card_section

cards = pytest.importorskip("huggingface_hub.repocard_data")


@pytest.fixture(scope="module")
def result():
    found = example.result(example.LONG_NAME)
    model = {**found.card.model, "kind": "causal"}
    return dataclasses.replace(found, card=dataclasses.replace(found.card, model=model))


def test_the_hub_reads_the_metadata(result):
    section = model_card_section(result, example.study())
    name, results = cards.model_index_to_eval_results(section.model_index)
    assert name == example.LONG_NAME == str(result.card.model["name"])
    overall = [e for e in result.estimates if not e.groups and e.value is not None]
    assert [(r.metric_type, r.metric_value) for r in results] == [
        (e.name, pytest.approx(e.value, abs=1e-6)) for e in overall
    ]
    first, head = results[0], overall[0]
    assert first.task_type == "text-generation"
    assert (first.dataset_type, first.dataset_config) == (
        result.card.data["name"],
        result.card.study,
    )
    args = first.metric_args
    assert (args["rule"], args["convention"], args["n"]) == (head.rule, head.convention, head.n)
    assert (args["low"], args["high"]) == pytest.approx((head.low, head.high), abs=1e-6)
    assert args["level"] == 0.95
    card = cards.ModelCardData(model_name=name, eval_results=results)
    assert cards.ModelCardData(**card.to_dict()).eval_results == results


def test_what_is_undefined_is_left_out_of_the_metadata(result):
    bare = dataclasses.replace(result.estimates[0], value=None, low=None, high=None, why="none")
    found = dataclasses.replace(result, estimates=[bare, *result.estimates[1:]])
    metrics = model_card_section(found, None).model_index[0]["results"][0]["metrics"]
    assert bare.name not in [m["type"] for m in metrics]


def test_the_section_says_what_the_number_depends_on_and_does_not_show(result):
    text = model_card_section(result, example.study()).markdown
    for word in (
        f"rule {result.card.rule}",
        f"convention {result.card.convention}",
        "interval",
        "Seed: 0",
    ):
        assert word in text.replace("\\", "")
    assert "**What this does not show.**" in text
    assert text.startswith("## CrowS-Pairs")
    assert str(result.headline.n) in text


def test_foreign_text_stays_text(result):
    html = MarkdownIt("commonmark").render(model_card_section(result, example.study()).markdown)
    assert "<b>" not in html
    assert "&lt;b&gt;preview" in html
