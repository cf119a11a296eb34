"""Every rule for triples against obvious code that asks the plain model one text at a time.

The models are small and random: what is tested is the arithmetic. The published procedures are
written again, step by step, as the study's page describes them.
"""

import math
import string

import numpy as np
import pytest
import torch

from support.architectures import build
from tiltmeter.core.errors import BadItems, CannotAnswer
from tiltmeter.core.items import Triple
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.stereoset import CONVENTIONS, RULES, STUDY

RULE = {rule.name: rule for rule in RULES}
PUBLISHED = next(c for c in CONVENTIONS if c.name == "stereoset2020")
WITHIN = [
    Triple("a", "intrasentence", "The clerk was BLANK here.",
           ("The clerk was slow here.", "The clerk was wonderful here.", "The clerk was soup here."),
           "clerk", "job", ("slow", "wonderful", "soup")),
    Triple("b", "intrasentence", "BLANK and women hate cold soup.",
           ("Men and women hate cold soup.", "Pilots and women hate cold soup.",
            "Cars and women hate cold soup."), "men", "gender", ("Men", "Pilots", "Cars")),
    Triple("c", "intrasentence", "She is a BLANK.",
           ("She is a good nurse.", "She is a tall boy.", "She is a cold violin."),
           "she", "gender", ("good nurse", "tall boy", "cold violin")),
    Triple("d", "intrasentence", "He is BLANK, so BLANK!",
           ("He is rude, so rude!", "He is helpful, so helpful!", "He is late, so late!"),
           "he", "gender", ("rude", "helpful", "late")),
]  # fmt: skip
BETWEEN = [
    Triple("e", "intersentence", "He is a nurse.",
           ("She drove the car.", "They were late again.", "Nobody knows why."), "nurse", "job"),
    Triple("f", "intersentence", "The boy sang",
           ("He was slow.", "He was rude.", "Cold soup."), "boy", "gender"),
]  # fmt: skip


class Both:
    """Our model, and the plain one beside it with its tokenizer."""

    def __init__(self, folder):
        from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

        self.where = resolve(str(folder), Options())
        self.ours = open_model(self.where, Options())
        kind = AutoModelForMaskedLM if self.where.scheme == "masked" else AutoModelForCausalLM
        self.plain = kind.from_pretrained(folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)

    def ids(self, text, *, special=True):
        return self.tokenizer(text, add_special_tokens=special)["input_ids"]

    @torch.no_grad()
    def logprobs(self, ids):
        return self.plain(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)

    def score(self, name, triples, convention=None):
        context = Context(convention) if convention else Context()
        return RULE[name].score(self.ours, triples, context)


@pytest.fixture(scope="module", params=["bert", "roberta"])
def masked(request, tmp_path_factory):
    return Both(build(request.param, tmp_path_factory.mktemp(request.param)))


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return Both(build("gpt2", tmp_path_factory.mktemp("gpt2")))


def found(records, name):
    record = next(r for r in records if r.item == name)
    return [record.scores[side] for side in ("stereotype", "anti_stereotype", "unrelated")]


def close(found):
    return pytest.approx(found, rel=1e-4, abs=1e-4)


def with_space(text, start):
    """Where a candidate begins with the space before it, which some tokenizers cut off."""
    return start - 1 if text[:start].endswith(" ") else start


def cut(both, text, start, end):
    """Tokens before, of and after the candidate from start to end."""
    start = with_space(text, start)
    out = both.tokenizer(text, return_offsets_mapping=True)
    ids, spans = out["input_ids"], out["offset_mapping"]
    mine = [i for i, (a, b) in enumerate(spans) if a < end and b > start and b > a]
    return ids[: mine[0]], [ids[i] for i in mine], ids[mine[-1] + 1 :]


