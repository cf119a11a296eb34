"""Which studies a model can answer, from what is known of it before its weights are loaded."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.questions import asked_of
from tiltmeter.core.study import Study
from tiltmeter.core.study_groups import ASKED_OF
from tiltmeter.models.opening.open_model import Resolved, foreseen
from tiltmeter.run.measuring.ensemble import parse
from tiltmeter.run.planning.run_plan import with_rules
from tiltmeter.run.run_options import RunOptions

ONLY_TRIPLES = "an ensemble chooses among three candidates"
"""Why ensembles cannot answer other studies."""


@dataclass(frozen=True, slots=True)
class Answerable:
    """A study that a model can answer."""

    study: Study[Any]
    rules: str
    """The rule by which it is scored unless the user names another; of an ensemble, its members' rules."""
    command: str


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What a model can answer, and what it cannot."""

    reference: str
    members: tuple[Resolved, ...]
    """The model, or the members of an ensemble."""
    by_kind: tuple[str, ...]
    """Why members could only be judged by their kind; () where the files of all were read."""
    can: list[Answerable] = field(default_factory=list)
    cannot: dict[str, list[str]] = field(default_factory=dict)
    """The names of studies, by why the model cannot answer them."""


def answers_of_model(reference: str, studies: Iterable[Study[Any]]) -> ModelAnswers:
    """What a model can answer of these studies, by its configuration; no weights are fetched.

    Raises:
        TiltmeterError: There is no such model, or its kind cannot be found out here.
    """
    ensemble = parse(reference)
    looked_up = [foreseen(name) for name in (ensemble.references if ensemble else (reference,))]
    members = tuple(where for where, _ in looked_up)
    answers = ModelAnswers(reference, members, tuple(why for _, why in looked_up if why))
    for study in studies:
        if ensemble and not any(isinstance(item, Triple) for item in study.sample().items):
            answers.cannot.setdefault(ONLY_TRIPLES, []).append(study.name)
            continue
        try:
            plan = with_rules(study, members, RunOptions(), ensemble)
        except CannotAnswer as error:
            why = _missing(study, members) or (f"it {error.lacks}" if error.lacks else str(error))
            answers.cannot.setdefault(why, []).append(study.name)
        else:
            command = run_command(study, reference)
            answers.can.append(Answerable(study, plan.rules, command))
    return answers


def _missing(study: Study[Any], members: Sequence[Resolved]) -> str:
    """Which kind of model a study needs; "" where the model is of such a kind and lacks something else."""
    asked = kinds_asked(study)
    answered = [{asked_of(protocol) for protocol in where.answers} for where in members]
    if not asked or all(words & {*asked} for words in answered):
        return ""
    return f"for a model that {' or '.join(ASKED_OF[word] for word in asked)}"


def run_command(study: Study[Any], model: str) -> str:
    """The command that runs a study on a model, as a shell takes it.

    >>> from tiltmeter.core.finder import find
    >>> run_command(find("studies", "pairs", "STUDY"), "my model")
    "tiltmeter run pairs 'my model' --data FILE"
    """
    name = study.file.path if study.file else study.name
    words = ["tiltmeter", "run", name, model]
    code = ["--allow-code"] if study.file else []
    return " ".join([*map(shlex.quote, words), *code, *filter(None, [study.run_needs])])


def kinds_asked(study: Study[Any]) -> Sequence[str]:
    """Which models a study can be asked of, in the words of `ASKED_OF`, each once.

    >>> from tiltmeter.core.finder import find
    >>> kinds_asked(find("studies", "bbq", "STUDY")), kinds_asked(find("studies", "seat", "STUDY"))
    (['replies'], ['vectors'])
    """
    words = (asked_of(rule.needs) for rule in study.rules)
    return [*dict.fromkeys(filter(None, words))]
