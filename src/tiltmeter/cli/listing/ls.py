"""ls: studies; with a name, what a model can answer, one study explained, or the runs of a folder."""

from pathlib import Path
from typing import Annotated

from tiltmeter.cli.arguments import Json, PrintedAs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import AllowCode


def ls(
    name: Annotated[str | None, Option(
        "A study or a Python file with one: its rules, conventions, settings and data. "
        "A model: what it can answer, with the commands. Or a folder: the finished runs in it.",
        complete="studies_and_models", argument=True)] = None,
    *,
    allow_code: AllowCode = False,
    as_json: Json = False,
    printed_as: PrintedAs = "text",
) -> None:  # fmt: skip
    """List studies, what a model can answer, or a folder's runs; or explain a study."""
    is_file = name is not None and name.endswith(".py")
    if allow_code and not is_file:  # the list itself is printed without what reads files of studies
        from tiltmeter.run.planning.study_files import refuse_allowance

        refuse_allowance(allow_code=allow_code)
    is_study = name is not None and (is_file or _is_study(name))
    if name is not None and not is_study and _has_runs(Path(name)):
        from tiltmeter.cli.listing.run_list import list_runs

        list_runs(Path(name), as_json=as_json, printed_as=printed_as)
        return
    if printed_as not in {"text", "json"}:
        raise BadInput(
            f"--format {printed_as} is for the runs of a folder",
            "name the folder: tiltmeter ls runs",
        )
    as_json = as_json or printed_as == "json"
    if name is None:
        from tiltmeter.cli.listing.study_list import show_studies

        show_studies(as_json=as_json)
    elif is_study:
        from tiltmeter.cli.listing.study_page import show_study

        show_study(name, allow_code=allow_code, as_json=as_json)
    else:
        from tiltmeter.cli.listing.model_page import show_model

        show_model(name, as_json=as_json)


def _has_runs(path: Path) -> bool:
    """Whether a name is that of a folder, and not of a folder that is a model."""
    from tiltmeter.models.opening.model_kinds import is_model

    return path.is_dir() and not is_model(path)


def _is_study(name: str) -> bool:
    """Whether a name is a study's; a folder of the same name is named with `./`, which a note says."""
    from tiltmeter.cli.console import err
    from tiltmeter.core.finder import known

    if name not in known("studies"):
        return False
    if Path(name).exists():
        err.print(f"{name} is a study, and a file or folder here: that is ./{name}")
    return True
