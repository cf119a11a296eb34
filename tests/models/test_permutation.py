"""XLNet against one-at-a-time obvious code: an order of prediction written out, nothing hidden by hand."""

import json
import shutil

import numpy as np
import pytest
import torch

from support.architectures import TEXTS, build
from tiltmeter.core.data.items import BLANK, SIDES
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import Attends, EmbedsTokens, FillsBlanks, ReadsUnhidden
from tiltmeter.core.model.requests import Blanked
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import token_logprobs
from tiltmeter.run.planning.choosing import choose

CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module")
def xlnet(tmp_path_factory):
    return build("xlnet", tmp_path_factory.mktemp("permutation") / "xlnet")


@pytest.fixture(scope="module")
def model(xlnet):
    return open_model(resolve(str(xlnet)))


@pytest.fixture
def copy(xlnet, tmp_path):
    return shutil.copytree(xlnet, tmp_path / "copy")


def edit(folder, name="config.json", **changes):
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return str(folder)


def requests_of(model):
    """Single blanks, several together, some that are read and some only hidden, special tokens."""
    tokens = model.encode([*TEXTS, "He is", TEXTS[0]])
    return [
        *(Blanked(t.ids, (i,), (i,)) for t in tokens for i in range(len(t.ids))),
        *(Blanked(t.ids, (0, 1, 3), (0, 1, 3)) for t in tokens),
        *(Blanked(t.ids, (0, 1), (0,)) for t in tokens),
        Blanked(tokens[0].ids, (1, 2), (2, 1, 2)),
        Blanked(tokens[0].ids, (1, 2), ()),
    ]


@torch.no_grad()
def slow(model, request, segments=True):
    """The true tokens stand in the input; only the order of prediction keeps them out of sight.

    Each token that is read comes first in an order of its own, so there is one pass for each.
    """
    length = len(request.ids)
    found = []
    for position in request.read:
        # 1: the row's position does not attend to the column's
        order = torch.zeros(1, length, length)
        order[:, :, list(request.hidden)] = 1
        target = torch.zeros(1, 1, length)
        target[0, 0, position] = 1
        kinds = torch.tensor([[*([0] * (length - 1)), 2]])  # the last, <cls>, is in its own segment
        output = model._loaded.model(
            torch.tensor([request.ids]),
            perm_mask=order,
            target_mapping=target,
            token_type_ids=kinds if segments else None,
            use_mems=False,
        )
        found.append(float(output.logits[0, 0].double().log_softmax(-1)[request.ids[position]]))
    return np.array(found)


def same(answers, expected):
    assert len(answers) == len(expected)
    for answer, right in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, right, **CLOSE)


def test_equals_obvious_code(model):
    requests = requests_of(model)
    expected = [slow(model, r) for r in requests]
    assert np.ptp(np.concatenate(expected)) > 1  # the model distinguishes tokens
    same(model.blank_logprobs(requests), expected)
    assert model.about["projection"].startswith("only positions that are read")


def test_what_is_hidden_changes_nothing_and_what_is_seen_does(model):
    (tokens,) = model.encode([TEXTS[0]])
    hidden = (1, 2, 4)

    def ask(at, token):
        ids = list(tokens.ids)
        ids[at] = token
        request = Blanked(tuple(ids), hidden, (1, 2))
        return model.blank_logprobs([request])[0], slow(model, request)

    plain, plain_slow = ask(4, tokens.ids[4])
    for token in (0, 9, 50):
        other, other_slow = ask(4, token)  # hidden, and not read
        np.testing.assert_array_equal(other, plain)
        np.testing.assert_array_equal(other_slow, plain_slow)
        first, _ = ask(1, token)  # hidden and read: only what is looked up there changes
        assert first[0] != plain[0]
        assert first[1] == plain[1]
        seen, _ = ask(3, token)
        assert abs(seen[1] - plain[1]) > 1e-4


