"""Published pairs, all or every third, on a network that hardly knows which sentence of a pair it prefers."""

import re
from contextlib import contextmanager, redirect_stderr
from dataclasses import replace
from io import StringIO
from itertools import chain

import pytest

import published
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.run.cached_model import CachedModel
from tiltmeter.run.choosing import choose
from tiltmeter.run.measure import measure
from tiltmeter.run.screening import measure_screened
from tiltmeter.run.store import Store
from tiltmeter.studies import crows_pairs

STUDY = replace(crows_pairs.STUDY, measures=crows_pairs.STUDY.measures[:2])  # the rates


@pytest.fixture(scope="module")
def items():
    published.need("crows_pairs")
    try:
        return STUDY.load()
    except TiltmeterError as why:
        pytest.skip(f"the published pairs cannot be read: {why}")


@pytest.fixture(scope="module")
def network(items, tmp_path_factory):
    """A small BERT with random weights, which has every word of the pairs as a token."""
    pytest.importorskip("torch", reason="the extra [hf] is not installed")
    import torch
    import transformers as t
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    texts = chain.from_iterable((pair.more.lower(), pair.less.lower()) for pair in items.items)
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
    raw = Tokenizer(
        models.WordPiece({w: i for i, w in enumerate([*special, *words])}, unk_token="[UNK]")
    )
    raw.add_special_tokens(special)
    raw.normalizer = normalizers.BertNormalizer(lowercase=True)
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    torch.manual_seed(11)
    network = t.BertForMaskedLM(t.BertConfig(
        vocab_size=raw.get_vocab_size(), hidden_size=48, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=96,
    ))  # fmt: skip
    with torch.no_grad():
        for weights in network.parameters():
            if weights.dim() > 1:
                weights.mul_(6)  # so that it has something to say of each word
    folder = tmp_path_factory.mktemp("network")
    named = {f"{name[1:-1].lower()}_token": name for name in special}
    with redirect_stderr(StringIO()):  # its progress bar
        network.save_pretrained(folder)
    t.PreTrainedTokenizerFast(tokenizer_object=raw, model_max_length=96, **named).save_pretrained(
        folder
    )
    return folder


@pytest.fixture(scope="module")
def store():
    return Store(None)


@pytest.mark.parametrize(
    ("rule", "convention", "every"),
    [
        pytest.param("pll_shared", "paper", 1, marks=pytest.mark.long),
        pytest.param("pll_shared", "nangia2020", 1, marks=pytest.mark.long),
        pytest.param("pll_shared", "nangia2020", 3, marks=pytest.mark.slow),
        pytest.param("aul", "paper", 1, marks=pytest.mark.long),
    ],
)
def test_every_decision_is_float32s(rule, convention, every, items, network, store):
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.models.opening.open_model import open_model, resolve

    items = replace(items, items=list(items.items)[::every])
    answers = resolve(str(network)).answers
    chosen = choose(STUDY, answers, model="m", rule=rule, convention=convention)

    @contextmanager
    def opening(precision):
        options = Options(precision=precision, device="cpu")
        yield CachedModel(open_model(resolve(str(network), options), options), store)

    def whole(precision):
        with opening(precision) as model:
            return measure(STUDY, model, items, chosen=chosen)

    def decided(result):
        decimals = chosen.convention.decimals.get(rule)
        scores = [(r.scores["more"], r.scores["less"]) for r in result.records]
        if decimals is not None:
            scores = [(round(more, decimals), round(less, decimals)) for more, less in scores]
        return [(more > less) - (more < less) for more, less in scores]

    fast = measure_screened(STUDY, opening, items, chosen=chosen, quick="bfloat16")
    exact, rough = whole("float32"), whole("bfloat16")
    assert decided(fast) == decided(exact) != decided(rough)
    assert fast.estimates == exact.estimates
    assert fast.card.counts == exact.card.counts
    again = fast.card.model["screening"]["scored again in float32"]
    assert max(64, len(fast.records) / 20) < again < len(fast.records) == -(-1508 // every)
