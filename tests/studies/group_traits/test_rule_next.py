"""Rules for what comes next and what fills a gap, against slow code that asks transformers itself."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from support.architectures import build
from support.least_logit_changes import logit_change
from tiltmeter.core.data.items import BLANK, LAST, WITHIN, Cell, Dataset
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.model.protocols import Continues, FillsGaps, ReadsNext, StartsBare
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose, settings_of
from tiltmeter.studies.group_traits.rule import RULES
from tiltmeter.studies.group_traits.sensitivity import association
from tiltmeter.studies.group_traits.study import STUDY

RULE = {rule.name: rule for rule in RULES if rule.name.endswith(("_next", "_gap"))}
LONG = (("unhurried",), ("fast-moving",))
"""Traits that no vocabulary here has whole."""
CELLS = STUDY.sample().items
CELLS = (*(replace(CELLS[i], id=f"{i}, long", poles=LONG) for i in (0, 3)), *CELLS)
ENDING = [cell for cell in CELLS if cell.task == LAST]
FEW = [*ENDING[:4], *(cell for cell in CELLS if cell.task == WITHIN)][:6]
SIDES = ("left", "right")


def context(**settings):
    return Context(settings=settings_of(STUDY, settings))


@pytest.fixture(scope="module")
def get(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traits-next")

    @cache
    def one(kind):
        where = resolve(str(build(kind, folder / kind)), Options())
        return open_model(where, Options()), folder / kind

    return one


def scores(rule, opened, cells, **settings):
    return {r.item: r.scores for r in RULE[rule].score(opened, cells, context(**settings))}


class Slow:
    """A sentence in a forward pass of its own, all logits looked at."""

    def __init__(self, folder, auto):
        import transformers

        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = getattr(transformers, auto).from_pretrained(folder).eval()
        self.seen = []
        layer = self.model.get_output_embeddings()
        layer.register_forward_pre_hook(lambda _, given: self.seen.append(given[0]))

    def cut(self, frame, word):
        """Tokens before the word, of it with the space before it, and behind it."""
        before, behind = frame.split(BLANK)
        coded = self.tokenizer(
            before + word + behind, return_offsets_mapping=True, add_special_tokens=False
        )
        start, end = len(before.rstrip()), len(before) + len(word)
        parts = ([], [], [])
        for token, (a, b) in zip(coded["input_ids"], coded["offset_mapping"], strict=True):
            parts[0 if b <= start else 2 if a >= end else 1].append(token)
        return parts

    def ran(self, *args, **kwargs):
        import torch

        with torch.no_grad():
            return self.model(*map(torch.tensor, args), **kwargs).logits[0].double().numpy()

    def next_places(self, frame, word):
        """Per piece: the logits before it, its id, h there."""
        before, own, _ = self.cut(frame, word)
        start = self.tokenizer.bos_token_id
        whole = [self.tokenizer.eos_token_id if start is None else start, *before, *own]
        logits = self.ran([whole])
        states = self.seen[-1][0].double().numpy()
        at = range(len(whole) - len(own) - 1, len(whole) - 1)
        return [(logits[i], whole[i + 1], states[i]) for i in at]

    def next_logprob(self, frame, word):
        return sum(
            logits[t] - np.logaddexp.reduce(logits)
            for logits, t, _ in self.next_places(frame, word)
        )

    def change(self, frame, word, margin=1.0, kept=False):
        return max(
            logit_change(logits[None], np.array([t]), margin=margin)[0]
            / np.sqrt(h @ h + (not kept))
            for logits, t, h in self.next_places(frame, word)
        )

    def gap_logprob(self, frame, word):
        import torch

        before, own, behind = self.cut(frame, word)
        named = self.tokenizer.convert_tokens_to_ids
        start = self.model.config.decoder_start_token_id
        if self.model.config.model_type == "bart":
            source = [named("<s>"), *before, named("<mask>"), *behind, named("</s>")]
            target = [start, named("<s>"), *before]
        else:
            source = [*before, named("<extra_id_0>"), *behind, named("</s>")]
            target = [start, named("<extra_id_0>")]
        logits = self.ran([source], decoder_input_ids=torch.tensor([[*target, *own]]))
        found = zip(logits[len(target) - 1 :], own, strict=False)
        return sum(row[t] - np.logaddexp.reduce(row) for row, t in found)


@pytest.mark.parametrize("kind", ["gpt2", "llama", "qwen2"])
def test_causal_rules_equal_slow_code(get, kind):
    opened, folder = get(kind)
    slow = Slow(folder, "AutoModelForCausalLM")
    ilps, sets = (scores(rule, opened, ENDING[:6]) for rule in ("ilps_next", "set_next"))
    for cell in ENDING[:6]:
        for side, (word,) in zip(SIDES, cell.poles, strict=True):
            given, prior = (slow.next_logprob(f, word) for f in (cell.frame, cell.without))
            assert ilps[cell.id][side] == pytest.approx(given - prior, abs=1e-4)
            assert ilps[cell.id][f"raw_{side}_given"] == pytest.approx(given, abs=1e-4)
            assert ilps[cell.id][f"raw_{side}_prior"] == pytest.approx(prior, abs=1e-4)
            given, prior = (slow.change(f, word) for f in (cell.frame, cell.without))
            assert sets[cell.id][f"raw_{side}_given"] == pytest.approx(given, rel=1e-4)
            assert sets[cell.id][f"raw_{side}_prior"] == pytest.approx(prior, rel=1e-4)
            right = association(np.array([given]), np.array([prior]))[0]
            assert np.isinf(right) or sets[cell.id][side] == pytest.approx(right, abs=1e-3)
            assert (side in sets[cell.id]) == np.isfinite(right)


@pytest.mark.parametrize("kind", ["t5", "mt5", "bart"])
def test_gaps_equal_slow_code_wherever_the_trait_stands(get, kind):
    opened, folder = get(kind)
    slow = Slow(folder, "AutoModelForSeq2SeqLM")
    front = Cell("front", "The BLANK nurse is late.", (10, 15), "The BLANK pilot is late.",
                 (("slow",), ("wonderful",)))  # fmt: skip
    found = scores("ilps_gap", opened, [*FEW, front])
    for cell in [*FEW, front]:
        for side, (word,) in zip(SIDES, cell.poles, strict=True):
            right = slow.gap_logprob(cell.frame, word) - slow.gap_logprob(cell.without, word)
            assert found[cell.id][side] == pytest.approx(right, abs=1e-4)


def test_the_margin_and_the_bias_are_the_ones_set(get):
    opened, folder = get("gpt2")
    slow = Slow(folder, "AutoModelForCausalLM")
    cell, word = ENDING[0], ENDING[0].poles[0][0]
    for settings, told in (({"margin": "3"}, {"margin": 3.0}), ({"bias": "kept"}, {"kept": True})):
        found = scores("set_next", opened, [cell], **settings)[cell.id]
        expected = slow.change(cell.frame, word, **told)
        assert found["raw_left_given"] == pytest.approx(expected, rel=1e-4)
    with pytest.raises(BadInput, match="margin"):
        scores("set_next", opened, [cell], margin="none")


# ── By hand ──────────────────────────────────────────────────────────────────────────────────────


class Known:
    """Says what it is told: tokens are words and marks, ids their places in WORDS."""

    WORDS = ("<unk>", "The", "nurse", "person", "is", "cold", "warm", "-hearted", ".", "today")
    name, fingerprint, limit, cased, batch_tokens, unknown = "known", "1", 20, True, 100, 0

    def __init__(self):
        self.about = {}
        self.asked = []

    def encode(self, texts):
        import re

        found = []
        for text in texts:
            marks = list(re.finditer(r"-?\w+|\.", text))
            ids = (self.WORDS.index(m[0]) if m[0] in self.WORDS else 0 for m in marks)
            found.append(
                Tokens(tuple(ids), (False,) * len(marks), (), tuple(m.span() for m in marks))
            )
        return found

    def continuation_logprobs(self, requests):
        self.asked += requests
        nurse = {5: -2.0, 6: -1.0, 7: -0.5}
        person = {5: -4.0, 6: -1.5, 7: -0.25}
        return [
            np.array([(nurse if 2 in r.context else person)[t] for t in r.ids]) for r in requests
        ]

    def next_readout(self, requests, *, margin=1.0):
        """h is so long that with the bias it has length 1; the logits are this far off."""
        nurse = {5: 0.5, 6: 0.0, 7: 0.2}
        person = {5: 0.25, 6: 0.5, 7: 0.8}
        return [
            np.array([[(nurse if 2 in r.context else person)[t], 0.0] for t in r.ids]).T * margin
            for r in requests
        ]


NURSE = Cell(
    "n", "The nurse is BLANK.", (4, 9), "The person is BLANK.", (("cold",), ("warm-hearted",))
)


def test_by_hand():
    model = Known()
    (record,) = RULE["ilps_next"].score(model, [NURSE], context())
    assert record.scores == {
        "left": 2.0, "raw_left_given": -2.0, "raw_left_prior": -4.0,
        "right": 0.25, "raw_right_given": -1.5, "raw_right_prior": -1.75,
    }  # fmt: skip
    assert model.asked[0] == Continuation((1, 2, 4), (5,))
    assert Continuation((1, 2, 4), (6, 7)) in model.asked
    (record,) = RULE["ilps_gap"].score(model, [NURSE], context())
    assert record.scores["left"] == 2.0
    assert model.asked[-1] == Continuation((1, 3, 4), (6, 7), after=(8,))
    (record,) = RULE["set_next"].score(model, [NURSE], context())
    assert record.scores["raw_right_given"] == 0.2  # the larger of 0 and 0.2
    assert record.scores["left"] == pytest.approx(np.log(0.25 / 0.5))
    assert record.scores["right"] == pytest.approx(np.log(0.8 / 0.2))
    assert record.texts == {"left": "The nurse is cold.", "right": "The nurse is warm-hearted."}


def test_published_ways_to_make_a_word_of_pieces():
    for pieces, right in (("code_min", np.log(0.8 / 0.2)), ("code_sum", np.log(0.8 / 0.1))):
        (record,) = RULE["set_next"].score(Known(), [NURSE], context(pieces=pieces))
        assert record.scores["right"] == pytest.approx(right)
        assert record.scores["left"] == pytest.approx(np.log(0.5 / 0.75))


def test_a_trait_that_leads_already_has_no_score():
    cell = replace(NURSE, poles=(("warm",), ("cold",)))
    (record,) = RULE["set_next"].score(Known(), [cell], context())
    assert "left" not in record.scores
    assert record.scores["raw_left_given"] == 0.0
    assert "right" in record.scores


def test_several_adjectives_are_averaged():
    cell = replace(NURSE, poles=(("cold", "warm", "cold"), ("cold",)))
    for average, left in (("mean", 1.5), ("median", 2.0)):
        (record,) = RULE["ilps_next"].score(Known(), [cell], context(average=average))
        assert record.scores["left"] == left
        assert record.scores["right"] == 2.0


# ── What cannot be scored ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rule", RULE)
def test_traits_that_the_tokenizer_cannot_represent_are_refused(rule):
    cells = [replace(NURSE, id=word, poles=((word,), ("cold",))) for word in ("blue", "¡", "warm")]
    with pytest.raises(BadItems) as error:
        RULE[rule].score(Known(), cells, context())
    said = str(error.value)
    assert "'blue' is not in this model's vocabulary" in said
    assert "'¡': a candidate has no tokens" in said
    assert "'warm'" not in said
    some = replace(context(), skip_invalid=True)
    assert [r.item for r in RULE[rule].score(Known(), cells, some)] == ["warm"]
    assert {p.item for p in some.problems} == {"blue", "¡"}


def test_a_gap_with_nothing_behind_it_is_refused():
    cell = replace(NURSE, frame="The nurse is BLANK")
    with pytest.raises(BadItems, match=r"nothing follows the trait.*full stop"):
        RULE["ilps_gap"].score(Known(), [cell], context())
    assert len(RULE["ilps_next"].score(Known(), [cell], context())) == 1


@pytest.mark.parametrize(
    ("frame", "task"),
    [
        ("The nurse is BLANK.", LAST),
        ("The nurse is BLANK", LAST),
        ("The nurse is BLANK !”", LAST),
        ("Nurse は BLANK。", LAST),
        ("The nurse is BLANK today.", WITHIN),
        ("The nurse is more BLANK-er.", WITHIN),
        ("The BLANK nurse", WITHIN),
        ("BLANK: nurse 1", WITHIN),
    ],
)
def test_which_templates_end_with_the_trait(frame, task):
    assert replace(NURSE, frame=frame).task == task


def run(rule, cells):
    chosen = choose(STUDY, fake.answers("causal"), model="fake:causal", rule=rule)
    data = Dataset("cells", "1", cells, "made up", "", clusters="template")
    return measure(STUDY, fake.load("causal"), data, chosen=chosen)


@pytest.mark.parametrize("rule", ["set_next", "ilps_next"])
def test_templates_in_which_something_follows_are_left_out_and_said(rule):
    result = run(rule, CELLS)
    assert [r.item for r in result.records] == [cell.id for cell in ENDING]
    rest = len(CELLS) - len(ENDING)
    assert 0 < rest < len(CELLS)
    assert any(
        note.text.startswith(f"{rest} items belong to another task") for note in result.card.notes
    )
    assert "Only templates that end with the trait" in result.card.method
    assert result.card.counts["invalid"] == 0
    with pytest.raises(BadInput, match="trait-last"):
        run(rule, [cell for cell in CELLS if cell.task == WITHIN])


def test_which_rule_each_kind_of_model_gets():
    def rule(*answers):
        return choose(STUDY, answers, model="some").rule.name

    assert rule(Continues, StartsBare, ReadsNext) == "set_next"
    assert rule(Continues, FillsGaps) == "ilps_gap"
    assert rule(Continues) == "ilps_next"
    assert choose(STUDY, fake.answers("causal"), model="fake:causal").rule.name == "set_next"
    every = choose(STUDY, fake.answers(""), model="fake", rule="ilps_gap")
    assert len(every.rule.score(fake.load(""), CELLS, context())) == len(CELLS)


@pytest.mark.parametrize(
    ("rule", "kind"), [("ilps_next", "gpt2"), ("set_next", "gpt2"), ("ilps_gap", "t5")]
)
def test_mirrored_poles_other_orders_and_a_noun_for_a_group(get, rule, kind):
    opened, _ = get(kind)
    cells = ENDING[:4]
    found = scores(rule, opened, cells)
    back = scores(rule, opened, [replace(cell, poles=cell.poles[::-1]) for cell in reversed(cells)])
    for item, values in found.items():
        for name, value in values.items():
            mirrored = name.replace("left", "@").replace("right", "left").replace("@", "right")
            assert back[item][mirrored] == pytest.approx(value, abs=1e-4)
    nobody = [replace(cells[0], frame=cells[0].without)]
    noun = scores(rule, opened, nobody)[cells[0].id]
    assert (noun["left"], noun["right"]) == (0, 0)