@pytest.mark.parametrize("hidden", [(2,), (1, 2, 5)])
def test_the_tokens_that_may_stand_in_a_blank_have_probability_one_together(model, hidden):
    (tokens,) = model.encode([TEXTS[1]])
    vocabulary = int(model.about["vocabulary"])
    each = [(*tokens.ids[:2], token, *tokens.ids[3:]) for token in range(vocabulary)]
    answers = model.blank_logprobs([Blanked(ids, hidden, (2,)) for ids in each])
    assert np.exp(np.concatenate(answers)).sum() == pytest.approx(1, abs=1e-5)


def test_batch_size_and_order_change_nothing(xlnet):
    answers = {}
    for size in (1, 40, 100_000):
        options = Options(batch_tokens=size)
        opened = open_model(resolve(str(xlnet), options), options)
        requests = requests_of(opened)
        answers[size] = opened.blank_logprobs(requests)
        same(opened.blank_logprobs(requests[::-1])[::-1], answers[size])
    same(answers[1], answers[100_000])
    same(answers[1], answers[40])


def test_padding_changes_nothing(model):
    short, long = (Blanked(t.ids, (1,), (1,)) for t in model.encode(["He is", TEXTS[0]]))
    same(model.blank_logprobs([short, long])[:1], model.blank_logprobs([short]))


def test_requests_that_see_the_same_share_a_row(model, monkeypatch):
    rows = []
    padded = type(model)._padded
    monkeypatch.setattr(
        type(model),
        "_padded",
        lambda self, texts, queries: rows.append(len(texts)) or padded(self, texts, queries),
    )
    (tokens,) = model.encode([TEXTS[0]])
    requests = [
        Blanked((*tokens.ids[:2], token, *tokens.ids[3:]), (2, 3), read)
        for token in (7, 8)
        for read in ((2,), (3,))
    ]
    same(model.blank_logprobs(requests), [slow(model, r) for r in requests])
    assert rows == [1]


def test_large_projections_are_done_in_parts(model, monkeypatch):
    whole = model.blank_logprobs(requests_of(model))
    monkeypatch.setattr(token_logprobs, "LOGITS", 3 * int(model.about["vocabulary"]))
    same(model.blank_logprobs(requests_of(model)), whole)


def test_the_closing_token_is_in_its_own_segment(model):
    """As in training and as the tokenizer says; without it the numbers are others."""
    (tokens,) = model.encode([TEXTS[0]])
    request = Blanked(tokens.ids, (1,), (1,))
    same(model.blank_logprobs([request]), [slow(model, request)])
    assert abs(slow(model, request) - slow(model, request, segments=False)) > 1e-4


def test_special_tokens_stand_after_the_text(model):
    (tokens,) = model.encode(["He is a nurse"])
    assert tokens.special == (False, False, False, False, True, True)
    assert tokens.words == (0, 1, 2, 3, -1, -1)
    assert tokens.spans[:2] == ((0, 2), (2, 5))
    (masked,) = model.encode([f"He is a {model.mask}"])
    assert masked.ids[3] == model._mask
    assert model.encode([]) == model.blank_logprobs([]) == []


def test_the_mask_in_a_text_is_found_before_special_tokens(model):
    """As the published StereoSet script asks: the blank is a mask token in the text."""
    study = find("studies", "stereoset", "STUDY")
    triple = next(t for t in study.sample().items if t.task == "intrasentence")
    rule = next(r for r in study.rules if r.name == "blank_probability")
    (record,) = rule.score(model, [triple], Context())
    before, _, after = triple.context.partition(BLANK)
    for side, word in zip(SIDES, triple.attributes, strict=True):
        (whole,) = model.encode([f"{before}{word}{after}"])
        (head,) = model.encode([before.rstrip()])
        start = len(head.ids) - 2
        pieces = len(whole.ids) - len(model.encode([f"{before.rstrip()}{after}"])[0].ids)
        assert pieces == 1  # each of the sample's words is a token
        asked = Blanked(whole.ids, (start,), (start,))
        assert record.scores[side] == pytest.approx(np.exp(slow(model, asked)[0]), rel=1e-4)


