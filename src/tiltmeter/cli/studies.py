"""ls: list studies, explain one, or list the runs of a folder."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.cli.arguments import Json, PrintedAs
from tiltmeter.cli.console import out, print_json
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option
from tiltmeter.core.validity import CHECKLIST, NOT_STATED
from tiltmeter.run.run_options import AllowCode


def list_studies(
    study: Annotated[str | None, Option(
        "One study, with its settings, rules and conventions explained; a Python file; or a folder, whose "
        "finished runs are listed.",
        complete="studies", argument=True)] = None,
    *,
    allow_code: AllowCode = False,
    as_json: Json = False,
    printed_as: PrintedAs = "text",
) -> None:  # fmt: skip
    """List studies, explain one, or list the finished runs of a folder."""
    from rich.padding import Padding
    from rich.text import Text

    if study is not None and Path(study).is_dir():
        from tiltmeter.cli.results import list_runs
        from tiltmeter.run.planning.study_files import refuse_allowance

        refuse_allowance(allow_code=allow_code)
        list_runs(Path(study), as_json=as_json, printed_as=printed_as)
        return
    if printed_as not in {"text", "json"}:
        raise BadInput(
            f"--format {printed_as} is for the runs of a folder",
            "name the folder: tiltmeter ls runs",
        )
    as_json = as_json or printed_as == "json"
    if study is not None:
        from tiltmeter.run.planning.run_plan import study_named

        chosen_study = study_named(study, allow_code=allow_code)
        if as_json:
            print_json(_as_object(chosen_study))
        else:
            _explained(chosen_study)
        return
    if allow_code:  # the list itself is printed without what reads files of studies
        from tiltmeter.run.planning.study_files import refuse_allowance

        refuse_allowance(allow_code=allow_code)
    studies = _all_studies()
    if as_json:
        print_json({"studies": studies})
        return
    for s in studies:
        _headed(s["name"], f"  {s['title']}")
        if s["data"]:
            out.print(Padding(Text.assemble(("data ", "dim"), ", ".join(s["data"])), (0, 0, 0, 2)))
    for names in ("rules", "conventions"):
        _grouped(names, {s["name"]: tuple(s[names]) for s in studies})
    out.print("\nRun one:      tiltmeter run STUDY MODEL   (models: `tiltmeter models list`)")
    out.print("Explain one:  tiltmeter ls STUDY")


def _all_studies() -> list[dict[str, Any]]:
    """All studies as `_as_object` describes them; ours are remembered, as importing them takes a while."""
    from tiltmeter.core.finder import find, known, ours
    from tiltmeter.data.files.remembered_values import remembered

    def described(names: Iterable[str]) -> list[dict[str, Any]]:
        return [_as_object(find("studies", name, "STUDY")) for name in names]

    names = ours("studies")
    theirs = (name for name in known("studies") if name not in names)
    return [*remembered("studies", lambda: described(names)), *described(theirs)]


def _as_object(s: Any) -> dict[str, Any]:
    return {
        "name": s.name, "title": s.title, "version": s.version, "source": s.source,
        "rules": [r.name for r in s.rules],
        "conventions": [c.name for c in s.conventions],
        "settings": [
            {"name": o.name, "default": o.default, "choices": list(o.choices), "summary": o.summary}
            for o in s.every_setting.values()
        ],
        "data": list(s.data),
        "published": [name for name, _ in _published(s.name)],
        "validity": None if s.validity is None else asdict(s.validity),
    }  # fmt: skip


def _explained(s: Any) -> None:
    """What the number means, and everything that may be chosen."""
    _headed(s.name, f"  {s.title}\n")
    out.print(s.measures_what)
    out.print(s.not_what, style="dim")
    _listed("rules, by --rule", ((r.name, r.summary) for r in s.rules))
    _listed("conventions, by --convention", ((c.name, c.summary) for c in s.conventions))
    _listed(
        "settings, by --set NAME=VALUE",
        (
            (f"{o.name}={o.default}", o.summary + _or(o.choices))
            for o in s.every_setting.values()
        ),
    )  # fmt: skip
    _listed("data, by --data", ((name, "") for name in s.data))
    _listed("printed numbers of papers, by table --published", _published(s.name))
    _listed(
        f"construct validity, by the checklist of {CHECKLIST}",
        [("not stated", NOT_STATED)] if s.validity is None else s.validity.rows(),
    )
    out.print(f"\n{s.source}", style="dim")


def _published(study: str) -> list[tuple[str, str]]:
    """The tables of papers that have numbers of this study, each with its title."""
    from tiltmeter.data.published import published, published_for

    return [(name, f"{published(name).title}.") for name in published_for(study)]


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


def _grouped(title: str, names: Mapping[str, tuple[str, ...]]) -> None:
    """What several studies share is printed once."""
    from rich.padding import Padding

    for some in dict.fromkeys(names.values()):
        whose = [study for study, listed in names.items() if listed == some]
        of = "all studies" if len(whose) == len(names) else ", ".join(whose)
        _headed(f"\n{title}", f" of {of}")
        out.print(Padding(", ".join(some), (0, 0, 0, 2)))
