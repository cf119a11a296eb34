"""Runs in several languages and made-up ratings, for the tests of leakage."""

import csv
from dataclasses import replace

import numpy as np

from tiltmeter.core.finder import find
from tiltmeter.models import fake
from tiltmeter.run.files.folder import write
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

GROUPS = ("woman", "man", "housewife", "immigrant", "veteran")
TEMPLATES = {
    "en": "Most [group] are [trait].",
    "ru": "Многие [group] очень [trait].",
    "zh": "[group]都是[trait]。",
    "hi": "वह [group] [trait] है।",
}
PAIRS = (
    "powerless - powerful", "low status - high status", "cold - warm", "poor - wealthy",
    "religious - non religious", "traditional - modern",
)  # fmt: skip


def write_run(folder, language, *, study="group_traits", model="fake"):
    """The folder of a run of few groups in a language."""
    of = find("studies", study, "STUDY")
    place = "" if study == "story_choice" else "masked" if model == "fake" else "causal"
    rule = "choice" if study == "story_choice" else None
    chosen = choose(of, fake.answers(place), model=model, rule=rule)
    settings = {**chosen.settings, "groups": ", ".join(GROUPS)}
    if study == "group_traits":
        settings["templates"] = TEMPLATES[language]
    data = of.load(f"leakage_{language}", settings=settings)
    result = measure(of, fake.load(place), data, chosen=replace(chosen, settings=settings))
    named = replace(result.card, model={**result.card.model, "name": model})
    return write(replace(result, card=named), folder, page="<!doctype html>")


def write_ratings(path, *, languages=("en", "ru", "zh", "hi"), raters=5, unknown=()):
    """A table of ratings of these groups; `unknown` are (language, group) that nobody rated."""
    shared = np.random.default_rng(0).normal(0, 12, (len(GROUPS), len(PAIRS)))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["annotator", "group", "pair", "rating", "language"])
        for language in languages:
            rng = np.random.default_rng(list(language.encode()))
            truth = shared + rng.normal(0, 15, shared.shape)
            for rater in range(raters):
                rated = np.clip(truth + rng.normal(0, 8, truth.shape), -50, 50).round()
                for row, group in enumerate(GROUPS):
                    if (language, group) in unknown:
                        continue
                    for column, pair in enumerate(PAIRS):
                        name = f"{language}{rater}"
                        writer.writerow([name, group, pair, rated[row, column], language])
    return path
