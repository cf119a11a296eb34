"""What a name is that stands where a study is wanted, or a run: a model, a result, a file."""

import shlex
from difflib import get_close_matches
from pathlib import Path

from tiltmeter.core.errors import BadInput, TiltmeterError, UnknownName
from tiltmeter.core.finder import known
from tiltmeter.core.model.back_ends import built_in_models
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.data.downloads.weights import WEIGHTS
from tiltmeter.run.files.output_files import SEAL


def is_model(name: str) -> bool:
    """Whether a name is that of a registered or built-in model, has a kind before it, or is a model's folder.

    >>> [is_model(name) for name in ("bert", "fake:masked", "ideal", "starter_pairs")]
    [True, True, True, False]
    """
    kind, sign, _ = name.partition(":")
    listed = (
        name in WEIGHTS or name in built_in_models() or (bool(sign) and kind in known("models"))
    )
    return listed or (Path(name) / "config.json").is_file()


def no_study(name: str) -> TiltmeterError:
    """The error for a name that is not that of a study: it says what the name is, or resembles.

    >>> str(no_study("bert")).partition(" (")[0]
    "'bert' is a model, not a study; name the study first: tiltmeter run STUDY bert"
    >>> str(no_study("brt")).partition(" Known")[0]
    "No study named 'brt'. If you mean the model 'bert', name the study first."
    """
    path, shown = Path(name).expanduser(), shlex.quote(name)
    if is_model(name):
        listed = f"`tiltmeter ls {shown}` lists those that it can answer"
        way_out = f"name the study first: tiltmeter run STUDY {shown} ({listed})"
        return BadInput(f"{name!r} is a model, not a study", way_out)
    if (path / SEAL).is_file():
        way_out = f"`tiltmeter report {shown}` shows it"
        return BadInput("this is a result, not a study", way_out, file=name)
    if path.is_file():
        way_out = f"name the study that reads it: tiltmeter run STUDY MODEL --data {shown}"
        return BadInput("this is a file, not a study", way_out, file=name)
    near = get_close_matches(name.lower(), [*WEIGHTS, *built_in_models()], n=1)
    hint = f"If you mean the model {near[0]!r}, name the study first." if near else ""
    return UnknownName("study", name, known("studies"), hint, or_file=True)


def no_run(name: str) -> BadInput:
    """The error for what is not the folder of a finished run: it says what it is instead.

    >>> str(no_run("bert"))
    "'bert' is a model, not a finished run; run it first: tiltmeter run STUDY bert"
    """
    path, shown = Path(name).expanduser(), shlex.quote(name)
    if inner := sorted(path.glob(f"*/{SEAL}")):
        example = shlex.quote(str(inner[0].parent))
        way_out = f"name one of its {len(inner)}, such as {example}" if inner[1:] else (
            f"name the one in it: {example}"
        )  # fmt: skip
        return BadInput("this is a folder of results, not a result", way_out, file=name)
    if path.is_dir():
        reason = "this has no card.json: the run did not finish"
        return BadInput(reason, "give the folder of a finished run", file=name)
    if path.is_file():
        way_out = f"give the folder of a finished run; `tiltmeter import {shown}` evaluates scores"
        return BadInput("this is a file, not a folder", way_out, file=name)
    if is_model(name):
        way_out = f"run it first: tiltmeter run STUDY {shown}"
        return BadInput(f"{name!r} is a model, not a finished run", way_out)
    if name in known("studies"):
        way_out = f"run it first: tiltmeter run {shown} MODEL"
        return BadInput(f"{name!r} is a study, not a finished run", way_out)
    way_out = way_to_file(path, "give the folder of a finished run")
    return BadInput("there is no such folder", way_out, file=name)
