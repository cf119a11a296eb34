"""Finds the results below a folder and gives each a key for file names and addresses."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.derived.installed_study import measures_of
from tiltmeter.report.documents import families
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.text import final_p, p_text, span, subset, title, value_with_unit
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
        """What lists of results show about it, and what the list of its items needs."""
        card = self.result.card
        study = study_if_known(card)
        made: dict[str, object] = {
            "key": self.key, "study": card.study, "rule": card.rule, "convention": card.convention,
            "title": visible(card.title or (study.title if study else card.study)),
            "model": visible(card.model_name or card.subtitle), "data": visible(card.data_name),
            "finished": str(card.run.get("finished", ""))[:16].replace("T", " "),
            "items": card.counts.get("scored", 0), "of": str(card.data["sha256"])[:16], "counts": {},
            "views": [v for v in folders.card_as_object(card)["views"] if v["kind"] in {"margins", "tally"}],
        }  # fmt: skip
        if study is not None and not card.title:
            made["counts"] = {
                m.name: {"reads": m.columns, "where": dict(m.where)} for m in measures_of(card)
            }
        return made


def results_of(*places: Path) -> tuple[list[ViewedResult], list[str]]:
    """All finished results in these folders and below, the latest first, and a note for each damaged one.

    A run that is found twice, such as in an audit and beside it, counts once.

    Raises:
        BadInput: One of the places is not a folder.
    """
    for place in places:
        if not place.is_dir():
            way_out = "name the folder of your runs, or some runs"
            raise BadInput("there is no such folder", way_out, file=str(place))
    viewed: dict[object, ViewedResult] = {}
    notes, keys = [], set[str]()
    seals = {seal: place for place in places for seal in place.glob(f"**/{SEAL}")}
    for seal in sorted(seals, key=lambda seal: (len(seal.parts), seal)):
        place = seals[seal]
        alone = len(places) == 1 and seal.parent != place
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
            result = folders.read_numbers(seal.parent)
        except BadInput as damage:
            notes.append(f"Left out: {damage}")
            continue
        run = (seal.parent.resolve().name, result.card.files.get(folders.ESTIMATES))
        viewed.setdefault(run, ViewedResult(key, seal.parent, result))
    finished = {v.key: str(v.result.card.run.get("finished", "")) for v in viewed.values()}
    return sorted(viewed.values(), key=lambda v: finished[v.key], reverse=True), notes


def numbers_of(viewed: Sequence[ViewedResult]) -> dict[str, object]:
    """The estimates of all results as rows, with measures and subsets, which repeat, in lists of their own.

    A row has the indices of its result, measure and subset; the value, interval and p as text; n; whether it
    is significant (1, 0, or null if not tested); and whether it is a main number of its result (1 or 0).
    """
    measures: dict[tuple[str, str], int] = {}
    subsets: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
    rows = []
    for place, of in enumerate(viewed):
        main, card = of.main, of.result.card
        for e in of.result.estimates:
            label = subset(e.groups, card.labels) if e.groups else ""
            if e.model not in {"", card.model_name}:
                label = f"{visible(e.model)}{': ' if label else ''}{label}"
            measure = measures.setdefault((e.name, title(e)), len(measures))
            group = subsets.setdefault((label, tuple(e.groups.items())), len(subsets))
            p, sure = final_p(e), shown_significant(e)
            rows.append([
                place, measure, group, value_with_unit(e), span(e), "" if p is None else p_text(p), e.n,
                None if sure is None else int(sure), int(any(e is m for m in main)),
            ])  # fmt: skip
    labels = [(label, dict(groups)) for label, groups in subsets]
    return {"measures": [*measures], "subsets": labels, "numbers": rows}
