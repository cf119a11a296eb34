"""Writing from shared beginnings: what is read once, and what is read anew."""

import pytest

from models.writing.examples import PROMPTS, TEXTS, plain, requests, slow_reply
from support.architectures import CAUSAL, build, opened
from tiltmeter.core.model.conversations import Writing
from tiltmeter.core.model.prefix_trees import LONG, beginning
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import tree_texts
from tiltmeter.models.writing import tree_writing


@pytest.mark.parametrize("kind", CAUSAL)
def test_what_all_prompts_begin_with_is_read_once(kind, monkeypatch):
    model = opened(kind)
    start = (
        " ".join(TEXTS)
        + " The old driver was slow and the young clerk was rude and late, and she sang"
    )
    ends = ("", " was", " was late again, nobody knows why")
    asked = [Writing(plain(start + end), 4, temperature=t) for end in ends for t in (0.0, 1.5)]
    read = []
    real = tree_texts.TreeTexts.inputs
    monkeypatch.setattr(
        tree_texts.TreeTexts,
        "inputs",
        lambda self, ids, at: read.append(len(ids)) or real(self, ids, at),
    )
    model.write(asked[:1])  # tries whether this gives what each text gives alone
    read.clear()
    found = [r.text for r in model.write(asked)]
    texts = model._writer.reader.tokens([r.prompt for r in asked])
    begun = beginning(texts)
    assert begun >= LONG
    assert read[0] in {begun, begun - 1}
    assert sum(read[1:2]) <= sum(len(text) - read[0] for text in set(texts))
    assert found == [slow_reply(model, r) for r in asked]


def test_where_memory_is_short_branches_wait_and_say_the_same(monkeypatch):
    model = opened("gpt2")
    asked = [Writing(PROMPTS[0], 8, temperature=2.0, repeat=k) for k in range(40)]
    free = model.write(asked)
    monkeypatch.setattr(model._loaded, "batch_tokens", 16)
    assert model.write(asked) == free
    assert len({r.text for r in free}) > 30


def test_a_model_that_cannot_keep_what_it_read_is_read_anew(tmp_path):
    model = open_model(resolve(str(build("llama", tmp_path))), Options(device="cpu"))
    asked = requests()
    kept = model.write(asked)
    model._writer._texts(1)._keeps = False
    assert model.write(asked) == kept


def test_the_check_finds_a_model_whose_kept_state_is_wrong(tmp_path, monkeypatch):
    model = open_model(resolve(str(build("llama", tmp_path))), Options(device="cpu"))
    real = tree_writing.TreeNextTokens._go_on
    monkeypatch.setattr(
        tree_writing.TreeNextTokens, "_go_on", lambda self, *given: 1.5 * real(self, *given)
    )
    model.write([Writing(PROMPTS[0], 2)])
    assert model.about["keys and values kept"] is False
