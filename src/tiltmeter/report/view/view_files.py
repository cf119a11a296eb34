"""The page about all results of a folder, and its data: written at once, or file by file for a server."""

import json
import math
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import escape

from tiltmeter.core.errors import BadInput, TiltmeterError, Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.derived.audits.model_audit import AUDIT
from tiltmeter.derived.comparisons.compare import ALL_PAIRS_UP_TO
from tiltmeter.derived.comparisons.model_ranks import comparable, rank_models
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.auditing import compared_audits
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.fragment import piece
from tiltmeter.report.html import TEMPLATES, environment
from tiltmeter.report.text import span, title, value_with_unit
from tiltmeter.report.view.item_files import item_files
from tiltmeter.report.view.viewed_results import ViewedResult, model_labels, numbers_of, results_of
from tiltmeter.run.files.folder import read, read_records
from tiltmeter.run.files.output_files import PAGE, check_new_folder, write_text
from tiltmeter.run.planning.study_files import study_if_known

HOME, SCRIPT, DATA = "index.html", "view.js", "data"
PARTS_UP_TO = 200
"""Up to this many results, the page has every number, item and comparison; beyond it only the main numbers,
unless everything is requested."""


@dataclass(frozen=True)
class ViewFiles:
    """The files that the page about a folder loads, each made when it is requested."""

    places: Sequence[Path]
    """The folders that hold the results, whose names the page shows."""
    compare: Callable[[Mapping[str, Result]], Result]
    """Compares two runs, given by the names of their folders."""
    show_text: bool = True
    """Whether the files contain texts of items."""
    to: Path | None = None
    """The folder of the page, if the page may link to the results' own pages; otherwise None."""
    served: bool = False
    """Whether files are made when a browser asks for them: then there may be one for each pair of results and
    for each part of very many."""
    everything: bool = False
    """Whether every number and every part is written, however many results there are."""

    @cached_property
    def found(self) -> tuple[Sequence[ViewedResult], Sequence[str]]:
        """The results, the latest first, and notes on those that were left out."""
        return results_of(*self.places, few=math.inf if self.everything else PARTS_UP_TO)

    @cached_property
    def is_slim(self) -> bool:
        """Whether there are so many results that the page begins with their main numbers only."""
        return not self.everything and len(self.found[0]) > PARTS_UP_TO

    @cached_property
    def names(self) -> dict[str, None]:
        """The names of the data files, in order and without those of texts."""
        if self.is_slim and not self.served:
            return {"index": None}
        of_each = [f"{kind}-{v.key}" for v in self.found[0] for kind in ("result", "items")]
        pairs = [f"pair-{pair}" for pair in self._pairs]
        boards = [f"board-{number}" for number in range(len(self._families))]
        return dict.fromkeys(["index", "leaderboard", "changes", *boards, *of_each, *pairs])

    def write(self, to: Path, name: str) -> None:
        """Write a data file, and those of texts that it refers to, into the folder of the page."""
        for each, text in self.data(name).items():
            # JSON in a string: browsers read it faster than a literal, and "__proto__" is a name in it
            script = f"tiltmeter.take({json.dumps(each)},{json.dumps(text)});\n"
            (to / DATA / f"{each}.js").write_text(script, encoding="ascii")

    def data(self, name: str) -> dict[str, str]:
        """The JSON of a data file and of those of texts that it refers to, by name."""
        return {
            each: json.dumps(content, allow_nan=False, separators=(",", ":"))
            for each, content in self._made(name).items()
        }

    def page(self, *, served: bool = False) -> str:
        """The HTML of the page; if `served`, it loads data as JSON, which a page opened from disk cannot."""
        template = environment().get_template("view.html")
        return template.render(
            folder=", ".join(place.resolve().name for place in self.places), served=served
        )

    def write_page(self, to: Path, names: Iterable[str] = ()) -> Path:
        """Write the page with these data files, replacing what an earlier call wrote there.

        Raises:
            BadInput: The folder has files that are not those of an earlier page.
        """
        home, script = to / HOME, to / SCRIPT
        if not (script.is_file() and b"const tiltmeter" in script.read_bytes()):
            check_new_folder(to)
        home.unlink(missing_ok=True)  # until everything is written, there is no page to open
        shutil.rmtree(to / DATA, ignore_errors=True)
        (to / DATA).mkdir(parents=True)
        write_text(script, (TEMPLATES / SCRIPT).read_text("utf-8"), same_kind=False)
        for name in names:
            self.write(to, name)
        write_text(home, self.page())
        return home

    @cached_property
    def _families(self) -> list[list[ViewedResult]]:
        """The results in groups that can be ranked and compared with each other."""
        viewed = self.found[0]
        return [[viewed[i] for i in places] for places in comparable([v.result for v in viewed])]

    @cached_property
    def _pairs(self) -> dict[str, tuple[ViewedResult, ViewedResult]]:
        few = [f for f in self._families if self.served or len(f) <= ALL_PAIRS_UP_TO]
        return {f"{a.key}~{b.key}": (a, b) for family in few for a, b in combinations(family, 2)}

    def _made(self, name: str) -> dict[str, Any]:
        kind, _, key = name.partition("-")
        if kind == "pair":
            return {name: self._pair(*self._pairs[key])}
        if not key:
            whole = {"index": self._index, "leaderboard": self._boards, "changes": self._changes}
            return {name: whole[kind]()}
        if kind == "board":
            return {name: self._measures(self._families[int(key)])}
        of = next(v for v in self.found[0] if v.key == key)
        if kind == "items":
            records = read_records(of.folder, of.result.card)
            files = item_files(name, records, show_text=self.show_text)
            return files | {name: files[name] | of.how_items_are_read}
        try:
            document = run_document(
                read(of.folder), study_if_known(of.result.card), show_text=self.show_text
            )
        except BadInput as damage:  # of a run that it compares, which is read when it is needed
            return {name: f"<p>Not shown: {escape(visible(str(damage)))}</p>"}
        return {name: piece(document, f"v-{key}")}

    def _index(self) -> dict[str, Any]:
        viewed, notes = self.found
        labels = model_labels(viewed)
        results = [v.facts | {"model": visible(m)} for v, m in zip(viewed, labels, strict=True)]
        for v, facts in zip(viewed, results, strict=True) if self.to else ():
            if (v.folder / PAGE).is_file():
                facts["page"] = quote(Path(os.path.relpath(v.folder / PAGE, self.to)).as_posix())
        return {
            "results": results, **numbers_of(viewed, main_only=self.is_slim), "texts": self.show_text,
            "pairs": [*self._pairs] if "changes" in self.names else [], "notes": [*map(visible, notes)],
            "parts": "changes" in self.names, "slim": self.is_slim,
        }  # fmt: skip

    def _pair(self, a: ViewedResult, b: ViewedResult) -> str:
        try:
            made = self.compare({v.key: read(v.folder) for v in (a, b)})
        except TiltmeterError as error:
            return f"<p>Not compared: {escape(visible(str(error)))}</p>"
        document = run_document(made, show_text=False)
        compared = [s for s in document.sections if s.id.startswith("compar")]
        return piece(replace(document, sections=compared, warning=""), f"{a.key}-{b.key}")

    def _boards(self) -> list[dict[str, Any]]:
        """The leaderboards, one for each study on one data set; ranks are in files of their own."""
        at = {v.key: place for place, v in enumerate(self.found[0])}
        boards = []
        for family in self._families:
            study = study_if_known(family[0].result.card)
            boards.append({
                "results": [at[v.key] for v in family], "limits": study.not_what if study else "",
            })  # fmt: skip
        return boards

    def _measures(self, family: Sequence[ViewedResult]) -> list[dict[str, Any]]:
        """Of one leaderboard, its measures with ranges of ranks."""
        results = [read(v.folder) for v in family] if len(family) > 1 else []
        return [_ranked(e, results) for e in family[0].main if results]

    def _changes(self) -> list[dict[str, str]]:
        """The changes of each audit since the previous one of its profile, preferably of the same model."""
        audits = [v for v in self.found[0] if v.result.card.study == AUDIT]
        changes = []
        for place, v in enumerate(audits):
            profile = v.result.card.settings.get("profile")
            before = [
                o for o in audits[place + 1 :] if o.result.card.settings.get("profile") == profile
            ]
            before.sort(key=lambda o, v=v: o.result.card.model_name != v.result.card.model_name)  # type: ignore[misc]
            for earlier in before[:1]:
                audit = audit_result(compared_audits(v.folder, earlier.folder))
                document = run_document(replace(audit, runs={}), show_text=self.show_text)
                compared = [s for s in document.sections if s.title.startswith("Compared with")]
                html = piece(replace(document, sections=compared), f"change-{v.key}")
                changes.append({"earlier": earlier.key, "later": v.key, "html": html})
        return changes


def _ranked(head: Estimate, results: Sequence[Result]) -> dict[str, Any]:
    """One measure of a leaderboard, with ranges of ranks or the reason why there are none."""
    numbers = [
        next((e for e in result.estimates if e.name == head.name and not e.groups), None)
        for result in results
    ]
    made: dict[str, Any] = {"name": head.name, "title": title(head)}
    known = [i for i, e in enumerate(numbers) if e is not None and e.value is not None]
    try:
        ranked = rank_models([results[i] for i in known], head)
    except (Undefined, BadInput) as why:
        return made | {"why": visible(str(why))}
    apart = ranked.differences.items()
    return made | {
        "first": ranked.first, "n": ranked.n, "draws": ranked.draws,
        "ranks": dict(zip(known, ranked.ranks, strict=True)),
        "apart": [(known[i], known[j], value_with_unit(e), span(e)) for (i, j), e in apart],
    }  # fmt: skip
