"""Profiles of groups: people beside all matrices, top and bottom traits, and what the marks say."""

import re

import numpy as np
import pytest

from analyses.compare_people.examples import at, column, table_of
from derived.people.examples import GROUPS as SIX
from tiltmeter.report.terminal import plain_text


def test_every_group_has_one_profile_of_people_and_all_matrices(made, document):
    drawn = {p.name: p for p in document.pictures() if p.name.startswith("profile-")}
    assert set(drawn) == {f"profile-{group}" for group in SIX}
    for group in SIX:
        taus = [
            at(made, "kendall_tau", matrix=name, group=group).value for name in ("run", "table")
        ]
        title = f"{group}: τ = {', '.join(f'{tau:.2f}'.replace('-', '−') for tau in taus)}"
        assert title in str(drawn[f"profile-{group}"].wide)
    assert [s.id for s in document.sections if s.folded] == [
        "all-other-groups-closest-to-people-first"
    ]
    closest = max(SIX, key=lambda group: at(made, "kendall_tau", matrix="run", group=group).value)
    assert next(iter(drawn)) == f"profile-{closest}"


def test_the_profile_names_top_and_bottom_traits_apart(made, document):
    table = table_of(
        document, "poets: top 3 (nearest to the right trait), bottom 3 (nearest to the left)"
    )
    assert column(table, "").values == [
        "top 1",
        "top 2",
        "top 3",
        "bottom 1",
        "bottom 2",
        "bottom 3",
    ]
    own = [r for r in made.records if r.kind == "cell" and r.groups["group"] == "poets"]
    of_table = {r.groups["pair"]: r.scores for r in own if r.groups["matrix"] == "table"}
    rated = sorted(of_table, key=lambda pair: -of_table[pair]["mean"])
    assert [r.groups["pair"] for r in own if r.groups["matrix"] == "run"] == rated
    left, right = rated[-1].split(" - ")[0], rated[0].split(" - ")[1]
    assert column(table, "people").values[0] == f"{right} {of_table[rated[0]]['mean']:.0f}"
    assert column(table, "people").values[3] == f"{left} {of_table[rated[-1]]['mean']:.0f}"
    best = max(of_table, key=lambda pair: of_table[pair]["score"])
    mark = "✓" if of_table[best]["mean"] >= 50 else "✗"
    assert re.fullmatch(rf"{best.split(' - ')[1]} [\d.]+ {mark}", column(table, "table").values[0])
    shown = plain_text(document)
    assert "clerks: top 3" not in shown


def test_the_marks_give_the_precision_of_each_end(made):
    for name in ("run", "table"):
        for group in SIX:
            rows = [
                r for r in made.records
                if r.kind == "cell" and (r.groups["matrix"], r.groups["group"]) == (name, group)
            ]  # fmt: skip
            for end in ("top", "bottom"):
                agrees = [
                    r.scores["people_agree"] for r in rows if r.texts.get("matrix_end") == end
                ]
                e = at(made, f"precision_at_3_{end}", matrix=name, group=group)
                assert e.value == pytest.approx(np.mean(agrees))
                assert (e.n, e.neutral, e.low) == (3, None, None)