def test_what_it_answers(xlnet, model):
    where = resolve(str(xlnet))
    assert where.scheme == "permutation"
    assert where.answers == (FillsBlanks, EmbedsTokens)
    assert isinstance(model, FillsBlanks)
    assert not isinstance(model, Attends)
    assert model.about["kind"] == "permutation"
    assert model.limit == 64  # the tokenizer's
    for scheme in ("masked", "causal"):
        with pytest.raises(CannotAnswer, match=r"is a permutation language model .*permutation:"):
            resolve(f"{scheme}:{xlnet}")


def test_positions_are_relative_so_there_may_be_no_limit(copy):
    assert (
        open_model(resolve(edit(copy, "tokenizer_config.json", model_max_length=10**30))).limit
        is None
    )


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("aul", "read where nothing is hidden"),
        ("aula", "attention"),
        ("log_likelihood", "continue"),
    ],
)
def test_rules_it_cannot_answer_are_refused_before_loading(copy, rule, says):
    (copy / "model.safetensors").unlink()
    answers = resolve(str(copy)).answers
    pairs = find("studies", "pairs", "STUDY")
    with pytest.raises(CannotAnswer, match=rf"'{rule}': .*{says}.* answer: pll_shared"):
        choose(pairs, answers, model="xlnet", rule=rule)
    assert choose(pairs, answers, model="xlnet").rule.name == "pll_shared"
    assert ReadsUnhidden not in answers


def test_it_is_not_read_where_nothing_is_hidden(model):
    """The position's own token would be in sight of it, in the first layer already."""
    with pytest.raises(CannotAnswer, match="not hidden"):
        model.blank_logprobs([Blanked((20, 21, 22), (), (0, 1, 2))])
    with pytest.raises(CannotAnswer, match="not hidden"):
        model.blank_logprobs([Blanked((20, 21, 22), (1,), (1, 2))])


def test_something_must_be_in_sight(model):
    """Attention to nothing would fall on everything alike: on what is hidden, and on padding."""
    with pytest.raises(CannotAnswer, match="every token hidden"):
        model.blank_logprobs([Blanked((20, 21), (0, 1), (0,))])


def test_requests_beyond_the_limit_are_refused(model):
    with pytest.raises(CannotAnswer, match=r"at most 64 tokens .* 65"):
        model.blank_logprobs([Blanked((5,) * 65, (1,), (1,))])


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_reduced_precision_is_close_but_not_the_same(xlnet, model, precision):
    """The library leaves some of the weights and the positions in float32, which do not go together."""
    options = Options(precision=precision)
    rough = open_model(resolve(str(xlnet), options), options)
    a, b = (np.concatenate(m.blank_logprobs(requests_of(model))) for m in (model, rough))
    assert 0 < np.abs(a - b).max() < 0.2
    assert rough.about["precision"] == precision


def test_no_half_of_a_batch_is_read_backwards(copy, model):
    """`bi_data` is a way to train, not a way to read."""
    other = open_model(resolve(edit(copy, bi_data=True)))
    same(other.blank_logprobs(requests_of(model)), model.blank_logprobs(requests_of(model)))


def test_one_that_sees_only_what_stands_before_is_refused(copy):
    with pytest.raises(CannotAnswer, match=r"only sees the text before \(attn_type"):
        resolve(edit(copy, attn_type="uni"))


def test_a_mask_token_is_needed(copy):
    path = copy / "tokenizer_config.json"
    config = json.loads(path.read_text())
    config.pop("mask_token")
    path.write_text(json.dumps(config))
    with pytest.raises(CannotAnswer, match="no mask token"):
        open_model(resolve(str(copy)))


def test_without_the_head_it_is_refused(copy):
    with pytest.raises(CannotAnswer, match="no language-modelling head"):
        resolve(edit(copy, architectures=["XLNetForTokenClassification"]))
