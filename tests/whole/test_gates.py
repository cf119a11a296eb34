"""Every estimate that is printed can be gated by the coordinates that it is printed with."""

from functools import cache

import pytest

from support.gating import check_gates, possible
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.finder import find, known
from tiltmeter.derived.audits.threshold_checks import check_declared, check_items
from tiltmeter.derived.audits.threshold_text import address
from tiltmeter.derived.audits.thresholds import parsed
from tiltmeter.derived.comparisons.compare import compare, further_numbers
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import all_measures, measure, reported
from tiltmeter.run.planning.choosing import choose

STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}
MODELS = ("fake", "fake:masked", "stereotyped")


@cache
def opened(model):
    where = resolve(model, Options())
    return where, open_model(where, Options())


@cache
def sample(name):
    """The study's made-up items, read once."""
    return STUDIES[name].sample()


def runs(name):
    """The study's sample under each of its rules, with what the result reports."""
    study, data = STUDIES[name], sample(name)
    for model in MODELS:
        where, asked = opened(model)
        for rule in study.rules:
            try:
                chosen = choose(study, where.answers, model=asked.name, rule=rule.name)
                result = measure(study, asked, data, chosen=chosen)
            except (CannotAnswer, BadInput):
                continue
            yield result, reported(study, chosen)


@pytest.mark.parametrize("name", STUDIES)
def test_every_number_of_a_study_can_be_gated(name):
    defined = 0
    for result, measures in runs(name):
        defined += check_gates(result)
        for e in result.estimates:
            limit = parsed(f"{name}/{address(e.name, e.groups)} > {possible(e)!r}")
            check_declared([limit], {name: measures})
            check_items([limit], sample(name), measures)
    assert defined


@pytest.mark.parametrize("name", STUDIES)
def test_every_difference_of_two_runs_can_be_gated(name):
    results = [result for result, _ in runs(name)]
    for other in results[1:]:
        try:
            differences = compare(results[0], other)
        except BadInput:
            continue
        card = results[0].card
        check_gates(type(results[0])(card, (), differences))
        for e in differences:
            limit = parsed(f"{address(e.name, e.groups)} > {possible(e)!r}")
            declared, further = {name: all_measures(STUDIES[name])}, further_numbers(card.views)
            check_declared([limit], declared, differences=True, collection=further)
