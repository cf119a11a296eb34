"""What each study prints and writes of its sample, kept in tests/goldens/studies: one text a study.

The text has what `tiltmeter ls` says of the study, a run of every rule on the first made-up model that can
answer it, a run of every convention and of every choice of a setting, and a file of stored answers where the
study reads some. The first run is whole; of the others stands how their text differs from it. In `tests`,

    python -m goldens.of_studies [NAME…]
    python -m goldens.of_studies --write [NAME…]

shows what differs from the files, or writes them anew.
"""

import csv
import difflib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

from goldens import stored_answers
from goldens.outputs import (
    KEPT,
    call,
    cleaner,
    csv_text,
    difference,
    json_text,
    page_text,
    shortened,
    steady,
    surroundings,
)
from support.page_properties import page_faults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.finder import find, known
from tiltmeter.core.study import Study
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve

GOLDENS = Path(__file__).parent / "studies"
FAKES = [f"fake:{kind}" for kind in ("masked", "causal", *sorted(fake.KINDS)) if kind]
SCORED, FEW = 3, 6
"""Records that are kept, and rows of tables of a run that is not the first; sums stand for the rest."""

SHIPPED = {
    "counterfactual": "swap_templates", "decisions": "hiring_audit", "first_person": "first_person",
    "gest": "gest", "group_traits": "abc", "inferences": "inferences", "prompts": "starter_prompts",
    "seat": "starter_sentences", "sensible_pairs": "sensible_pairs", "sos": "sos", "sos_static": "sos",
    "starter_pairs": "starter_pairs", "story_choice": "leakage_en", "weat": "starter_words",
    "word_association": "word_association",
}  # fmt: skip
"""Data that come with Tiltmeter, by study."""
DRAWN = 40
"""Items of these."""


def able(*needs: type) -> str | None:
    """The first made-up model that can answer all questions of these kinds; None where there is none."""
    return next((m for m in FAKES if {*needs} <= {*resolve(m, Options()).answers}), None)


def commands(study: Study[Any]) -> Iterator[Sequence[str]]:
    """The runs whose output is kept, the usual one first."""
    needs = {rule.name: rule.needs for rule in study.rules}
    ways = [((name,), "paper", {}) for name in needs]
    ways += [(names, "paper", {}) for names in study.together]
    ways += [((how.rules or [*needs])[:1], how.name, how.needs) for how in study.conventions[1:]]
    for rules, convention, special in ways:
        model = able(*(special.get(name, needs[name]) for name in rules))
        if model is not None:
            words = ("--rule", "+".join(rules), "--convention", convention)
            yield ("run", study.name, model, *words)
    model = str(able(study.rules[0].needs))
    if study.name in SHIPPED:
        yield ("run", study.name, model, "--data", SHIPPED[study.name], "--limit", str(DRAWN))
    for setting in study.settings:
        for choice in setting.choices:
            if choice != setting.default:
                yield ("run", study.name, model, "--set", f"{setting.name}={choice}")


def text_of(name: str, workspace: Path) -> str:
    """What the study prints and writes."""
    study: Study[Any] = find("studies", name, "STUDY")
    made = replace(study, load=partial(_sample_or_file, study))
    modules = [m for m in [*sys.modules.values()] if vars(m).get("STUDY") is study]
    parts = []
    with surroundings(workspace, name):
        parts.append(cleaner(workspace)(_printed("ls", name)))
        with ExitStack() as patched:
            for module in modules:
                patched.enter_context(mock.patch.object(module, "STUDY", made))
            usual, *others = commands(study)
            parts.append(_run(usual, workspace))
            short = _run(usual, workspace, short=True)
            others += stored_answers.commands(name)
            texts = {tuple(words): _run(words, workspace, short=True) for words in others}
    parts += [
        f"$ tiltmeter {' '.join(words)}\n{_changes(short, text)}" for words, text in texts.items()
    ]
    return "\n".join(parts)


def _sample_or_file(study: Study[Any], source: object = None, **reading: Any) -> Dataset[Any]:
    """What a study loads: its sample, unless a file is named."""
    if source in {None, stored_answers.SAMPLE}:
        return study.sample()
    return study.load(source, **reading)


def _printed(*words: str) -> str:
    code, printed, errors = call(words)
    command = f"$ tiltmeter {' '.join(words)}\nexit code {code}"
    return f"{command}\n{printed}-- standard error --\n{errors}"


def _run(words: Sequence[str], workspace: Path, *, short: bool = False) -> str:
    """What a command prints, and what its folder holds; in short without most rows of tables."""
    kept = FEW if short else KEPT
    clean = cleaner(workspace)
    shutil.rmtree("out", ignore_errors=True)
    parts = [_printed(*words, "--out", "out")]
    for path in sorted(Path("out").glob("*/*")):
        match path.suffix:
            case ".csv":
                text = csv_text([*csv.reader(io.StringIO(path.read_text("utf-8")))], kept)
            case ".json" if path.name == "estimates.json":
                text = csv_text(rows(json.loads(path.read_text("utf-8"))), kept)
            case ".json":
                text = json_text(shortened(steady(json.loads(path.read_text("utf-8"))))) + "\n"
            case ".html":
                page = path.read_text("utf-8")
                model = json.loads(path.with_name("card.json").read_text("utf-8"))["model"]
                assert not (faults := page_faults(page, model["name"])), faults
                text = page_text(page)
                if short:
                    text = "".join(
                        line for line in text.splitlines(keepends=True) if " | " not in line
                    )
            case ".parquet":
                text = csv_text(rows(pl.read_parquet(path).to_dicts()), SCORED)
            case _:
                text = ""
        parts.append(f"-- {path.name} --\n{text}")
    return clean("".join(parts))


def rows(objects: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A table of objects that have the same keys; what is within them follows behind a dot."""
    flat = [dict(_flat(one)) for one in objects]
    names = list(dict.fromkeys(name for one in flat for name in one))
    names = [name for name in names if any(one.get(name) not in (None, "") for one in flat)]
    return [names, *([_cell(one.get(name)) for name in names] for one in flat)]


def _flat(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _flat(inner, f"{before}{name}.")
        else:
            yield before + name, inner


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)


def _changes(before: str, after: str) -> str:
    """The lines that one text has and the other has not."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return "".join(f"{line}\n" for line in lines if not line.startswith(("@@", "---", "+++")))


def main(words: Sequence[str]) -> None:
    """As the module says."""
    names = [word for word in words if not word.startswith("--")] or known("studies")
    with tempfile.TemporaryDirectory() as workspace:
        for name in names:
            text, golden = text_of(name, Path(workspace).resolve()), GOLDENS / f"{name}.txt"
            before = golden.read_text("utf-8") if golden.exists() else ""
            if changes := difference(name, before, text):
                print(changes)
            if "--write" in words:
                golden.parent.mkdir(parents=True, exist_ok=True)
                golden.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
