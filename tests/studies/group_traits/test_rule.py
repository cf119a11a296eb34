"""Rules for groups and traits against slow code that asks transformers itself, one sentence at a time."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from support.architectures import build
from support.least_logit_changes import logit_change
from tiltmeter.core.data.items import BLANK, Cell
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import settings_of
from tiltmeter.studies.group_traits.rule import RULES
from tiltmeter.studies.group_traits.study import CONVENTIONS, STUDY

RULE = {rule.name: rule for rule in RULES if not rule.name.endswith(("_next", "_gap"))}
HOW = {how.name: how for how in CONVENTIONS}
MADE = STUDY.sample().items
LONG = (("unhurried",), ("fast-moving",))
"""Traits that no vocabulary here has whole."""
BEHIND = Cell(
    "behind", "The BLANK people are librarians.", (21, 31), "The BLANK people are people.",
    (("slow",), ("fast-moving",)), {"group": "librarians"},
)  # fmt: skip
"""The group stands after the trait, and is not as long as a mask."""
CELLS = (*MADE, *(replace(c, id=f"{c.id}, long", poles=LONG) for c in MADE[:4]), BEHIND)


def context(convention="paper", **settings):
    how, rule = HOW[convention], settings.pop("rule", None)
    return Context(how, settings=settings_of(STUDY, settings, convention, rule and RULE[rule]))


def test_the_cells_have_what_rules_differ_in(model):
    """Traits of one piece and of several, groups before the trait and behind it."""
    opened, _ = model
    texts = [cell.frame.replace(BLANK, word) for cell in CELLS for (word,) in cell.poles]
    bare = [cell.frame.replace(BLANK, "slow") for cell in CELLS for _ in cell.poles]
    more = {
        len(a.ids) > len(b.ids)
        for a, b in zip(opened.encode(texts), opened.encode(bare), strict=True)
    }
    assert more == {True, False}
    assert {cell.place[0] < cell.frame.index(BLANK) for cell in CELLS} == {True, False}
    assert BEHIND.frame[slice(*BEHIND.place)] == "librarians"


@pytest.fixture(scope="module", params=["bert", "roberta", "albert"])
def model(request, tmp_path_factory):
    folder = build(request.param, tmp_path_factory.mktemp("traits") / request.param)
    return open_model(resolve(str(folder), Options()), Options()), folder


class Slow:
    """Each piece of a trait in a forward pass of its own, all logits looked at."""

    def __init__(self, folder):
        import transformers

        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
        self.seen = []
        layer = self.model.get_output_embeddings()
        layer.register_forward_pre_hook(lambda _, given: self.seen.append(given[0]))

    @cache  # noqa: B019 (there are three of these, and they are needed to the end)
    def pieces(self, text, start, end):
        """Per piece from left to right: the logits where it stands, its id, h."""
        import torch

        coded = self.tokenizer(text, return_offsets_mapping=True)
        ids, spans = coded["input_ids"], coded["offset_mapping"]
        own = [i for i, (a, b) in enumerate(spans) if a < b and a < end and start < b]
        found = []
        for k, at in enumerate(own):
            blanked = [
                self.tokenizer.mask_token_id if i in own[k:] else t for i, t in enumerate(ids)
            ]
            with torch.no_grad():
                logits = self.model(torch.tensor([blanked])).logits[0, at].double().numpy()
            found.append((logits, ids[at], self.seen[-1][0, at].double().numpy()))
        return found

    def sentence(self, frame, word):
        before, after = frame.split(BLANK)
        start = len(before.rstrip())  # where the space is a piece of its own, it is the trait's
        return self.pieces(before + word + after, start, len(before) + len(word))

    def logprob(self, frame, word, first=False):
        found = self.sentence(frame, word)[: 1 if first else None]
        return sum(logits[t] - np.logaddexp.reduce(logits) for logits, t, _ in found)

    def last_of_hidden(self, frame, word):
        """Log-probability of the last piece where all pieces of the word are hidden."""
        import torch

        before, after = frame.split(BLANK)
        start, end = len(before.rstrip()), len(before) + len(word)
        coded = self.tokenizer(
            before + word + after, return_offsets_mapping=True, return_tensors="pt"
        )
        ids, spans = coded["input_ids"][0], coded["offset_mapping"][0].tolist()
        own = [i for i, (a, b) in enumerate(spans) if a < b and a < end and start < b]
        true = int(ids[own[-1]])
        ids[own] = self.tokenizer.mask_token_id
        with torch.no_grad():
            logits = self.model(ids[None]).logits[0, own[-1]].double().numpy()
        return logits[true] - np.logaddexp.reduce(logits)

    def changes(self, frame, word, margin=1.0):
        return [
            logit_change(logits[None], np.array([t]), margin=margin)[0] / np.sqrt(h @ h + 1)
            for logits, t, h in self.sentence(frame, word)
        ]

    def masked(self, cell):
        start, end = cell.place
        return cell.frame[:start] + self.tokenizer.mask_token + cell.frame[end:]


@cache
def slowly(folder):
    return Slow(folder)


def scores(rule, opened, how, cells=CELLS):
    return {r.item: r.scores for r in RULE[rule].score(opened, cells, how)}


def test_ilps_star_is_the_chain_rule_over_all_pieces(model):
    opened, folder = model
    slow, found = slowly(folder), scores("ilps_star", opened, context())
    for cell in CELLS:
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            expected = slow.logprob(cell.frame, word) - slow.logprob(slow.masked(cell), word)
            assert found[cell.id][side] == pytest.approx(expected, abs=1e-4)


def test_ilps_speaks_of_traits_of_one_token_and_the_script_of_the_first(model):
    opened, folder = model
    slow, found = slowly(folder), scores("ilps", opened, context())
    script = scores("ilps", opened, context("cao2022_code", rule="ilps"))
    for cell in CELLS:
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            one = len(slow.sentence(cell.frame, word)) == 1
            assert (side in found[cell.id]) == one
            if one:
                expected = slow.logprob(cell.frame, word) - slow.logprob(slow.masked(cell), word)
                assert found[cell.id][side] == pytest.approx(expected, abs=1e-4)
            by_script = slow.logprob(cell.frame, word, first=True)
            by_script -= slow.logprob(cell.without, word, first=True)
            assert script[cell.id][side] == pytest.approx(by_script, abs=1e-4)


def test_ilps_of_one_piece_of_each_trait(model):
    """As the paper says of released code: of several pieces the first, or the last."""
    opened, folder = model
    slow, one = slowly(folder), scores("ilps", opened, context())
    first, last = (
        scores("ilps", opened, context(rule="ilps", ilps_piece=which))
        for which in ("first", "last")
    )
    for cell in CELLS:
        for side in set(one[cell.id]) & {"left", "right"}:
            assert first[cell.id][side] == pytest.approx(one[cell.id][side], abs=1e-5)
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            with_group, without = cell.frame, slow.masked(cell)
            expected = slow.logprob(with_group, word, first=True)
            expected -= slow.logprob(without, word, first=True)
            assert first[cell.id][side] == pytest.approx(expected, abs=1e-4)
            expected = slow.last_of_hidden(with_group, word) - slow.last_of_hidden(without, word)
            assert last[cell.id][side] == pytest.approx(expected, abs=1e-4)


def test_ilps_star_as_the_script_has_it(model):
    """The first piece among those that begin a word, the later ones among those that do not."""
    opened, folder = model
    slow, found = slowly(folder), scores("ilps_star", opened, context("cao2022_code"))
    names = slow.tokenizer.convert_ids_to_tokens(range(slow.model.config.vocab_size))
    rest = any(name.startswith("##") for name in names)
    begins = np.array([
        not name.startswith("##") if rest else name.startswith(("Ġ", "▁")) for name in names
    ])  # fmt: skip

    def logprob(frame, word):
        return sum(
            logits[t] - np.logaddexp.reduce(logits[begins if i == 0 else ~begins])
            for i, (logits, t, _) in enumerate(slow.sentence(frame, word))
        )

    assert begins.any()
    assert not begins.all()
    for cell in CELLS:
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            expected = logprob(cell.frame, word) - logprob(cell.without, word)
            assert found[cell.id][side] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("margin", ["1", "3"])
def test_set_is_the_log_ratio_of_the_largest_changes(model, margin):
    opened, folder = model
    slow, found = slowly(folder), scores("set", opened, context(margin=margin))
    for cell in CELLS:
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            given = max(slow.changes(cell.frame, word, float(margin)))
            prior = max(slow.changes(slow.masked(cell), word, float(margin)))
            assert found[cell.id][f"raw_{side}_given"] == pytest.approx(given, rel=1e-4)
            assert found[cell.id][f"raw_{side}_prior"] == pytest.approx(prior, rel=1e-4)
            if min(given, prior) > 0:
                expected = np.log(prior) - np.log(given)
                assert found[cell.id][side] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("convention", "combine"), [("cao2022_code", min), ("cao2023_code", sum)])
def test_set_as_published_code_has_it(model, convention, combine):
    opened, folder = model
    slow, found = slowly(folder), scores("set", opened, context(convention))
    for cell in CELLS:
        for side, (word,) in zip(("left", "right"), cell.poles, strict=True):
            changes = [slow.changes(frame, word) for frame in (cell.frame, cell.without)]
            if max(max(some) for some in changes) > 1:
                assert side not in found[cell.id]  # the script has NaN there
                continue
            given, prior = (combine(np.log1p(-np.array(some))) for some in changes)
            if np.isfinite([given, prior]).all():
                assert found[cell.id][side] == pytest.approx(given - prior, abs=1e-3)


def test_several_adjectives_are_averaged_or_their_median_taken(model):
    opened, _ = model
    words = ("slow", "quick", "old", "late")
    cell = replace(CELLS[0], poles=(words, ("tall",)))
    alone = [
        scores("ilps_star", opened, context(), [replace(cell, poles=((w,), ("tall",)))])[cell.id]
        for w in words
    ]
    each = [one["left"] for one in alone]
    for average, by in (("mean", np.mean), ("median", np.median)):
        found = scores("ilps_star", opened, context(average=average), [cell])[cell.id]
        assert found["left"] == pytest.approx(by(each), abs=1e-5)
        assert found["right"] == pytest.approx(alone[0]["right"], abs=1e-5)


def test_a_group_that_is_the_noun_makes_no_difference(model):
    opened, _ = model
    frame = "The person is BLANK."
    cell = Cell("1", frame, (4, 10), frame, (("slow",), ("quick",)), {"group": "person"})
    for name in ("ilps_star", "set"):
        found = scores(name, opened, context(prior="noun"), [cell])["1"]
        assert (found["left"], found["right"]) == (0, 0)


def test_swapping_the_poles_mirrors_and_order_changes_nothing(model):
    opened, _ = model
    for name in ("ilps_star", "set"):
        found = scores(name, opened, context())
        back = scores(name, opened, context(), [
            replace(cell, poles=cell.poles[::-1]) for cell in reversed(CELLS)
        ])  # fmt: skip
        for item, values in found.items():
            assert back[item]["left"] == pytest.approx(values["right"], abs=1e-5)
            assert back[item]["right"] == pytest.approx(values["left"], abs=1e-5)


def test_a_trait_that_leads_already_has_no_finite_score():
    class Leads:
        """Everything leads where the group is in sight."""

        mask, limit, cased, unknown = "[MASK]", None, True, None

        def __init__(self):
            self.opened = open_model(resolve("fake:masked", Options()), Options())
            self.encode = self.opened.encode
            (mask,) = self.opened.encode(["[MASK]"])
            self._mask = mask.ids[1]

        def readout(self, requests, *, margin):
            return [
                np.array([[margin if self._mask in r.ids else 0.0], [3.0]]) for r in requests
            ]  # fmt: skip

    found = scores("set", Leads(), context(), CELLS[:1])[CELLS[0].id]
    assert "left" not in found
    assert found["raw_left_given"] == 0
    assert found["raw_left_prior"] == pytest.approx(1 / np.sqrt(10))


def test_what_the_tokenizer_cannot_represent_is_refused_with_the_word(tmp_path):
    folder = build("bert", tmp_path / "bert")
    opened = open_model(resolve(str(folder), Options()), Options())
    cell = replace(CELLS[0], poles=(("добрый",), ("quick",)))
    with pytest.raises(BadItems, match="'добрый' is not in this model's vocabulary"):
        scores("ilps_star", opened, context(), [cell])


def test_a_group_that_the_tokenizer_cannot_represent_is_refused(tmp_path):
    """Otherwise any two such groups would have the same scores, those of the unknown word."""
    folder = build("bert", tmp_path / "bert")
    opened = open_model(resolve(str(folder), Options()), Options())
    cell = Cell("1", "The моряк is BLANK.", (4, 9), "The person is BLANK.", (("slow",), ("quick",)))
    with pytest.raises(BadItems, match="'моряк' in its sentence is not in this model's voc"):
        scores("ilps_star", opened, context(), [cell])


@pytest.mark.parametrize("margin", ["0", "-1", "much", "nan", "inf"])
def test_a_margin_must_be_a_number_above_0(margin):
    opened = open_model(resolve("fake:masked", Options()), Options())
    with pytest.raises(BadInput, match="margin"):
        scores("set", opened, context(margin=margin))
