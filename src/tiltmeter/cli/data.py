"""data list | get | import, check FILE, models list | get: what is here, or available by name."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_path, print_table
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.cli.terminal_monitor import monitor
from tiltmeter.core.model.back_ends import built_in_models
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import AllowCode, RunOptions

Name = Annotated[str, Option("A data set: see `tiltmeter data list`.", argument=True)]


def list_sets(*, as_json: Json = False) -> None:
    """List the known data sets and whether they are on this computer."""
    from tiltmeter.data.downloads import registry

    if as_json:
        sets = registry.known_sets()
        print_json({"data": [asdict(s) | {"status": registry.status(n)} for n, s in sets.items()]})
        return
    rows = ((n, registry.status(n), s.licence, s.title) for n, s in registry.known_sets().items())
    print_table(("name", "status", "licence", "what"), rows, {"name"})


def get(name: Name) -> None:
    """Download a data set into the cache and verify its checksum."""
    from tiltmeter.data.downloads import registry

    with monitor.download(name) as progress:
        located = registry.locate(name, progress=progress)
    err.print(f"{located.set.title}: {located.set.licence}")
    if located.set.warning:
        err.print(located.set.warning)
    for path in located.files.values():
        print_path(path)


def import_set(
    name: Name, path: Annotated[Path, Option("A file, folder, .zip or .tar.gz.", argument=True)]
) -> None:
    """Import a data set from a file you have, if its checksum is right."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.text import listed
    from tiltmeter.data.downloads import places, registry

    registry.import_file(name, path)
    if missing := registry.missing_files(name):
        files = len(registry.find(name).files)
        held = f"{places.cache()} has {files - len(missing)} of the {files} files of {name}"
        raise BadInput(
            f"{held}; missing: {listed([file.name for file in missing])}",
            f"import what has them as well: tiltmeter data import {name} PATH",
        )
    err.print(f"{name} is in {places.cache()}")


def check_file(
    file: Annotated[str, Option(
        "A file of pairs, triples, association tests (JSON) or word lists (TOML).", argument=True)],
    *,
    study: Annotated[str | None, Option(
        "The study that reads the file, or a Python file with --allow-code (default: the one that "
        "knows its layout).")] = None,
    allow_code: AllowCode = False,
    reading: Annotated[RunOptions, only("columns", "encoding", "missing")],
    skip_invalid: Annotated[bool, Option("Leave out invalid items; exit with 0.")] = False,
) -> None:  # fmt: skip
    """Check a file of items without loading a model: every bad row with its reason."""
    from tiltmeter.report.documents.file_check import file_check_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.planning.data_source import load_source
    from tiltmeter.run.planning.run_plan import study_named
    from tiltmeter.run.planning.study_files import refuse_allowance

    if study is None:
        refuse_allowance(allow_code=allow_code)
    reader = study_named(study, allow_code=allow_code) if study is not None else None
    data = load_source(
        file,
        study=reader,
        columns=reading.columns,
        skip_invalid=skip_invalid,
        encoding=reading.encoding,
        missing=reading.missing,
    )
    for line in (*data.invalid, *data.notes):
        err.print(str(line))
    print_document(file_check_document(file, data), out)


BUILT_IN = "built in"
"""The status of models that are part of the program."""


def list_models(*, as_json: Json = False) -> None:
    """List the models available by a short name. Folders and hub ids need none."""
    from tiltmeter.data.downloads import weights

    built_in = [(name, kind, what) for name, (kind, what) in built_in_models().items()]
    if as_json:
        listed = [asdict(w) | {"status": weights.status(n)} for n, w in weights.WEIGHTS.items()]
        listed += [
            {"name": name, "scheme": kind, "title": what, "status": BUILT_IN}
            for name, kind, what in built_in
        ]
        forms = [{"reference": form, "title": what} for form, what in _forms().items()]
        print_json({"models": listed, "forms": forms})
        return
    rows: list[tuple[str, ...]] = [
        (n, w.scheme, weights.status(n), w.licence, w.title) for n, w in weights.WEIGHTS.items()
    ]
    rows += [(name, kind, BUILT_IN, "", what) for name, kind, what in built_in]
    titles = ("name", "kind", "status", "licence", "what")
    print_table(titles, rows, {*titles} - {"what"})
    out.print()
    print_table(("any other model", "what"), _forms().items(), {"any other model"})
    out.print("\nWhat one of them can answer: tiltmeter ls MODEL")


def _forms() -> dict[str, str]:
    """How models are written that have no short name, and what they are."""
    from tiltmeter.core.model.back_ends import model_forms
    from tiltmeter.run.measuring import ensemble

    plain = {
        "FOLDER": "a model in the format of Hugging Face, or a file that ends with .gguf",
        "OWNER/NAME": "a model on the Hugging Face hub",
        "KIND:NAME": "the same, read as this kind: masked:NAME, causal:NAME, …",
    }
    return {**plain, **model_forms(), ensemble.FORM: ensemble.WHAT}


def get_model(
    name: Annotated[str, Option("A name from `tiltmeter models list`.", argument=True)],
) -> None:
    """Download a model into the cache and verify it."""
    from tiltmeter.data.downloads import weights

    with monitor.download(name) as progress:
        path = weights.get(name, progress=progress)
    known = weights.find(name)
    err.print(f"{known.title}: {known.licence}. {known.note}")
    print_path(path)
