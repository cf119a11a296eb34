"""A text that spells a control token is letters to every kind of model, and a hidden word is still a mask."""

import pytest

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, opened
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.conversations import Message, Prompt

KINDS = (*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION)
TEMPLATE = (
    "{% for m in messages %}{{ bos_token or '' }}{{ m.content }}{{ eos_token or '' }}{% endfor %}"
)


@pytest.fixture(params=KINDS)
def model(request):
    return opened(request.param)


def own(tokens):
    """Ids but those that the tokenizer adds."""
    return [i for i, special in zip(tokens.ids, tokens.special, strict=True) if not special]


def control_ids(model):
    unknown = model._loaded.tokenizer.unk_token_id
    ids = model._loaded.tokenizer.convert_tokens_to_ids([*model.control_tokens])
    return {*ids} - {unknown}  # letters that a small vocabulary lacks are unknown ones


def readable(model):
    """A control token that its tokenizer can read as letters."""
    lost = model.unreadable(model.control_tokens)
    if not {*model.control_tokens} - {*lost}:
        pytest.skip("all control tokens are words of its vocabulary")
    return next(token for token in model.control_tokens if token not in lost)


def test_no_control_token_comes_out_of_a_text(model):
    assert model.control_tokens
    for token in model.control_tokens:
        if model.unreadable([token]):
            with pytest.raises(CannotAnswer, match=r"cannot read .* as letters"):
                model.encode([f"He {token} sang."])
            continue
        (tokens,) = model.encode([f"He {token} sang."])
        assert not {*own(tokens)} & control_ids(model), token


def test_other_texts_are_read_as_before(model):
    texts = ["He sang.", "She drove the car well here."]
    alone = model.encode(texts)
    with_others = model.encode([*texts, f"He {readable(model)} sang."])
    assert with_others[:2] == alone


def test_a_pair_of_texts_is_read_as_letters_too(model):
    loaded, token = model._loaded, readable(model)
    out = loaded.tokenised([f"He {token} sang."], ["He sang."], add_special_tokens=False)
    assert not {*out["input_ids"][0]} & control_ids(model)


@pytest.mark.parametrize("kind", [*MASKED, *PERMUTATION])
def test_a_hidden_word_is_the_mask_and_a_spelled_one_is_not(kind):
    model = opened(kind)
    mask = model._loaded.tokenizer.mask_token_id
    spelled = str(model._loaded.tokenizer.mask_token)
    hidden, plain = model.encode([f"He {model.mask} sang.", "He sang."])
    assert mask in hidden.ids and mask not in plain.ids
    if not model.unreadable([spelled]):
        assert mask not in model.encode([f"He {spelled} sang."])[0].ids
    assert len(model.mask) == len(spelled)  # so that places in the text stay
    with pytest.raises(BadInput, match="a word is hidden spells a control token"):
        model.encode([f"He {model.mask} {spelled} sang."])


@pytest.mark.parametrize("kind", ["gpt2", "qwen2"])
def test_a_template_counts_and_a_message_does_not(kind):
    model = opened(kind)
    tokenizer = model._loaded.tokenizer
    tokenizer.chat_template = TEMPLATE
    try:
        end = tokenizer.eos_token
        told, spelled = (
            model._writer.reader.tokens([Prompt((Message("user", text),), chat=True)])[0]
            for text in ("He sang.", f"He {end} sang.")
        )
    finally:
        tokenizer.chat_template = None
    assert told.count(tokenizer.eos_token_id) == spelled.count(tokenizer.eos_token_id) > 0
    assert len(spelled) > len(told)
