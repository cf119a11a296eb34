"""Families of models by their names, and what is said of them."""

import pytest

from tiltmeter.derived.comparisons.model_families import describe_families, families_of


@pytest.mark.parametrize(
    ("names", "families"),
    [
        (["bert-base-uncased", "bert-large", "albert-base"], ("bert", "bert", "albert")),
        (["Claude 3.5 Sonnet", "claude-3-haiku", "GPT-4o"], ("claude", "claude", "gpt")),
        (["meta-llama/Llama-3-8B", "x/llama-2", "y/Mistral"], ("llama", "llama", "mistral")),
        (["m1", "m2", "other"], ("m1", "m2", "other")),
        (["model 1", "model 2"], ("model 1", "model 2")),
    ],
)
def test_names_begin_with_their_family_where_they_tell(names, families):
    assert families_of(names) == families


def test_what_is_given_counts():
    assert families_of(["a", "b", "gpt2"], {"a": "one", "b": "one"}) == ("one", "one", "gpt")


def test_unrelated_models_need_no_note():
    assert describe_families(["a", "b"], ["a", "b"]) == ""
    note = describe_families(["gpt2", "gpt-4", "bert"], ["gpt", "gpt", "bert"])
    assert "(gpt 2, bert 1)" in note and "--family" in note