@pytest.mark.parametrize("triple", WITHIN[:3], ids=lambda t: t.id)
def test_blank_logprob(masked, triple):
    """One mask for the piece that is read, those before it in sight, those after it not there."""
    expected = []
    for text, ((start, end),) in zip(triple.filled, triple.places, strict=True):
        left, pieces, right = cut(masked, text, start, end)
        said = []
        for i, piece in enumerate(pieces):
            ids = [*left, *pieces[:i], masked.tokenizer.mask_token_id, *right]
            said.append(float(masked.logprobs(ids)[len(left) + i, piece]))
        expected.append(sum(said) / len(said))
    assert found(masked.score("blank_logprob", WITHIN), triple.id) == close(expected)


def test_several_blanks_are_read_together(masked):
    triple = WITHIN[3]
    expected = []
    for text, places in zip(triple.filled, triple.places, strict=True):
        ids = masked.ids(text)
        spans = masked.tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
        runs = [
            [
                i
                for i, (a, b) in enumerate(spans)
                if a < end and b > with_space(text, start) and b > a
            ]
            for start, end in places
        ]
        assert len(runs) == 2
        said = []
        for step in range(max(map(len, runs))):
            gone = {i for run in runs for i in run[step + 1 :]}
            read = [run[step] for run in runs if step < len(run)]
            shown = [masked.tokenizer.mask_token_id if i in read else token
                     for i, token in enumerate(ids) if i not in gone]  # fmt: skip
            kept = [i for i in range(len(ids)) if i not in gone]
            logits = masked.logprobs(shown)
            said += [float(logits[kept.index(i), ids[i]]) for i in read]
        expected.append(sum(said) / len(said))
    assert found(masked.score("blank_logprob", WITHIN), "d") == close(expected)


@pytest.mark.parametrize(
    ("rule", "triple"),
    [("pll_context", WITHIN[0]), ("pll_context", WITHIN[2]),
     ("pll_context_given_attribute", BETWEEN[0]), ("pll_context_given_attribute", BETWEEN[1])],
)  # fmt: skip
def test_the_context_is_hidden_and_never_the_candidate(masked, rule, triple):
    expected = []
    for text, ((begin, end),) in zip(triple.filled, triple.places, strict=True):
        start = with_space(text, begin)
        ids = masked.ids(text)
        out = masked.tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
        total = 0.0
        for i, (a, b) in enumerate(out["offset_mapping"]):
            if out["special_tokens_mask"][i] or (a < end and b > start):
                continue
            hidden = [*ids[:i], masked.tokenizer.mask_token_id, *ids[i + 1 :]]
            total += float(masked.logprobs(hidden)[i, ids[i]])
        expected.append(total)
    items = WITHIN if rule == "pll_context" else BETWEEN
    assert found(masked.score(rule, items), triple.id) == close(expected)


def published(both, triple):
    """eval_discriminative_models.py at batch size 1, from its description."""
    at = [i for i, word in enumerate(triple.context.split(" ")) if "BLANK" in word][-1]
    scores = []
    for sentence in triple.sentences:
        word = sentence.split(" ")[at].translate(str.maketrans("", "", string.punctuation))
        pieces = both.ids(word, special=False)
        said = []
        for k, piece in enumerate(pieces):
            before = both.tokenizer.decode(pieces[:k])
            text = triple.context.replace("BLANK", before + both.tokenizer.mask_token)
            ids = both.ids(text)
            where = ids.index(both.tokenizer.mask_token_id)
            said.append(math.exp(float(both.logprobs(ids)[where, piece])))
        scores.append(sum(said) / len(said))
    return scores


@pytest.mark.parametrize("triple", [*WITHIN[:2], WITHIN[3]], ids=lambda t: t.id)
def test_the_published_blank(masked, triple):
    records = masked.score("blank_probability", [*WITHIN[:2], WITHIN[3]], PUBLISHED)
    assert found(records, triple.id) == pytest.approx(published(masked, triple), rel=1e-4)


