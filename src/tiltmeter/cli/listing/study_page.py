"""One study explained: what it measures, how it is run, its data, and everything that can be chosen."""

from collections.abc import Iterable, Iterator
from typing import Any

from tiltmeter.cli.console import out, print_json
from tiltmeter.cli.listing.study_entry import StudyEntry, data_state, study_entry
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted
from tiltmeter.core.validity import CHECKLIST, NOT_STATED

STATES = {"given": "in your data folder", "here": "on this computer", "absent": ""}
"""What there is of a data set, in words."""
MANY = 200
"""From more items than this, a first run takes a sample."""


def show_study(name: str, *, allow_code: bool, as_json: bool) -> None:
    """Print one study, or all that is known of it as JSON.

    Raises:
        TiltmeterError: There is no such study, or its file cannot be read.
    """
    from tiltmeter.run.planning.run_plan import study_named

    study = study_named(name, allow_code=allow_code)
    entry = study_entry(study)
    if as_json:
        state = {"data_state": data_state(entry), "data_sets": _data_objects(entry)}
        print_json(entry | state)
        return
    _print_study(study, entry)


def _print_study(study: Study[Any], entry: StudyEntry) -> None:
    _headed(study.name, f"  {study.title}\n")
    out.print(study.measures_what)
    out.print(study.not_what, style="dim")
    _listed("run it", _ways(entry))
    _listed("data, by --data", _data_rows(entry))
    _listed(
        "rules, by --rule (by default the first that a model can answer)",
        ((rule.name, rule.summary) for rule in study.rules),
    )
    _listed(
        "settings, by --set NAME=VALUE",
        (
            (f"{o.name}={o.default}", o.summary + _or(o.choices))
            for o in study.every_setting.values()
        ),
    )
    _listed(
        "conventions, by --convention: as published programs compute it",
        ((how.name, how.summary) for how in study.conventions),
    )
    _listed("printed numbers of papers, by table --published", _published(entry["published"]))
    _listed(
        f"construct validity, by the checklist of {CHECKLIST}",
        [("not stated", NOT_STATED)] if study.validity is None else study.validity.rows(),
    )
    cite = "What a run used, as a paragraph and BibTeX: tiltmeter table RUN --cite"
    _listed("cite", [(study.source, cite)])


def _ways(entry: StudyEntry) -> Iterator[tuple[str, str]]:
    """The command, with what it asks of which models and how long that takes."""
    from tiltmeter.core.study_groups import ASKED_OF
    from tiltmeter.data.study_sizes import brief_time

    kinds = "; or ".join(ASKED_OF[word] for word in entry["needs"])
    about = f"MODEL is one that {kinds}." if kinds else ""
    items, requests = entry["items"], entry["requests"]
    if items is not None and requests is not None and entry["seconds"] is not None:
        time = brief_time(entry["seconds"]).replace("<", "less than ")
        time = f"{time} {entry['seconds_based_on']}"
        about += f" {counted(items, 'items')}, {counted(requests, 'requests')}, roughly {time}."
    yield entry["command"], about.strip()
    if (entry["items"] or 0) > MANY:
        yield (
            f"{entry['command']} --limit 50",
            "To try it: 50 items at random, too few to conclude from.",
        )


def _data_rows(entry: StudyEntry) -> Iterator[tuple[str, str]]:
    """Each data set with what it is and how to get it."""
    if entry["run_needs"]:
        yield (
            "yours",
            f"Has to be given: {entry['run_needs']}. Check a file: tiltmeter data check FILE",
        )
    warned = ""
    for data in _data_objects(entry):
        how = data["state"] or f"get it: {data['get']}"
        warning = data["warning"] if data["warning"] != warned else ""  # once for several languages
        warned = data["warning"]
        licence = f". Licence {data['licence']}" if data["licence"] else ""
        yield data["name"], f"{data['title']}{licence}; {how}. {warning}".strip()


def _data_objects(entry: StudyEntry) -> list[dict[str, str]]:
    from tiltmeter.data.downloads import registry

    objects = []
    for name in dict.fromkeys((*entry["data"], *(entry["read_from"] or ()))):
        if name not in registry.known_sets():
            objects.append(dict.fromkeys(("title", "licence", "homepage", "warning", "get"), ""))
            objects[-1] |= {"name": name, "title": "Part of Tiltmeter", "state": STATES["here"]}
            continue
        known = registry.find(name)
        has_address = all(file.url for file in known.files)
        get = f"tiltmeter data get {name}" if has_address else f"tiltmeter data import {name} PATH"
        objects.append({
            "name": name, "title": known.title, "licence": known.licence, "get": get,
            "homepage": known.homepage, "warning": known.warning, "citation": known.citation,
            "state": STATES[registry.status(name)],
        })  # fmt: skip
    return objects


def _published(names: Iterable[str]) -> list[tuple[str, str]]:
    """The tables of papers that have numbers of this study, each with its title."""
    from tiltmeter.data.published import published

    return [(name, f"{published(name).title}.") for name in names]


def _headed(name: str, rest: str = "") -> None:
    from rich.text import Text

    out.print(Text.assemble((name, "bold"), rest))


def _or(choices: tuple[str, ...]) -> str:
    return f" One of: {', '.join(choices)}." if choices else ""


def _listed(title: str, rows: Iterable[tuple[str, str]]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    rows = list(rows)
    if not rows:
        return
    _headed(f"\n{title}")
    for name, summary in rows:
        out.print(Padding(Text(name), (0, 0, 0, 2)))
        if summary:
            out.print(Padding(Text(summary, style="dim"), (0, 0, 0, 6)))
