"""Scores of intersectional groups and of their components, from one run or two."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.derived.matrices.matrix import ScoreLayers, layers_of, opposites, required_view


@dataclass(frozen=True, slots=True)
class ComponentScores:
    """Intersectional groups, their components, and the scores of both in the same templates."""

    name: str
    templates: tuple[str, ...]
    singles: tuple[str, ...]
    domains: tuple[str, ...]
    """The domain of each single group."""
    intersectional: tuple[str, ...]
    first: Integers
    """The position among `singles` of each intersectional group's first component."""
    second: Integers
    reverse: Integers
    """The position of the group in the reverse order, for each intersectional group; −1 without one."""
    pairs: tuple[str, ...]
    dimensions: tuple[str, ...]
    of_single: Array
    """Scores of traits, first all left ones, then all right ones; (templates, singles, traits)."""
    of_intersectional: Array
    """Scores of intersectional groups in the same order of traits; (templates, intersectional, traits)."""
    view: Matrix
    notes: tuple[str, ...] = ()

    @property
    def traits(self) -> tuple[str, ...]:
        """The left trait of each pair, then the right one of each."""
        both = [opposites(pair) for pair in self.pairs]
        return (*(left for left, _ in both), *(right for _, right in both))

    def profiles(self, kind: str) -> tuple[Array, Array]:
        """What groups are compared by, averaged over templates: of single and intersectional groups.

        Args:
            kind: "pairs", right minus left, one number a pair; or "poles", two.
        """
        means = self.of_single.mean(axis=0), self.of_intersectional.mean(axis=0)
        if kind == "poles":
            return means
        n = len(self.pairs)
        return means[0][:, n:] - means[0][:, :n], means[1][:, n:] - means[1][:, :n]


def scores_of_runs(results: Sequence[Result]) -> ComponentScores:
    """The scores of one run with intersectional groups and components, or of two runs with one of them each.

    Raises:
        BadInput: They are not of one model, rule and file; or one of the two kinds is not there.
    """
    _check(results)
    return component_scores([layers_of(result) for result in results])


def component_scores(layers: Sequence[ScoreLayers]) -> ComponentScores:
    """The scores of runs that were read already; see `scores_of_runs`.

    Raises:
        BadInput: Intersectional groups are missing, or the components of all of them; or no template is
            common.
    """
    view = layers[0].view
    templates = [t for t in layers[0].layers if all(t in some.layers for some in layers)]
    pairs = layers[0].columns
    if not templates or any(set(some.columns) != set(pairs) for some in layers):
        raise BadInput(
            "the runs have no template in common, or not the same pairs of traits",
            "run both with the same file, templates and pairs",
        )
    components, domains, values = _gathered(layers, templates, pairs)
    single = [name for name, (first, _) in components.items() if not first]
    joined = [name for name, (first, _) in components.items() if first]
    if not joined:
        raise BadInput(f"there are no intersectional {view.row_names}", _way_out(view))
    whole = [n for n in joined if all(part in single for part in components[n])]
    if not whole:
        raise BadInput(
            f"the components of the intersectional {view.row_names} were not run", _way_out(view)
        )
    place = {name: i for i, name in enumerate(single)}
    of_whole = np.array([[place[part] for part in components[n]] for n in whole], dtype=np.int64)
    order = {(int(a), int(b)): i for i, (a, b) in enumerate(of_whole)}
    notes = []
    if lost := len(joined) - len(whole):
        many = counted(lost, "intersectional groups", "are")
        notes.append(f"{many} left out: their components were not run")
    if dropped := max(len(some.layers) for some in layers) - len(templates):
        many = counted(dropped, view.layer_names, "are")
        notes.append(f"{many} left out: not in both runs")
    return ComponentScores(
        name=layers[0].name,
        templates=tuple(templates),
        singles=tuple(single),
        domains=tuple(domains[name] for name in single),
        intersectional=tuple(whole),
        first=of_whole[:, 0],
        second=of_whole[:, 1],
        reverse=np.array([order.get((int(b), int(a)), -1) for a, b in of_whole], dtype=np.int64),
        pairs=pairs,
        dimensions=layers[0].column_domains or ("",) * len(pairs),
        of_single=np.stack([values[name] for name in single], axis=1),
        of_intersectional=np.stack([values[name] for name in whole], axis=1),
        view=view,
        notes=tuple(notes),
    )


def _gathered(
    layers: Sequence[ScoreLayers], templates: Sequence[str], pairs: Sequence[str]
) -> tuple[dict[str, tuple[str, str]], dict[str, str], dict[str, Array]]:
    """Components, domain and scores of each group of any run, by its name; of two runs the first counts."""
    components: dict[str, tuple[str, str]] = {}  # ("", "") of single groups
    domains: dict[str, str] = {}
    values: dict[str, Array] = {}  # (templates, traits)
    for some in layers:
        at = np.ix_(
            [some.layers.index(t) for t in templates], range(len(some.rows)),
            [some.columns.index(p) for p in pairs],
        )  # fmt: skip
        traits = np.concatenate([some.left[at], some.right[at]], axis=2)
        crossed = some.components or (("", ""),) * len(some.rows)
        row_domains = some.row_domains or ("",) * len(some.rows)
        for i, name in enumerate(some.rows):
            if name not in components:
                components[name], domains[name] = crossed[i], row_domains[i]
                values[name] = traits[:, i]
    return components, domains, values


def _check(results: Sequence[Result]) -> None:
    """Whether the runs are of one model, asked in one way."""
    if len(results) > 2:  # noqa: PLR2004
        raise BadInput(
            f"{counted(len(results), 'runs', 'were')} given", "give one run folder, or two"
        )
    if len(results) == 1:
        return
    a, b = (result.card for result in results)
    selects = required_view(a).selects
    facts = {
        "model": (a.model.get("fingerprint"), b.model.get("fingerprint")),
        "data": (a.data.get("sha256"), b.data.get("sha256")),
        "rule": (a.rule, b.rule),
        "convention": (a.convention, b.convention),
        **{
            f"setting {name}": (a.settings.get(name), b.settings.get(name))
            for name in {*a.settings, *b.settings}
            if name not in selects
        },
    }
    for fact, (of_first, of_second) in sorted(facts.items()):
        if of_first != of_second:
            raise BadInput(
                f"the two runs differ in {fact}",
                "give runs of one model and file that differ only in which groups were asked about",
            )


def _way_out(view: Matrix) -> str:
    """How to make a run that has both."""
    how = view.crossed.run_by or "give a run that has them, with their components"
    return f"{how}; give both folders where there are two"
