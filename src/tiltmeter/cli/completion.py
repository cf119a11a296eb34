"""What the shell offers when a name is begun: studies, models, rules and the words that options take.

Names are looked up when they are asked for, so that `--help` stays quick.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer


def _begun(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in set(names) if name.startswith(incomplete))


def words(*known: str) -> Callable[[str], list[str]]:
    """For an option that takes one of a few words."""
    return lambda incomplete: _begun(known, incomplete)


def studies(incomplete: str) -> list[str]:
    """Names of installed studies, for the shell to complete."""
    from tiltmeter.core.finder import known

    return _begun(known("studies"), incomplete)


def models(incomplete: str) -> list[str]:
    """Names of the model registry, baselines, and folders and GGUF files that begin so."""
    from tiltmeter.core.model.back_ends import built_in_models
    from tiltmeter.data.downloads.weights import WEIGHTS

    stem = Path(incomplete).name if not incomplete.endswith("/") else ""
    above = incomplete.removesuffix(stem)
    try:
        names = [p for p in Path(above or ".").expanduser().iterdir() if p.name.startswith(stem)]
    except OSError:
        names = []
    files = [p for p in names if p.suffix == ".gguf" or (p.is_dir() and p.name[0] != ".")]
    return [
        *_begun((*WEIGHTS, *built_in_models()), incomplete),
        *sorted(f"{above}{p.name}{'/' if p.is_dir() else ''}" for p in files),
    ]


def studies_and_models(incomplete: str) -> list[str]:
    """Names of studies, then of models, as `ls` takes them."""
    return [*studies(incomplete), *models(incomplete)]


def profiles(incomplete: str) -> list[str]:
    """Names of built-in profiles of audits that begin so."""
    from tiltmeter.run.audits.audit_profile import profiles

    return _begun(profiles(), incomplete)


def rules(ctx: typer.Context, incomplete: str) -> list[str]:
    """Rules of the study that was named before, or of all."""
    return _begun((rule.name for study in _named(ctx) for rule in study.rules), incomplete)


def conventions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Conventions of the study that was named before, or of all."""
    return _begun((how.name for study in _named(ctx) for how in study.conventions), incomplete)


def settings(ctx: typer.Context, incomplete: str) -> list[str]:
    """Settings of the study that was named before, or of all, with what they may be."""
    each = (candidate for study in _named(ctx) for candidate in study.every_setting.values())
    return _begun((f"{s.name}={v}" for s in each for v in s.choices or ("",)), incomplete)


def data(ctx: typer.Context, incomplete: str) -> list[str]:
    """Data sets of the study that was named before, or of all, and files."""
    files = [f"{path}" for path in Path().glob(f"{incomplete}*") if path.is_file()]
    return _begun((*(name for study in _named(ctx) for name in study.data), *files), incomplete)


def published(incomplete: str) -> list[str]:
    """Names of tables that papers print, for the shell to complete."""
    from tiltmeter.data.published import known_published

    return _begun(known_published(), incomplete)


def _named(ctx: typer.Context) -> list[Any]:
    from tiltmeter.core.finder import find, known

    names = known("studies")
    wanted = ctx.params.get("study")
    return [find("studies", name, "STUDY") for name in ([wanted] if wanted in names else names)]