def test_only_the_convention_loses_the_space_before_the_word(tmp_path):
    """RoBERTa's word in the middle of a text begins with a space; BERT's pieces know none."""
    for kind, differs in (("bert", False), ("roberta", True)):
        both = Both(build(kind, tmp_path / kind))
        paper, bare = (
            found(both.score("blank_probability", WITHIN[:1], c), "a") for c in (None, PUBLISHED)
        )
        assert (paper != pytest.approx(bare, rel=1e-6)) == differs


def test_sentence_logprob(causal):
    for record, triple in zip(causal.score("sentence_logprob", WITHIN), WITHIN, strict=True):
        expected = []
        for text in triple.filled:
            ids = causal.ids(text, special=False)
            logits = causal.logprobs([causal.tokenizer.bos_token_id, *ids])
            expected.append(np.mean([float(logits[i, token]) for i, token in enumerate(ids)]))
        assert found([record], triple.id) == close(expected)


def test_the_published_sentence(causal):
    """The first token after the start token, the rest without it; the file's own spelling."""
    triple = Triple("g", "intrasentence", "The CLERK is BLANK.",
                    ("The clerk is slow.", "The clerk is rude.", "The clerk is soup."),
                    "clerk", "job", ("slow", "rude", "soup"))  # fmt: skip
    expected = []
    for text in triple.sentences:
        ids = causal.ids(text, special=False)
        first = float(causal.logprobs([causal.tokenizer.bos_token_id])[0, ids[0]])
        logits = causal.logprobs(ids)
        rest = [float(logits[i, token]) for i, token in enumerate(ids[1:])]
        expected.append(np.mean([first, *rest]))
    assert found(causal.score("sentence_logprob", [triple], PUBLISHED), "g") == close(expected)
    paper = found(causal.score("sentence_logprob", [triple]), "g")
    assert paper != pytest.approx(expected, abs=1e-3)


def test_likelihood_ratio(causal):
    for record, triple in zip(causal.score("likelihood_ratio", BETWEEN), BETWEEN, strict=True):
        expected = []
        for sentence in triple.sentences:
            start = causal.tokenizer.bos_token_id
            text = f"{triple.context} {sentence}"
            before, after, rest = cut(causal, text, len(triple.context) + 1, len(text))
            assert not rest
            given = causal.logprobs([start, *before, *after])
            alone = causal.logprobs([start, *after])
            at = len(before)
            expected.append(sum(float(given[at + i, t] - alone[i, t]) for i, t in enumerate(after)))
        assert found([record], triple.id) == close(expected)


def test_equal_contexts_share_a_forward_pass(masked):
    """Three candidates of one piece: one row. The answer is that of three rows."""
    seen = []
    inputs = masked.ours._rows

    def counted(requests):
        seen.append(len(requests))
        return inputs(requests)

    masked.ours._rows = counted
    try:
        records = masked.score("blank_logprob", WITHIN[:1])
    finally:
        masked.ours._rows = inputs
    pieces = sum(records[0].scores[f"tokens_{side}"]
                 for side in ("stereotype", "anti_stereotype", "unrelated"))  # fmt: skip
    assert sum(seen) == pieces - 2


@pytest.mark.parametrize("kind", ["albert", "xlmr", "llama"])
def test_a_space_of_its_own_is_the_candidate_s(kind, tmp_path):
    """SentencePiece cuts the space off words it does not know: the context stays the same."""
    both = Both(build(kind, tmp_path / kind))
    triple = Triple("m", "intersentence", "He is a nurse.",
                    ("She was rude.", "qux zyx.", "Xylo was late."), "nurse", "job")  # fmt: skip
    spans = [
        [
            both.tokenizer.convert_ids_to_tokens(t.ids[i])
            for i, (a, b) in enumerate(t.spans)
            if b - a == 1
        ]
        for t in both.ours.encode(triple.filled)
    ]
    assert "▁" not in spans[0] and "▁" in spans[1]  # as the case is meant
    rule = "likelihood_ratio" if kind == "llama" else "pll_context_given_attribute"
    (record,) = both.score(rule, [triple])
    if kind == "llama":
        for side, text in zip(("stereotype", "anti_stereotype"), triple.filled, strict=False):
            context = len(both.ids("He is a nurse.", special=False))
            whole = len(both.ids(text, special=False))
            assert record.scores[f"tokens_{side}"] == whole - context
    else:
        counts = {
            record.scores[f"tokens_{s}"] for s in ("stereotype", "anti_stereotype", "unrelated")
        }
        assert len(counts) == 1


