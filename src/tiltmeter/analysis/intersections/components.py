"""Scores of crossed groups beside those of their parts, from one run or two."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.matrix import Layers, layers_of, traits_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.types import Array, Integers

SAME = ("groups", "cross", "templates")
"""Settings in which a run of single groups and one of crossed groups may differ."""
_CROSS = (
    "run group_traits with --set cross=both, or twice, with --set cross=no and --set cross=only, "
    "and give both folders"
)


@dataclass(frozen=True, slots=True)
class Crossings:
    """Crossed groups, their parts, and the scores of both in the same templates."""

    name: str
    templates: tuple[str, ...]
    singles: tuple[str, ...]
    domains: tuple[str, ...]
    """Of each single group."""
    crossed: tuple[str, ...]
    first: Integers
    """Of each crossed group, the place of its first part among `singles`."""
    second: Integers
    reverse: Integers
    """Of each crossed group, the place of the one with the parts changed over, else −1."""
    pairs: tuple[str, ...]
    dimensions: tuple[str, ...]
    single: Array
    """Scores of poles, first all left ones, then all right ones; (templates, singles, poles)."""
    both: Array
    """The same of crossed groups; (templates, crossed, poles)."""
    notes: tuple[str, ...] = ()

    @property
    def poles(self) -> tuple[str, ...]:
        """The traits: the left one of each pair, then the right one of each."""
        return (
            *(traits_of(pair)[0] for pair in self.pairs),
            *(traits_of(p)[1] for p in self.pairs),
        )

    def traits(self, kind: str) -> tuple[Array, Array]:
        """What groups are compared by, averaged over templates: of single groups, of crossed ones.

        Args:
            kind: "pairs", right less left, one number a pair; or "poles", two.
        """
        means = self.single.mean(axis=0), self.both.mean(axis=0)
        if kind == "poles":
            return means
        n = len(self.pairs)
        return means[0][:, n:] - means[0][:, :n], means[1][:, n:] - means[1][:, :n]


def crossings_of_runs(results: Sequence[Result]) -> Crossings:
    """Of one run that holds crossed groups and their parts, or of two that hold them together.

    Raises:
        BadInput: They are not of one model, rule and file; or one of the two kinds is not there.
    """
    _check(results)
    return crossings_of([layers_of(result) for result in results])


def crossings_of(layers: Sequence[Layers]) -> Crossings:
    """As `crossings_of_runs`, of what was read from the runs already.

    Raises:
        BadInput: Crossed groups are missing, or the parts of all of them; or no template is common.
    """
    templates = [t for t in layers[0].templates if all(t in some.templates for some in layers)]
    pairs = layers[0].pairs
    if not templates or any(set(some.pairs) != set(pairs) for some in layers):
        raise BadInput(
            "the runs have no template in common, or not the same pairs of traits",
            "run both with the same file, templates and pairs",
        )
    scores = _Scores.of(layers, templates, pairs)
    single = {name: None for name, parts in scores.parts.items() if not parts[0]}
    crossed = [n for n, parts in scores.parts.items() if parts[0]]
    if not crossed:
        raise BadInput("there are no crossed groups", _CROSS)
    whole = [n for n in crossed if all(part in single for part in scores.parts[n])]
    if not whole:
        raise BadInput("the single groups that crossed ones are made of were not run", _CROSS)
    place = {name: i for i, name in enumerate(single)}
    parts = np.array([[place[part] for part in scores.parts[n]] for n in whole], dtype=np.int64)
    order = {(int(a), int(b)): i for i, (a, b) in enumerate(parts)}
    notes = []
    if len(whole) < len(crossed):
        lost = len(crossed) - len(whole)
        many = "1 crossed group is" if lost == 1 else f"{lost:,} crossed groups are"
        notes.append(f"{many} left out: their parts were not run by themselves")
    dropped = max(len(some.templates) for some in layers) - len(templates)
    if dropped:
        many = "1 template is" if dropped == 1 else f"{dropped} templates are"
        notes.append(f"{many} left out: not in both runs")
    return Crossings(
        name=layers[0].name,
        templates=tuple(templates),
        singles=tuple(single),
        domains=tuple(scores.domains[name] for name in single),
        crossed=tuple(whole),
        first=parts[:, 0],
        second=parts[:, 1],
        reverse=np.array([order.get((int(b), int(a)), -1) for a, b in parts], dtype=np.int64),
        pairs=pairs,
        dimensions=layers[0].dimensions or ("",) * len(pairs),
        single=scores.table(list(single)),
        both=scores.table(whole),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """Every group of all runs."""

    parts: dict[str, tuple[str, str]]
    domains: dict[str, str]
    values: dict[str, Array]
    """Of each group, (templates, poles)."""

    @classmethod
    def of(
        cls, layers: Sequence[Layers], templates: Sequence[str], pairs: Sequence[str]
    ) -> "_Scores":
        made = cls({}, {}, {})
        for some in layers:
            rows = [some.templates.index(t) for t in templates]
            columns = [some.pairs.index(p) for p in pairs]
            at = np.ix_(rows, range(len(some.groups)), columns)
            poles = np.concatenate([some.left[at], some.right[at]], axis=2)
            parts = some.parts or (("", ""),) * len(some.groups)
            domains = some.domains or ("",) * len(some.groups)
            for i, name in enumerate(some.groups):
                if name not in made.parts:
                    made.parts[name], made.domains[name] = parts[i], domains[i]
                    made.values[name] = poles[:, i]
        return made

    def table(self, names: Sequence[str]) -> Array:
        return np.stack([self.values[name] for name in names], axis=1)


def _check(results: Sequence[Result]) -> None:
    """Are the two of one model, asked in one way?"""
    if len(results) > 2:  # noqa: PLR2004
        raise BadInput(f"{len(results)} runs were given", "give one run folder, or two")
    if len(results) == 1:
        return
    a, b = (result.card for result in results)
    facts = {
        "model": (a.model.get("fingerprint"), b.model.get("fingerprint")),
        "data": (a.data.get("sha256"), b.data.get("sha256")),
        "rule": (a.rule, b.rule),
        "convention": (a.convention, b.convention),
        **{
            f"setting {name}": (a.settings.get(name), b.settings.get(name))
            for name in {*a.settings, *b.settings}
            if name not in SAME
        },
    }
    for named, (one, other) in sorted(facts.items()):
        if one != other:
            raise BadInput(
                f"the two runs differ in their {named}",
                "give runs of one model and file that differ in groups and crossings only",
            )
