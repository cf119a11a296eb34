"""What intervals generalise to: a sentence for every study, which its interval keeps."""

from dataclasses import replace
from functools import cache

import pytest

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.finder import find, known
from tiltmeter.core.text import plural
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.run.measuring.measure import measure, summarise
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.planning.item_wordings import Wording, crossed

STUDIES = sorted(known("studies"))
ALONE = {"fairness_gaps"}
"""Studies of whose sample each group that is compared has one text of each cluster."""


@cache
def scored(name):
    """The study, how the first model that can answers it, and the result on its sample."""
    study = find("studies", name, "STUDY")
    for kind in ("masked", "causal", *sorted(fake.KINDS)):
        where = resolve(f"fake:{kind}" if kind else "fake", Options())
        try:
            chosen = choose(study, where.answers, model=where.reference)
        except CannotAnswer:
            continue
        model = open_model(where, Options())
        return (
            study,
            chosen,
            measure(study, model, study.sample(), chosen=chosen, skip_invalid=True),
        )
    raise AssertionError(name)


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_says_to_what_its_interval_generalises(name):
    study, _, result = scored(name)
    said = result.card.generalises_to
    assert said.startswith(("Other ", "Nothing beyond these items")) and said.endswith(".")
    head = result.headline or result.estimates[0]
    if head.low is None and not any(
        e.low is not None for e in result.estimates if e.name == head.name
    ):
        assert said.startswith("Nothing beyond these items: there is no interval.")
    assert all(words in said.partition("Held fixed: ")[2] for words in study.scope.fixed
               if words.removeprefix("the ") not in said.partition(".")[0])  # fmt: skip


@pytest.mark.parametrize("name", sorted({*STUDIES} - ALONE))
def test_none_claims_clusters_that_its_interval_ignores(name):
    """If each record is a cluster of its own, only intervals over clusters change.

    Clusters of the samples of some studies have one record each, where nothing can change; and some metrics
    read what is in a cluster from a column, such as the target terms of contexts.
    """
    study, chosen, result = scored(name)
    said = result.card.generalises_to.partition(" Held fixed")[0]
    clusters = str(result.card.data.get("clusters") or "")
    records, head = list(result.records), result.headline
    several = len({r.cluster for r in records}) < len(records)
    if (
        not clusters
        or head is None
        or head.low is None
        or not several
        or "replies to the same" in said
    ):
        return
    m = next(m for m in study.measures if m.name == head.name)
    if any(
        {r.groups.get(column) for r in records} == {r.cluster for r in records}
        for column in m.columns
    ):
        return
    alone = columns_of((replace(r, cluster=r.item) for r in records), (*m.reads, "repeat"))
    same = columns_of(records, (*m.reads, "repeat"))
    of_clusters, of_records = (
        next(e for e in estimates([m], columns, chosen.ties, 0) if not e.groups)
        for columns in (same, alone)
    )
    is_claimed = plural(clusters) in said or clusters in said
    changes = (of_clusters.low, of_clusters.high) != (of_records.low, of_records.high)
    assert changes == is_claimed, said


def test_wordings_and_repeats_are_named():
    study, chosen, _ = scored("bbq")
    sample = study.sample()
    names = ("standard", "brief", "formal", "letter", "list")
    data = crossed({Wording(n, n, n == "standard"): sample for n in names})
    rule = next(rule for rule in study.rules if rule.name == "choice")
    model = open_model(resolve("fake", Options()), Options())
    result = measure(study, model, data, chosen=replace(chosen, rule=rule))
    said = result.card.generalises_to
    assert "asked in these 5 wordings" in said
    assert "Held fixed: the names and terms for people and the wordings." in said
    has_other = any(e.name == "bbq_score_ambiguous_over_wordings" and e.low is not None
                    for e in result.estimates)  # fmt: skip
    assert ("in other wordings" in said) == has_other
    several = [r.as_repeat(k) for r in result.records for k in range(2)]
    again = summarise(study, several, data, chosen=replace(chosen, rule=rule), seed=0,
                      model={"name": "m"})  # fmt: skip
    assert (
        "Other templates of the kind and replies to them, asked in these 5"
        in again.card.generalises_to
    )
