"""An alignment with people as an object for JSON: what --json prints and alignment.json holds."""

from hashlib import sha256

import numpy as np

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.cell_means import CellMeans
from tiltmeter.core.results import Estimate
from tiltmeter.run import folder as folders
from tiltmeter.run.folder_names import slug


def folder_name(made: Alignments) -> str:
    """The folder: the matrices, and a digest of them, of the people and of how they were compared."""
    wanted = made.wanted
    parts = [
        made.people.name, made.people.sha256, str(wanted.k), str(wanted.pilot), _by(made),
        str(sorted(wanted.aliases.items())), str(wanted.seed),
    ]  # fmt: skip
    parts += [f"{one.source.name} {one.source.path} {one.source.middle}" for one in made.parts]
    digest = sha256("\n".join(parts).encode()).hexdigest()[:8]
    names = "-".join(slug(one.source.name)[:30] for one in made.parts[:2])
    return f"people-{slug(names)}-{digest}"


def _by(made: Alignments) -> str:
    return ";".join(",".join(columns) for columns in made.wanted.by)


def as_object(made: Alignments) -> dict[str, object]:
    """Finite numbers or null."""
    people, wanted = made.people, made.wanted
    asked = people.ratings.annotators if people.ratings else ()
    return {
        "people": {
            "name": people.name, "source": people.source, "licence": people.licence,
            "sha256": people.sha256, "scale": list(people.scale), "who": people.who,
            "groups": list(people.groups), "pairs": list(people.pairs),
            "annotators": len(asked) if asked else None,
            "without_single_ratings": [list(cell) for cell in people.spoilt],
        },
        "settings": {
            "k": wanted.k, "by": [list(columns) for columns in wanted.by], "seed": wanted.seed,
            "splits": wanted.splits,
            "pilot": None if wanted.pilot is None else list(wanted.pilot),
            "aliases": dict(wanted.aliases), "middle": [one.source.middle for one in made.parts],
        },
        "matrices": [_matrix(one) for one in made.parts],
        "slice_means": [_means(part) for part in made.slice_means],
        "compared": _plain(made.compared),
        "notes": list(made.notes),
    }  # fmt: skip


def _matrix(one: Alignment) -> dict[str, object]:
    pilot = one.pilot
    return {
        "name": one.source.name,
        "path": one.source.path,
        "facts": dict(one.source.facts),
        "groups": list(one.groups),
        "pairs": list(one.pairs),
        "pilot": None if pilot is None else {
            "groups": pilot.groups, "people": pilot.people, "templates": pilot.templates,
            "tau": pilot.tau, "tried": pilot.tried,
        },
        "turned": list(one.turned),
        "renamed": [list(both) for both in one.renamed],
        "left_out": list(one.left_out),
        "estimates": _plain(one.estimates),
        "by_template": _plain(one.by_template),
        "by_slice": [
            {
                "about": dict(part.about),
                "people": part.people,
                "raters": dict(zip(one.groups, part.raters, strict=True)),
                "estimates": _plain(part.estimates),
                "by_group": _plain(part.by_group),
            }
            for part in one.slices
        ],
    }  # fmt: skip


def _plain(estimates: tuple[Estimate, ...]) -> list[dict[str, object]]:
    return [folders.plain(e) for e in estimates]


def _means(part: CellMeans) -> dict[str, object]:
    """Arrays as lists of rows, one for each group."""
    shape = range(len(part.groups)), range(len(part.pairs))
    ends = [[part.interval(g, p) for p in shape[1]] for g in shape[0]]
    return {
        "about": dict(part.about),
        "people": part.people,
        "groups": list(part.groups),
        "pairs": list(part.pairs),
        "mean": [
            [None if np.isnan(value) else float(value) for value in row] for row in part.values
        ],
        "n": [[int(value) for value in row] for row in part.counts],
        "interval": [[list(cell) if cell else None for cell in row] for row in ends],
    }
