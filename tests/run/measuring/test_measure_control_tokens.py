"""A run names the items whose texts spell control tokens of the model, and refuses what it cannot read."""

import pytest

import tiltmeter as tm
from support.architectures import build
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import BadItems
from tiltmeter.data.pairs.pairs import dataset_of

PLAIN = Pair("plain", "The old man lost.", "The young man lost.", {})


def spelled(token):
    return dataset_of([
        Pair("a", f"She said {token} no.", f"He said {token} no.", {}), PLAIN,
        Pair("b", f"The {token} man lost.", "The young man lost.", {}),
    ])  # fmt: skip


def cautions(run):
    return [note.text for note in run.card.notes if "control token" in note.text]


@pytest.mark.parametrize(("kind", "token"), [("bert", "[SEP]"), ("gpt2", "</s>")])
def test_items_that_spell_a_token_are_named(kind, token, tmp_path):
    run = tm.run("pairs", str(build(kind, tmp_path / kind)), data=spelled(token))
    assert cautions(run) == [
        f"2 items spell control tokens of the model ({token}), read as plain text: a, b."
    ]
    assert run.card.counts["scored"] == 3


def test_tokens_of_other_models_are_text(tmp_path):
    run = tm.run("pairs", str(build("bert", tmp_path / "bert")), data=spelled("</s>"))
    assert not cautions(run)


def test_of_a_model_that_does_not_tell_its_tokens_the_usual_ones_are_named():
    run = tm.run("pairs", "fake", data=spelled("<s>"))
    assert cautions(run) == ["2 items spell control tokens of many models (<s>): a, b."]
    assert not cautions(tm.run("pairs", "fake", data=dataset_of([PLAIN])))


def test_what_a_tokenizer_cannot_read_as_letters_is_refused(tmp_path):
    model = str(build("t5", tmp_path / "t5"))
    with pytest.raises(
        BadItems, match="spells </s>, which the model's tokenizer cannot read"
    ) as why:
        tm.run("pairs", model, data=spelled("</s>"))
    assert [problem.item for problem in why.value.problems] == ["a", "b"]
    run = tm.run("pairs", model, data=spelled("</s>"), skip_invalid=True)
    assert run.card.counts["scored"] == 1 and run.card.counts["invalid"] == 2