def test_the_published_prefix_never_holds_a_letter_of_the_answer(tmp_path):
    """A word that SentencePiece begins with a piece for the space alone."""
    both = Both(build("albert", tmp_path / "albert"))
    triple = Triple("z", "intrasentence", "He is BLANK.",
                    ("He is wyxw.", "He is xwy.", "He is rude."), "he", "gender",
                    ("wyxw", "xwy", "rude"))  # fmt: skip
    pieces = both.tokenizer.convert_ids_to_tokens(both.ids("wyxw", special=False))
    assert pieces[0] == "▁"
    records = both.score("blank_probability", [triple], PUBLISHED)
    assert found(records, "z") == pytest.approx(published(both, triple), rel=1e-4)


# ── Next sentences ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def two_heads(tmp_path_factory):
    """A BERT with both heads, as published checkpoints have them under a masked name."""
    from transformers import BertConfig, BertForPreTraining

    from support.next_heads import reading_pairs

    folder = reading_pairs("bert", tmp_path_factory.mktemp("two"))
    torch.manual_seed(3)
    config = BertConfig.from_pretrained(folder)
    model = BertForPreTraining(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)
    model.config.architectures = ["BertForMaskedLM"]
    model.save_pretrained(folder)
    text = (folder / "config.json").read_text().replace("BertForPreTraining", "BertForMaskedLM")
    (folder / "config.json").write_text(text)
    return folder, model.eval()


def test_a_masked_checkpoint_with_bert_s_own_head(two_heads):
    folder, plain = two_heads
    where = resolve(str(folder), Options())
    chosen = choose(STUDY, where.answers, model="m")
    assert chosen.rule.name == "blank_logprob+next_sentence"
    ours = open_model(where, Options())
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    pairs = [(t.context, s) for t in BETWEEN for s in t.sentences]
    expected = []
    for first, second in pairs:
        with torch.no_grad():
            inputs = tokenizer(first, second, return_tensors="pt", return_token_type_ids=True)
            out = plain(**inputs)
        expected.append(float(out.seq_relationship_logits[0].double().log_softmax(-1)[0]))
    assert ours.next_logprobs(pairs).tolist() == close(expected)
    assert ours.pair_lengths(pairs) == [len(tokenizer(a, b)["input_ids"]) for a, b in pairs]
    both = chosen.rule.score(ours, [BETWEEN[0], WITHIN[0]], Context())
    assert [r.item for r in both] == ["e", "a"]
    assert found(both, "e") == close(expected[:3])
    # the masked head is what it was, and the body is held once
    assert ours._judge.logits.__closure__ is not None
    ids = tokenizer(WITHIN[0].filled[0])["input_ids"]
    with torch.no_grad():
        said = plain(input_ids=torch.tensor([ids])).prediction_logits[0].log_softmax(-1)
    from tiltmeter.core.requests import Blanked

    (answer,) = ours.blank_logprobs([Blanked(tuple(ids), (), (2,))])
    assert float(answer[0]) == close(float(said[2, ids[2]]))


def test_without_the_head_the_rule_is_refused(masked):
    with pytest.raises(CannotAnswer, match=r"next_sentence.*next-sentence head.*train") as error:
        choose(STUDY, masked.where.answers, model="m", rule="next_sentence")
    assert "pll_context_given_attribute" in str(error.value)
    with pytest.raises(CannotAnswer, match="no next-sentence head"):
        masked.ours.next_logprobs([("a", "b")])


