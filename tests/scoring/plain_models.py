"""Triples, and small random models beside the plain models of transformers, asked one text at a time."""

import pytest
import torch

from tiltmeter.core.data.items import Triple
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.studies.stereoset import CONVENTIONS, RULES

RULE = {rule.name: rule for rule in RULES}
PUBLISHED = next(c for c in CONVENTIONS if c.name == "stereoset2020")
BIAS_BENCH = next(c for c in CONVENTIONS if c.name == "meade2022")
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
