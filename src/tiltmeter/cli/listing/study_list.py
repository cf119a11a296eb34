"""The list of studies: a line each, by what they ask about."""

from collections.abc import Iterable, Mapping

from tiltmeter.cli.console import out, print_json
from tiltmeter.cli.listing.study_entry import FILE, GET, HERE, StudyEntry, data_state, study_entry

ASKS = 30
"""The width of the column that says what a study asks."""
DATA = f"{HERE}: on this computer · {GET}: downloaded when first used · {FILE}: yours to bring"
"""What the column on data says."""


def show_studies(*, as_json: bool) -> None:
    """Print the list of studies, or all that is known of them as JSON."""
    entries = all_entries()
    if as_json:
        print_json({"studies": [entry | {"data_state": data_state(entry)} for entry in entries]})
        return
    _print_list(entries)


def all_entries() -> list[StudyEntry]:
    """Every installed study; ours are remembered, as importing them takes a while."""
    from tiltmeter.core.finder import find, known, ours
    from tiltmeter.data.files.remembered_values import remembered

    def described(names: Iterable[str]) -> list[StudyEntry]:
        return [study_entry(find("studies", name, "STUDY")) for name in names]

    names = ours("studies")
    theirs = (name for name in known("studies") if name not in names)
    return [*remembered("studies", lambda: described(names)), *described(theirs)]


def by_group(entries: Iterable[StudyEntry]) -> dict[str, list[StudyEntry]]:
    """The entries by the heading that they stand under, in the order of groups; none without entries."""
    from tiltmeter.core.study_groups import GROUPS, UNGROUPED

    groups: dict[str, list[StudyEntry]] = {name: [] for name in (*GROUPS, UNGROUPED)}
    for entry in entries:
        groups[entry["group"] if entry["group"] in GROUPS else UNGROUPED].append(entry)
    return {name: listed for name, listed in groups.items() if listed}


def print_heading(group: str) -> None:
    """The heading of a group: its name, and what its studies ask about."""
    from rich.text import Text

    from tiltmeter.core.study_groups import GROUPS

    about = {str(name): text for name, text in GROUPS.items()}.get(group, "")
    out.print(Text.assemble((group, "bold"), (f": {about}" if about else "", "dim")))


def asked(entry: StudyEntry) -> str:
    """What a study asks, at most `ASKS` characters."""
    text = entry["asks"] or entry["title"]
    return text if len(text) <= ASKS else f"{text[: ASKS - 1]}…"


def size_words(entry: StudyEntry) -> tuple[str, str]:
    """The number of items and the time, in short; "" for what is not known."""
    from tiltmeter.data.study_sizes import brief_count, brief_time

    if entry["items"] is None or entry["seconds"] is None:
        return "", ""
    return brief_count(entry["items"]), brief_time(entry["seconds"])


def print_legend(columns: Mapping[str, str]) -> None:
    """What columns hold, by their names."""
    from rich.table import Table

    legend = Table(box=None, show_header=False, pad_edge=False)
    legend.add_column(style="bold", no_wrap=True)
    legend.add_column(style="dim")
    for name, words in columns.items():
        legend.add_row(name, words)
    out.print(legend)


def _print_list(entries: list[StudyEntry]) -> None:
    from rich.text import Text

    from tiltmeter.core.study_groups import ASKED_OF
    from tiltmeter.data.study_sizes import TIMED

    width = max(len(entry["name"]) for entry in entries)

    def line(name: str, asks: str, needs: str, items: str, time: str, data: str) -> str:
        return f"{name:<{width}} {asks:<{ASKS}} {needs:<10} {items:>5} {time:>6} {data}"

    out.print(line("", "what it asks", "needs", "items", "time", "data"), style="dim")
    for group, listed in by_group(entries).items():
        print_heading(group)
        for entry in listed:
            kinds = ", ".join(entry["needs"])
            words = line(entry["name"], asked(entry), kinds, *size_words(entry), data_state(entry))
            out.print(Text(words))
    needs = " · ".join(f"{word}: {what}" for word, what in ASKED_OF.items())
    print_legend({"needs": needs, "time": TIMED, "data": DATA})
    out.print("More of one: tiltmeter ls STUDY      Run it: tiltmeter run STUDY MODEL")
    out.print("Which suit a model: tiltmeter ls MODEL      Models: tiltmeter models list")
