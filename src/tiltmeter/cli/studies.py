"""ls: which studies there are."""

from collections.abc import Mapping
from typing import Any

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import out


def list_studies(*, as_json: Json = False) -> None:
    """List studies with their rules, conventions and data."""
    from rich.padding import Padding

    from tiltmeter.cli.publish import print_json
    from tiltmeter.core.finder import find, known

    studies: list[Any] = [find("studies", name, "STUDY") for name in known("studies")]
    if as_json:
        print_json({"studies": [
            {
                "name": s.name, "title": s.title, "version": s.version, "source": s.source,
                "rules": [r.name for r in s.rules],
                "conventions": [c.name for c in s.conventions], "data": list(s.data),
            } for s in studies
        ]})  # fmt: skip
        return
    for s in studies:
        out.print(f"[bold]{s.name}[/]  {s.title}")
        if s.data:
            out.print(Padding(f"[dim]data[/] {', '.join(s.data)}", (0, 0, 0, 2)))
    _grouped("rules", {s.name: tuple(r.name for r in s.rules) for s in studies})
    _grouped("conventions", {s.name: tuple(c.name for c in s.conventions) for s in studies})
    out.print("\nRun one:  tiltmeter run STUDY MODEL   (models: `tiltmeter models list`)")


def _grouped(title: str, names: Mapping[str, tuple[str, ...]]) -> None:
    """What several studies share is printed once."""
    from rich.padding import Padding

    for some in dict.fromkeys(names.values()):
        whose = [study for study, own in names.items() if own == some]
        of = "all studies" if len(whose) == len(names) else ", ".join(whose)
        out.print(f"\n[bold]{title}[/] of {of}")
        out.print(Padding(", ".join(some), (0, 0, 0, 2)))
