"""Made-up contexts with labels, and predictions for leaderboards."""

import json
from contextlib import contextmanager

import numpy as np

from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.data.triples.triples import finished
from tiltmeter.survey.boards.contexts import development_text

FILES = {
    "predictions_bert-base-cased_BertNextSentence_BertLM.json": (85.77, 59.56, 69.38),
    "predictions_gpt2_ModelNSP_GPT2LM.json": (83.65, 57.03, 71.89),
    "predictions_SentimentModel.json": (64.77, 61.67, 49.64),
}
"""lms, ss and icat of Nadeem et al. 2020, arXiv:2004.09456v1, Table 4."""
REBUILT = "stereoset/dev_rebuilt.json"


def made_up(terms=20, each=5, seed=0):
    """Contexts whose candidates have ids in an order that tells nothing."""
    rng = np.random.default_rng(seed)
    items = []
    for n in range(terms * each):
        names = tuple(f"s{3 * n + k:05}" for k in rng.permutation(3))
        items.append(
            Triple(f"c{n}", "intrasentence", "It is BLANK.", ("It is a.", "It is b.", "It is c."),
                   f"t{n % terms}", "job", ("a", "b", "c"), names)
        )  # fmt: skip
    return finished(Dataset("made up", "1", items, "", ""))


def labelled_file(folder, data):
    """A file with the labels."""
    path = folder / "labels.json"
    path.write_text(development_text(data), "utf-8")
    return path


def scores_like(data, knows, leans, seed=0):
    """A model that ranks the unrelated candidate last with probability `knows`, and so on."""
    rng = np.random.default_rng(seed)
    found = {}
    for item in data.items:
        stereotype, anti, unrelated = item.names
        first, second = (stereotype, anti) if rng.random() < leans else (anti, stereotype)
        found |= {first: 3.0, second: 2.0, unrelated: 1.0 if rng.random() < knows else 4.0}
    return found


def predictions(scores):
    """A prediction file's text."""
    rows = [{"id": name, "score": score} for name, score in scores.items()]
    return json.dumps({"intrasentence": rows})


def learned(data, answer, seed=5):
    """How many labels an attacker names who puts one candidate after the other last.

    If an answer changes, the change tells which candidate is the unrelated one; otherwise the attacker
    guesses. `answer` gives the numbers that each attacker sees, by the attacker's name.
    """
    rng = np.random.default_rng(seed)
    ids = [sorted(item.names) for item in data.items]
    guess = {name: float(rng.random()) for names in ids for name in names}
    before = answer(guess)
    right = dict.fromkeys(before, 0)
    for names, labelled in zip(ids, data.items, strict=True):
        after = [answer(guess | {name: -1.0}) for name in names]
        for who, number in before.items():
            gains = [each[who] - number for each in after]
            best = [name for name, gain in zip(names, gains, strict=True) if gain == max(gains)]
            right[who] += best[int(rng.integers(len(best)))] == labelled.names[2]
    return right


class InMemoryState:
    """A board that is forgotten with the process."""

    def __init__(self):
        self.entries = []

    @contextmanager
    def turn(self, *_):
        yield lambda entry, _: self.entries.append(entry)

    def entries_on(self, submitter, day):
        return sum(e.submitter == submitter and e.at.date() == day for e in self.entries)

    def shown_of(self, submitter):
        return {e.model: e for e in self.all_shown() if e.submitter == submitter}

    def all_shown(self):
        return tuple({(e.submitter, e.model): e for e in self.entries if e.moved}.values())
