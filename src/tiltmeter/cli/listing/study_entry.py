"""What lists say of a study: a plain object, which can be remembered between commands."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypedDict

from tiltmeter.data.downloads import registry

if TYPE_CHECKING:
    from tiltmeter.core.study import Study

HERE, GET, FILE = "here", "get", "file"
"""What there is of a study's data: on this computer, to be downloaded, or a file that the user brings."""


class NamedSummary(TypedDict):
    """A rule or a convention."""

    name: str
    summary: str


class StudyEntry(TypedDict):
    """Everything that `ls` prints of a study but the state of its data, as `ls --json` has it."""

    name: str
    title: str
    version: str
    group: str
    asks: str
    needs: list[str]
    measures: str
    does_not_show: str
    command: str
    run_needs: str
    items: int | None
    requests: int | None
    seconds: int | None
    seconds_based_on: str
    read_from: list[str] | None
    data: list[str]
    rules: list[NamedSummary]
    conventions: list[NamedSummary]
    settings: list[dict[str, Any]]
    published: list[str]
    validity: dict[str, str] | None
    source: str


def study_entry(study: "Study[Any]") -> StudyEntry:
    """What lists say of a study, whatever is on this computer."""
    # Imported here, since a list that is remembered needs nothing of it.
    from tiltmeter.data.published import published_for
    from tiltmeter.data.study_sizes import study_sizes
    from tiltmeter.run.planning.answerable import kinds_asked, run_command

    size = study_sizes().get(study.name) if study.file is None else None
    return {
        "name": study.name,
        "title": study.title,
        "version": study.version,
        "group": study.group or "",
        "asks": study.asks,
        "needs": [*kinds_asked(study)],
        "measures": study.measures_what,
        "does_not_show": study.not_what,
        "command": run_command(study, "MODEL"),
        "run_needs": study.run_needs,
        "items": size.items if size else None,
        "requests": size.requests if size else None,
        "seconds": round(size.seconds) if size else None,
        "seconds_based_on": size.basis if size else "",
        "read_from": [*size.data] if size else None,
        "data": [*study.data],
        "rules": [{"name": rule.name, "summary": rule.summary} for rule in study.rules],
        "conventions": [{"name": how.name, "summary": how.summary} for how in study.conventions],
        "settings": [
            {"name": o.name, "default": o.default, "choices": [*o.choices], "summary": o.summary}
            for o in study.every_setting.values()
        ],
        "published": published_for(study.name),
        "validity": None if study.validity is None else asdict(study.validity),
        "source": study.source,
    }


def data_state(entry: StudyEntry) -> str:
    """Whether the data of a usual run are on this computer, can be downloaded, or are the user's to bring."""
    if entry["run_needs"]:
        return FILE
    usual, read = entry["data"][:1], entry["read_from"]
    sets = usual if read is None else read
    # The study reads its usual set where that is there or can be fetched, and what was counted else.
    choices = [sets, usual] if usual and not {*usual} & {*sets} else [sets]
    if any(map(_are_here, choices)):
        return HERE
    return GET if any(map(_can_be_fetched, choices)) else FILE


def _are_here(sets: list[str]) -> bool:
    return all(registry.status(name) != "absent" for name in sets)


def _can_be_fetched(sets: list[str]) -> bool:
    return all(file.url for name in sets for file in registry.find(name).files)
