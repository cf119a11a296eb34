"""What a model can answer, with the command for each study, and what it cannot and why."""

import difflib
import re
import shlex
from pathlib import Path
from typing import Any

from tiltmeter.cli.console import out, print_json
from tiltmeter.cli.listing.study_entry import data_state, study_entry
from tiltmeter.core.errors import BadInput, Unavailable, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.back_ends import built_in_models
from tiltmeter.data.downloads import weights
from tiltmeter.run.planning.answerable import Answerable, ModelAnswers, answers_of_model

NEAR = 0.8
"""How alike a plain name is to a known one that it is taken for a slip and not looked up on the hub."""


def show_model(name: str, *, as_json: bool) -> None:
    """Print what a model can answer.

    Raises:
        UnknownName: It is neither a study nor a model.
        TiltmeterError: Its kind cannot be found out.
    """
    answers = _answers(name)
    if as_json:
        print_json(_as_object(answers))
    else:
        _print_answers(answers)


def _answers(name: str) -> ModelAnswers:
    studies = [find("studies", study, "STUDY") for study in known("studies")]
    models = {*weights.WEIGHTS, *built_in_models()}
    names = [*known("studies"), *models]
    # A plain name may be that of a model on the hub, which is asked unless it looks like a slip.
    is_plain = re.fullmatch(r"[\w.-]+", name) and name not in models and not Path(name).exists()
    if is_plain and difflib.get_close_matches(name.lower(), names, 1, NEAR):
        raise UnknownName("study or model", name, names)
    try:
        return answers_of_model(name, studies)
    except Unavailable as error:
        if not is_plain:
            raise
        reason, _, _ = str(error).partition("; ")  # without its way out
        near = difflib.get_close_matches(name.lower(), names, n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise BadInput(
            f"no study and no known model is called {name!r}, and {reason}",
            f"{hint}`tiltmeter ls` and `tiltmeter models list` list the names",
        ) from error


def _about(answers: ModelAnswers) -> list[str]:
    """What is known of the model, a sentence each."""
    lines = []
    for where in answers.members:
        checkpoint = where.traits.checkpoint
        entry = weights.WEIGHTS.get(where.reference.rpartition(":")[2])
        built_in = built_in_models().get(where.reference, ("", ""))[1]
        what = entry.title if entry else built_in or (checkpoint.words if checkpoint else "")
        lines.append(f"{where.reference}: {what or 'a model'} (kind {where.scheme})")
        if entry and weights.status(entry.name) == "absent":
            lines.append("Its weights are not on this computer: the first run downloads them.")
    if answers.by_kind:  # offline, or weights in a file that is not here
        reasons = "; ".join(dict.fromkeys(answers.by_kind))
        lines.append(f"Judged by its kind alone: {reasons}.")
    return lines


def _as_object(answers: ModelAnswers) -> dict[str, Any]:
    return {
        "model": answers.reference,
        "kinds": [where.scheme for where in answers.members],
        "by_kind_since": [*answers.by_kind],
        "can": [
            {
                "study": can.study.name,
                "rule": can.rules,
                "command": can.command,
                "data_state": data_state(study_entry(can.study)),
            }
            for can in answers.can
        ],
        "cannot": [{"why": why, "studies": names} for why, names in answers.cannot.items()],
    }


def _print_answers(answers: ModelAnswers) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from tiltmeter.cli.listing.study_list import DATA, by_group, print_heading, print_legend
    from tiltmeter.data.study_sizes import TIMED

    for line in _about(answers):
        out.print(line)
    by_name = {can.study.name: can for can in answers.can}
    width = max((len(can.command) for can in answers.can), default=0)
    for group, entries in by_group(study_entry(can.study) for can in answers.can).items():
        print_heading(group)
        for entry in entries:
            out.print(Text(_line(by_name[entry["name"]], width)), soft_wrap=True)
    if answers.cannot:
        out.print(Text("does not apply to it", style="bold"))
    for why, names in answers.cannot.items():
        out.print(Padding(Text(f"{why}: {', '.join(names)}"), (0, 0, 0, 2)))
    if answers.can:
        print_legend({"time": TIMED, "data": DATA})
        model = shlex.quote(answers.reference)
        out.print(f"All of these in one report: tiltmeter audit {model}", soft_wrap=True)


def _line(can: Answerable, width: int) -> str:
    """The command, with as much of what the study asks and how long it takes as fits behind it."""
    from tiltmeter.cli.listing.study_list import ASKS, asked, size_words

    entry = study_entry(can.study)
    _, time = size_words(entry)
    command, data = f"{can.command:<{width}}", data_state(entry)
    long = f"{command} {asked(entry):<{ASKS}} {time:>6} {data}"
    short = f"{command} {time:>6} {data}"
    narrowest = width + 1 + ASKS + 1 + 6 + 1 + 4
    return long if narrowest <= out.width else short
