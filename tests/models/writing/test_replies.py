"""Local models write what one text at a time, without cache or padding, writes."""

from dataclasses import replace
from hashlib import blake2b

import numpy as np
import pytest
import torch

from support.architectures import CAUSAL, build, opened
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing, request_key
from tiltmeter.core.model.prefix_trees import LONG, beginning
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import tree_texts
from tiltmeter.models.writing import tree_writing

TEXTS = ("He is a nurse and", "She", "My grandmother fixed the car well at night, nobody knows")
TEMPLATE = "{% for m in messages %}<{{ m['role'] }}> {{ m['content'] }}\n{% endfor %}<assistant>"


def plain(text):
    return Prompt((Message("user", text),), chat=False)


PROMPTS = [plain(text) for text in TEXTS]


def number(request, place):
    digest = blake2b(request_key(request).encode(), digest_size=8, salt=place.to_bytes(8)).digest()
    return (int.from_bytes(digest) >> 11) / 2**53


@torch.no_grad()
def slow_reply(model, request):
    """The whole text read anew for each token; nucleus and inverse distribution written out."""
    tokenizer, inner = model._loaded.tokenizer, model._loaded.model
    ids = list(model._writer.reader.tokens([request.prompt])[0])
    written = []
    while len(written) < request.max_tokens:
        logits = inner(input_ids=torch.tensor([ids + written])).logits[0, -1].double()
        if request.temperature == 0:
            token = int(logits.argmax())
        else:
            chances = (logits / request.temperature).softmax(-1).tolist()
            falling = sorted(range(len(chances)), key=lambda t: (-chances[t], t))
            kept, total = set(), 0.0
            for t in falling:
                if total >= request.top_p:
                    break
                kept.add(t)
                total += chances[t]
            at, reached = number(request, len(written)) * total, 0.0
            for token in sorted(kept):
                reached += chances[token]
                if reached > at:
                    break
        if token in model._writer._ends:
            break
        written.append(token)
        text = tokenizer.decode(written, skip_special_tokens=True)
        if any(stop in text for stop in request.stop):
            return min((text.split(stop)[0] for stop in request.stop if stop in text), key=len)
    return tokenizer.decode(written, skip_special_tokens=True)


def requests():
    ways = [
        {},
        {"temperature": 0.3},
        {"temperature": 1.5, "top_p": 0.6},
        {"temperature": 2.0, "stop": ("e", "a")},
        {"temperature": 1.0, "repeat": 3},
        {"temperature": 1.0, "seed": 3},
    ]
    return [Writing(p, 5, **way) for p in PROMPTS for way in ways]


@pytest.mark.parametrize("kind", CAUSAL)
def test_replies_are_those_of_obvious_code(kind):
    model = opened(kind)
    asked = requests()
    replies = model.write(asked)
    assert [r.text for r in replies] == [slow_reply(model, r) for r in asked]
    assert all(r.tokens_out <= one.max_tokens for r, one in zip(replies, asked, strict=True))
    assert [r.tokens_in for r in replies] == model.prompt_lengths([r.prompt for r in asked])
    assert model.about["keys and values kept"] is True


@pytest.mark.parametrize("kind", CAUSAL)
def test_a_reply_does_not_depend_on_what_is_asked_with_it(kind):
    model = opened(kind)
    asked = requests()
    together = model.write(asked)
    assert model.write(asked[::-1])[::-1] == together
    assert [model.write([one])[0] for one in asked] == together


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


def test_draws_follow_the_distribution():
    model = opened("gpt2")
    ids = model._writer.reader.tokens([PROMPTS[1]])[0]
    with torch.no_grad():
        logits = model._loaded.model(input_ids=torch.tensor([ids])).logits[0, -1]
    chances = (logits.double() / 0.7).softmax(-1).numpy()
    asked = [Writing(PROMPTS[1], 1, temperature=0.7, repeat=k) for k in range(4000)]
    texts = [r.text for r in model.write(asked)]
    likely = np.argsort(chances)[-5:]
    for token in likely:
        said = model._loaded.tokenizer.decode([int(token)], skip_special_tokens=True)
        same = [t for t, c in enumerate(chances) if model._loaded.tokenizer.decode([t]) == said]
        expected = 4000 * chances[same].sum()
        assert abs(texts.count(said) - expected) < 5 * np.sqrt(expected)


def test_an_end_token_ends_a_reply(monkeypatch):
    model = opened("gpt2")
    ids = model._writer.reader.tokens([PROMPTS[0]])[0]
    with torch.no_grad():
        first = int(model._loaded.model(input_ids=torch.tensor([ids])).logits[0, -1].argmax())
    monkeypatch.setattr(model._writer, "_ends", frozenset({first}))
    reply = model.write([Writing(PROMPTS[0], 5)])[0]
    assert (reply.text, reply.finish, reply.tokens_out) == ("", "stop", 0)


def test_why_a_reply_ended():
    model = opened("gpt2")
    whole = model.write([Writing(PROMPTS[0], 4)])[0]
    assert whole.finish == "length"
    letter = whole.text[-1]
    cut = model.write([Writing(PROMPTS[0], 4, stop=(letter,))])[0]
    assert (cut.text, cut.finish) == (whole.text[: whole.text.index(letter)], "stop")


@pytest.mark.parametrize("kind", CAUSAL)
def test_options_are_scored_as_continuations(kind):
    model = opened(kind)
    options = (" nurse", " driver was", " He")
    found = model.choice_logprobs([Choosing(p, options) for p in PROMPTS])
    for prompt, logprobs in zip(PROMPTS, found, strict=True):
        reader = model._writer.reader
        rows = reader.followed([(prompt, end) for end in ("", *options)])
        begun = len(rows[0])
        for row, logprob in zip(rows[1:], logprobs, strict=True):
            if row[:begun] != rows[0]:
                continue
            with torch.no_grad():
                table = model._loaded.model(input_ids=torch.tensor([row])).logits[0]
            table = table.double().log_softmax(-1)
            right = sum(float(table[i - 1, row[i]]) for i in range(begun, len(row)))
            assert logprob == pytest.approx(right, abs=1e-4)


def test_a_conversation_needs_a_template():
    model = opened("gpt2")
    assert model.chats is False
    with pytest.raises(CannotAnswer, match=r"no chat template.*wrap=text"):
        model.write([Writing(Prompt((Message("user", "Well?"),)), 2)])


def test_a_conversation_is_read_under_the_template(monkeypatch):
    model = opened("gpt2")
    monkeypatch.setattr(model._loaded.tokenizer, "chat_template", TEMPLATE)
    turns = Prompt((Message("system", "Be brief."), Message("user", "Well?")))
    ids = model._writer.reader.tokens([turns])[0]
    said = model._loaded.encode(["<system> Be brief.\n<user> Well?\n<assistant>"], special=False)
    assert ids == said[0].ids
    assert model._writer.reader.chats is True
    monkeypatch.setattr(
        model._loaded.tokenizer, "chat_template", "{{ raise_exception('no system turn') }}"
    )
    with pytest.raises(CannotAnswer, match=r"system, user\): no system turn"):
        model.write([Writing(turns, 2)])


def test_a_prompt_that_is_too_long_is_refused():
    model = opened("gpt2")
    with pytest.raises(CannotAnswer, match="at most 64 tokens"):
        model.write([replace(Writing(PROMPTS[0], 2), max_tokens=64)])
    with pytest.raises(CannotAnswer, match="adds no token"):
        model.choice_logprobs([Choosing(PROMPTS[0], (" a", ""))])
