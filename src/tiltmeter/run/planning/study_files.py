"""Studies from Python files, read only if running their code is allowed; and the study that made a result.

The finder knows the study of a file for the rest of the process, like that of a plug-in.
"""

import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from tiltmeter.core import finder
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.results import Card
from tiltmeter.core.study import Study, StudyFile
from tiltmeter.run.files.repeatable_command import local_name
from tiltmeter.run.planning.study_checks import study_problems
from tiltmeter.run.planning.study_code import FIX, MODULE, code_failure
from tiltmeter.study_families.logged_tasks import PREFIX, logged_study, scales

ENDING = ".py"
GUIDE = "docs/extend/add-a-study.md has an example"


def read_study(file: str | Path, *, allow_code: bool) -> Study[Any]:
    """The study that a Python file defines as `STUDY`; reading it runs the file.

    Raises:
        BadInput: Code is not allowed, there is no such file, its code fails, it defines no study, or its
            study has the name of an installed one.
        BadItems: The study has a misspelt name, or a function that cannot be called; see `study_problems`.
    """
    path = Path(file).expanduser()
    if path.suffix != ENDING or not path.is_file():
        raise BadInput(
            "no such Python file", "give the path of a file that ends with .py", file=str(file)
        )
    if not allow_code:
        raise BadInput(
            "a study in a Python file can only be read by running the file's code, with your rights",
            "add --allow-code if you trust the file",
            file=str(file),
        )
    content = path.read_bytes()
    module = ModuleType(f"{MODULE}{sha256(content).hexdigest()[:8]}")
    module.__file__ = str(path.resolve())
    study = _run(content, module, file)
    if study.name in finder.known("studies") and not finder.is_added("studies", study.name):
        raise BadInput(
            f"its study is called {study.name!r}, as an installed study is",
            "give it another name",
            file=str(file),
        )
    _check(study, file)
    shown = local_name(str(path)) if path.is_absolute() else str(file)
    study_with_file: Study[Any] = replace(study, file=StudyFile(shown, sha256(content).hexdigest()))
    module.__dict__["STUDY"] = study_with_file
    finder.add("studies", study_with_file.name, module)
    return study_with_file


def read_if_named(file: str | Path | None, *, allow_code: bool) -> Study[Any] | None:
    """The study of a Python file, or None if no file is named.

    Raises:
        BadInput: See `read_study`; or code is allowed, but no file is named.
    """
    if file is not None:
        return read_study(file, allow_code=allow_code)
    refuse_allowance(allow_code=allow_code)
    return None


def refuse_allowance(*, allow_code: bool) -> None:
    """Refuse `--allow-code` if there is no code to run."""
    if allow_code:
        reason = "--allow-code has no effect: no Python file of a study is named"
        raise BadInput(reason, "leave it out, or name the file")


def _run(content: bytes, module: ModuleType, file: str | Path) -> Study[Any]:
    sys.modules[module.__name__] = module  # `dataclass` looks up the module of its class there
    try:
        code = compile(content, str(module.__file__), "exec")
        exec(code, module.__dict__)  # noqa: S102 (the user allowed this file's code)
    except (Exception, SystemExit) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise code_failure(error) or BadInput(
            f"its code fails: {type(error).__name__}: {error}", FIX, file=str(file), line=line
        ) from error
    study = module.__dict__.get("STUDY")
    if not isinstance(study, Study):
        fault = "defines no STUDY" if study is None else "has a STUDY that is not a Study"
        raise BadInput(f"it {fault}", GUIDE, file=str(file))
    if not isinstance(study.name, str) or not study.name:
        raise BadInput("its study has no name", "set Study(name=…)", file=str(file))
    return study


def _check(study: Study[Any], file: str | Path) -> None:
    try:
        problems = [replace(problem, file=str(file)) for problem in study_problems(study)]
    except Exception as error:
        reason = f"its study is not made as a study is: {type(error).__name__}: {error}"
        raise code_failure(error) or BadInput(reason, GUIDE, file=str(file)) from error
    if problems:
        raise BadItems(problems)


def study_of(card: Card) -> Study[Any]:
    """The study that made a result, needed to compute anything from single items.

    Raises:
        BadInput: The study is not installed, or was read from a file that is not given or has changed.
    """
    if card.study.startswith(PREFIX):
        return logged_study(card.study, scales(card.measures))
    try:
        study: Study[Any] | None = finder.find("studies", card.study, "STUDY")
    except UnknownName:
        study = None
    here = study.file if study else None
    recorded = card.study_file
    there = StudyFile(recorded["path"], recorded["sha256"]) if recorded else None
    if study is not None and _checksum(here) == _checksum(there):
        return study
    if there is not None and here is None:
        raise BadInput(
            f"the study {card.study!r} was read from the file {there.path}, and its metrics are needed to "
            "compute from single items",
            f"add --study {there.path} --allow-code, which runs the file's code",
        )
    if here is None and card.title:
        raise BadInput(
            f"{card.study} is an analysis, and the study of a run is needed to compute from single items",
            "give runs of a study, such as those that it was made of",
        )
    if here is None:
        raise BadInput(
            f"the study {card.study!r} is not installed, and its metrics are needed to compute from "
            "single items",
            "install the package that provides it; the result's own table and page can be read without it",
        )
    made_by = "an installed study" if there is None else "the file with another content"
    raise BadInput(
        f"a run of {card.study!r} was made by {made_by}",
        "give the file as it was, or run the study again",
        file=here.path,
    )


def _checksum(file: StudyFile | None) -> str:
    return file.sha256 if file else ""


def study_if_known(card: Card) -> Study[Any] | None:
    """The study that made a result; None where `study_of` fails, for pages that can do without it."""
    try:
        return study_of(card)
    except BadInput:
        return None