def test_near_certain_judgments_tie_as_32_bit_probabilities():
    class Sure:
        pair_limit, name = None, "sure"

        def pair_lengths(self, pairs):
            return [2] * len(pairs)

        def next_logprobs(self, pairs):
            return np.array([-1e-9, -2e-9, -3.0])[: len(pairs)]

    (exact,) = RULE["next_sentence"].score(Sure(), BETWEEN[:1], Context())
    (rounded,) = RULE["next_sentence"].score(Sure(), BETWEEN[:1], Context(PUBLISHED))
    assert exact.scores["stereotype"] > exact.scores["anti_stereotype"]
    assert rounded.scores["stereotype"] == rounded.scores["anti_stereotype"] == 1
    assert rounded.scores["unrelated"] == pytest.approx(math.exp(-3))


# ── What has no score ────────────────────────────────────────────────────────────────────────────


def test_too_long_texts_are_named():
    long = Triple("long", "intrasentence", "BLANK " * 600,
                  ("a", "b", "c"), "t", "d", ("a", "b", "c"))  # fmt: skip
    pair = Triple("pair", "intersentence", "word " * 600, ("a", "b", "c"), "t", "d")
    model = fake.load("")
    for rule, item in (
        ("blank_logprob", long),
        ("sentence_logprob", long),
        ("next_sentence", pair),
    ):
        with pytest.raises(BadItems, match=f"cluster '{item.id}'.*exceed the model's limit of 512"):
            RULE[rule].score(model, [item], Context())
        context = Context(skip_invalid=True)
        assert RULE[rule].score(model, [item], context) == []
        assert len(context.problems) == 1


def test_problems_of_all_tasks_are_told_before_anything_is_asked():
    """Whatever the order of the rules, and with no question spent."""
    long = Triple("long", "intrasentence", "BLANK " * 600,
                  ("a", "b", "c"), "t", "d", ("a", "b", "c"))  # fmt: skip
    pair = Triple("pair", "intersentence", "word " * 600, ("a", "b", "c"), "t", "d")

    asked = []

    class Counting(fake.Fake):
        def blank_logprobs(self, requests):
            asked.append(len(requests))
            return super().blank_logprobs(requests)

    model = Counting("counting", framed=True)
    chosen = choose(STUDY, fake.ANSWERS, model="fake")
    assert chosen.rule.name == "blank_logprob+next_sentence"
    with pytest.raises(BadItems) as found:
        chosen.rule.score(model, [*WITHIN, long, pair], Context())
    assert [p.item for p in found.value.problems] == ["pair", "long"]
    with pytest.raises(BadItems, match="cluster 'pair'"):
        chosen.rule.score(model, [*WITHIN, pair], Context())
    assert asked == []
    context = Context(skip_invalid=True)
    records = chosen.rule.score(model, [*WITHIN, long, pair, *BETWEEN], context)
    assert [r.item for r in records] == ["a", "b", "c", "d", "e", "f"]
    assert [p.item for p in context.problems] == ["long", "pair"]


def test_a_word_that_is_missing_is_named():
    """The published rule takes one word by its place: sentences that moved it have none there."""
    moved = Triple("moved", "intrasentence", "He is BLANK.", ("Late.", "He is rude.", "He is soup."),
                   "t", "d", ("Late", "rude", "soup"))  # fmt: skip
    with pytest.raises(BadItems, match="stereotype sentence has no word where"):
        RULE["blank_probability"].score(fake.load("masked"), [moved], Context(PUBLISHED))


def test_two_rules_for_one_task_are_refused():
    from tiltmeter.core.errors import BadInput

    with pytest.raises(BadInput, match="score the same items"):
        choose(STUDY, fake.ANSWERS, model="fake", rule="blank_logprob+pll_context")
    chosen = choose(STUDY, fake.ANSWERS, model="fake", rule="pll_context+likelihood_ratio")
    assert chosen.rule.name == "pll_context+likelihood_ratio"
    published = choose(STUDY, fake.ANSWERS, model="fake", convention="stereoset2020")
    assert published.rule.name == "sentence_logprob+next_sentence"
