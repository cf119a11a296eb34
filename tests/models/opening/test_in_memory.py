"""Models that the caller holds: they answer as their folder does, and are left as they were."""

import copy

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import EmbedsStart, FillsBlanks, FillsGaps
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.in_memory import in_memory
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.model_openers import LocalOpener
from tiltmeter.studies import crows_pairs

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
AUTO = {
    "bert": "AutoModelForMaskedLM", "roberta": "AutoModelForMaskedLM",
    "gpt2": "AutoModelForCausalLM", "llama": "AutoModelForCausalLM",
    "t5": "AutoModelForSeq2SeqLM", "bart": "AutoModelForSeq2SeqLM",
}  # fmt: skip
PAIRS = crows_pairs.STUDY.sample().items


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def get(kind):
        if kind not in made:
            made[kind] = build(kind, tmp_path_factory.mktemp("models") / kind)
        return made[kind]

    return get


def loaded(folder, kind):
    model = getattr(transformers, AUTO[kind]).from_pretrained(folder)
    return model, transformers.AutoTokenizer.from_pretrained(folder)


def opened(where):
    return LocalOpener().open(where, Options(), name="mine")


def scores(model, kind):
    """The sums that pairs are compared by."""
    masked = AUTO[kind] == "AutoModelForMaskedLM"
    rule = next(
        r
        for r in crows_pairs.STUDY.rules
        if r.name == ("pll_shared" if masked else "log_likelihood")
    )
    records = rule.score(model, PAIRS, Context(seed=0))
    return np.array([[r.scores["more"], r.scores["less"]] for r in records])


@pytest.mark.parametrize("kind", AUTO)
def test_answers_are_those_of_the_folder(folders, kind):
    folder = folders(kind)
    where = in_memory(*loaded(folder, kind))
    found = resolve(str(folder))
    assert where.scheme == found.scheme
    assert set(where.answers) <= set(found.answers)
    with opened(where) as model:
        assert scores(model, kind) == pytest.approx(scores(open_model(found), kind), abs=2e-3)
        assert model.about["loaded from"].startswith("memory")
    assert (FillsBlanks in where.answers) == (where.scheme == "masked")
    assert (FillsGaps in where.answers) == (where.scheme == "seq2seq")
    assert (EmbedsStart in where.answers) == (where.scheme == "masked")


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_the_model_is_left_as_it_was(folders, kind):
    model, tokenizer = loaded(folders(kind), kind)
    model.train()
    model.base_model.eval()
    calls = []
    hook = model.register_forward_hook(lambda *_: calls.append(1))
    before = copy.deepcopy(model.state_dict())
    modes = [m.training for m in model.modules()]
    with opened(in_memory(model, tokenizer)) as asked:
        scores(asked, kind)
        assert not any(m.training for m in model.modules())
    assert calls  # it is the caller's own object that was asked
    hook.remove()
    assert [m.training for m in model.modules()] == modes
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())
    assert not any("forward" in vars(m) for m in model.modules())
    after = model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert all(p.requires_grad for p in model.parameters())


def fingerprint(model, tokenizer, **named):
    with opened(in_memory(model, tokenizer, **named)) as asked:
        return asked.fingerprint


def test_the_fingerprint_is_that_of_what_answers(folders):
    model, tokenizer = loaded(folders("bert"), "bert")
    first = fingerprint(model, tokenizer)
    assert fingerprint(model, tokenizer, name="another name") == first
    assert fingerprint(copy.deepcopy(model), tokenizer) == first
    hook = model.bert.encoder.register_forward_hook(
        lambda _, __, out: type(out)(last_hidden_state=out.last_hidden_state * 0.5)
    )
    hooked = fingerprint(model, tokenizer)  # no weight shows it
    hook.remove()
    assert fingerprint(model, tokenizer) == first
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight[-1, 0] += 1  # of a token that no probe has
    assert len({first, hooked, fingerprint(model, tokenizer)}) == 3


def test_classes_of_the_callers_own(folders):
    model, tokenizer = loaded(folders("gpt2"), "gpt2")

    class Mine(transformers.GPT2LMHeadModel):
        pass

    mine = Mine(model.config)
    mine.load_state_dict(model.state_dict())
    assert in_memory(mine, tokenizer).scheme == "causal"

    class Like(torch.nn.Module):
        """No transformers class at all, but behaves as one."""

        def __init__(self):
            super().__init__()
            self.inner = model

        def forward(self, **given):
            return self.inner(**given)

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(self.inner, name)

    where = in_memory(Like(), tokenizer, kind="causal")
    with opened(where) as asked, opened(in_memory(model, tokenizer)) as plain:
        assert scores(asked, "gpt2") == pytest.approx(scores(plain, "gpt2"), abs=2e-3)


class Adapted:
    """As a model of peft: the layers of the inner model hold the adapter."""

    active_adapter = "tuned"

    def __init__(self, model, *, prompts=False):
        self._model = model
        described = type("Described", (), {"is_prompt_learning": prompts})()
        self.peft_config = {"tuned": described}

    def get_base_model(self):
        return self._model


def test_adapters_in_the_layers(folders):
    model, tokenizer = loaded(folders("gpt2"), "gpt2")
    where = in_memory(Adapted(model), tokenizer, name="adapted")
    with opened(where) as asked:
        assert asked.about["adapter"] == "tuned"
    with pytest.raises(CannotAnswer, match="learnt tokens"):
        in_memory(Adapted(model, prompts=True), tokenizer)


def test_what_cannot_be_asked_is_refused(folders):
    model, tokenizer = loaded(folders("bert"), "bert")
    with pytest.raises(CannotAnswer, match="headless encoder"):
        in_memory(model.bert, tokenizer)
    with pytest.raises(CannotAnswer, match="cannot be used as causal"):
        in_memory(model, tokenizer, kind="causal")
    with pytest.raises(BadInput, match="'vectors'"):
        in_memory(model, tokenizer, kind="vectors")
    with pytest.raises(BadInput, match="not a transformers model"):
        in_memory(torch.nn.Linear(2, 2), tokenizer)
    with pytest.raises(BadInput, match="not a transformers model"):
        in_memory(model, None)
    with (
        pytest.raises(BadInput, match="not in memory"),
        opened(in_memory(model.to("meta"), tokenizer)),
    ):
        pass


def test_it_is_called_after_where_it_came_from(folders):
    model, tokenizer = loaded(folders("bert"), "bert")
    assert in_memory(model, tokenizer).name == "bert (in memory)"
    assert in_memory(model, tokenizer, name="mine, epoch 3").name == "mine, epoch 3"


def test_a_given_identity_stands_for_the_weights(folders):
    model, tokenizer = loaded(folders("bert"), "bert")
    first = fingerprint(model, tokenizer, identity="step 1")
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight[5, 0] += 1
    assert fingerprint(model, tokenizer, identity="step 1") == first
    others = {fingerprint(model, tokenizer, identity="step 2"), fingerprint(model, tokenizer)}
    assert len({first, *others}) == 3


def test_gradients_and_the_cache_are_as_they_were(folders):
    model, tokenizer = loaded(folders("gpt2"), "gpt2")
    frozen = next(model.parameters()).requires_grad_(False)
    model.config.use_cache = True
    with opened(in_memory(model, tokenizer)):
        model.config.use_cache = False
        model.requires_grad_(False)
    assert model.config.use_cache is True
    assert [p for p in model.parameters() if not p.requires_grad] == [frozen]
