"""Finds the results below a folder and gives each a key for file names and addresses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.model.model_names import distinct_names
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.derived.installed_study import measures_of
from tiltmeter.derived.sources import identity_of, is_ours
from tiltmeter.report.documents import families
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.text import final_p, models_of, p_text, span, subset, title, value_with_unit
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import slug
from tiltmeter.run.files.output_files import SEAL
from tiltmeter.run.planning.study_files import study_if_known


@dataclass(frozen=True, slots=True)
class ViewedResult:
    """A result without its records, with its key and its folder."""

    key: str
    folder: Path
    result: Result

    @property
    def main(self) -> Sequence[Estimate]:
        """The main estimates of the result: the headline, or the measures that are read side by side."""
        whole = [e for e in self.result.estimates if not e.groups]
        names = families.together(self.result.estimates, self.result.card.views)
        return [e for e in whole if e.name in names] or whole[:1]

    @property
    def facts(self) -> dict[str, object]:
        """What lists and the matrix of results show about it."""
        card = self.result.card
        study = study_if_known(card)
        return {
            "key": self.key, "study": card.study, "rule": card.rule, "convention": card.convention,
            "title": visible(card.title or (study.title if study else card.study)),
            "model": visible(card.model_name or card.subtitle), "data": visible(card.data_name),
            "finished": str(card.run.get("finished", ""))[:16].replace("T", " "),
            "items": card.counts.get("scored", 0), "of": str(card.data["sha256"])[:16],
            "run": bool(card.model_name) and not card.title, "cell": self._cell,
        }  # fmt: skip

    @property
    def how_items_are_read(self) -> dict[str, object]:
        """What the list of its items needs: which texts compete, what is a reply, what each number counts."""
        card = self.result.card
        of_items = {"margins", "tally"}
        counts: dict[str, object] = {}
        if not card.title and study_if_known(card) is not None:
            counts = {
                m.name: {"reads": m.columns, "where": dict(m.where)} for m in measures_of(card)
            }
        views = [v for v in folders.card_as_object(card)["views"] if v["kind"] in of_items]
        return {"counts": counts, "views": views}

    @property
    def _cell(self) -> dict[str, object] | None:
        """Its first main number for the matrix of models and studies; None without one over all items.

        `at` has value, low, high and neutral as numbers, for a picture.
        """
        if not (main := [e for e in self.main if not e.groups]):
            return None
        e, unit = main[0], main[0].unit
        numbers = (e.value, e.low, e.high, e.neutral)
        return {
            "measure": title(e), "unit": unit, "value": value_with_unit(e), "span": span(e), "n": e.n,
            "counts": e.meaning.counts, "p": "" if (p := final_p(e)) is None else p_text(p),
            "sure": shown_significant(e), "why": visible(e.why) if e.value is None else "",
            "at": [x if x is None else float(f"{x:.5g}") for x in numbers],
            "range": [x if math.isfinite(x) else None for x in e.meaning.range(unit)],
        }  # fmt: skip


def model_labels(viewed: Sequence[ViewedResult]) -> list[str]:
    """The name of each result's model, made longer where models of other references have it too."""
    references: dict[str, dict[str, str]] = {}
    for v in viewed:
        card = v.result.card
        references.setdefault(card.model_name, {})[card.model_reference] = card.model_name
    longer = {name: distinct_names(of) for name, of in references.items() if name}
    cards = (v.result.card for v in viewed)
    return [
        longer[card.model_name][card.model_reference] if card.model_name else card.subtitle
        for card in cards
    ]


def results_of(*places: Path, few: float = math.inf) -> tuple[list[ViewedResult], list[str]]:
    """All finished results in these folders and below, the latest first, and a note for each left out.

    A run that is found twice, such as in an audit and beside it, counts once. Of more than `few` results
    only estimates over all items are read.

    Raises:
        BadInput: One of the places does not exist.
    """
    notes, folders_given = [], []
    for place in places:
        if not place.exists():
            way_out = "name the folder of your runs, or some runs"
            raise BadInput("there is no such folder", way_out, file=str(place))
        if place.is_dir():
            folders_given.append(place)
        elif not is_ours(place):
            notes.append(f"{place.name} is a file, not a folder of runs: left out.")
    viewed: dict[object, ViewedResult] = {}
    originals: dict[str, Path] = {}
    keys = set[str]()
    seals = {seal: place for place in folders_given for seal in place.glob(f"**/{SEAL}")}
    for seal in sorted(seals, key=lambda seal: (len(seal.parts), seal)):
        place = seals[seal]
        alone = len(folders_given) == 1 and seal.parent != place
        path = (
            seal.parent.resolve()
            .relative_to((place if alone else place.parent).resolve())
            .as_posix()
        )
        plain = slug(path)
        whole = path if plain not in keys else str(seal.parent.resolve())
        key = plain if plain == whole else f"{plain}-{sha256(whole.encode()).hexdigest()[:8]}"
        keys.add(key)
        try:
            result = folders.read_numbers(seal.parent, whole=len(seals) > few)
        except BadInput as damage:
            notes.append(f"Left out: {damage}")
            continue
        run = (seal.parent.resolve().name, result.card.files.get(folders.ESTIMATES))
        if run in viewed:
            continue
        original = originals.setdefault(identity_of(result), seal.parent)
        if original != seal.parent:
            notes.append(f"Left out: {seal.parent.name} (a copy of {original.name}).")
            continue
        viewed[run] = ViewedResult(key, seal.parent, result)
    finished = {  # to the second: of two that finished in the same one, the later file is the later result
        v.key: (str(v.result.card.run.get("finished", "")), (v.folder / SEAL).stat().st_mtime_ns)
        for v in viewed.values()
    }
    return sorted(viewed.values(), key=lambda v: finished[v.key], reverse=True), notes


def numbers_of(viewed: Sequence[ViewedResult], *, main_only: bool = False) -> dict[str, object]:
    """The estimates of all results as rows, with measures and subsets, which repeat, in lists of their own.

    A row has the indices of its result, measure and subset; the value, interval and p as text; n; whether it
    is significant (1, 0, or null if not tested); and whether it is a main number of its result (1 or 0).
    """
    measures: dict[tuple[str, str], int] = {}
    subsets: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
    rows = []
    for place, of in enumerate(viewed):
        main, card = of.main, of.result.card
        for e in main if main_only else of.result.estimates:
            label = subset(e.groups, card.labels) if e.groups else ""
            if e.model not in {"", card.model_name}:
                label = f"{models_of(e)}{': ' if label else ''}{label}"
            measure = measures.setdefault((e.name, title(e)), len(measures))
            group = subsets.setdefault((label, tuple(e.groups.items())), len(subsets))
            p, sure = final_p(e), shown_significant(e)
            rows.append([
                place, measure, group, value_with_unit(e), span(e), "" if p is None else p_text(p), e.n,
                None if sure is None else int(sure), int(any(e is m for m in main)),
            ])  # fmt: skip
    labels = [(label, dict(groups)) for label, groups in subsets]
    return {"measures": [*measures], "subsets": labels, "numbers": rows}
