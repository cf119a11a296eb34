"""A model that is opened only when it is asked for something that has not been remembered.

Opening a model takes seconds, and a run whose answers are all stored needs only the model's facts (such as
its name and fingerprint) and lookups (such as the tokens of a text); `core.model.questions` lists both. They
are remembered together with the state of the model's files, of the machine and of the software at that time.
If any of these has changed, the model is opened at once.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import TiltmeterError, Unavailable
from tiltmeter.core.model.questions import facts_and_lookups
from tiltmeter.core.model.requests import Tokens
from tiltmeter.data.files.remembered_values import recalled, remember, stamp
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, files_of
from tiltmeter.models.speed import machine_limits
from tiltmeter.models.speed.machine_state import machine_state

ALWAYS = ("name", "fingerprint", "about", "batch_tokens")
"""Facts that are remembered as soon as a model is opened; others are remembered when first asked for."""
ABSENT = "absent"
"""The key, among the facts, of the attribute names that were asked for and that the model does not have."""


class UnopenedModel:
    """Stands in for a model: it knows the model's facts and lookups, and opens it for everything else."""

    def __init__(self, state: object, open_it: Callable[[], Any]) -> None:
        """Recall the model's facts, or open the model if none are remembered.

        Args:
            state: Everything that the facts and lookups depend on; see `state_of`.
            open_it: Opens the model.
        """
        self._state = state
        self._open_it = open_it
        self._model: Any = None
        facts = recalled(("facts", state))
        is_whole = isinstance(facts, dict) and facts.keys() >= {*ALWAYS, ABSENT}
        self._facts: dict[str, Any] = facts if is_whole else {}
        self._known, self._lookups = facts_and_lookups()
        if not self._facts:
            self._opened()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._lookups:
            return partial(self._looked_up, name)
        if self._model is None and name in self._facts:
            value = self._facts[name]
            return tuple(value) if isinstance(value, list) else value
        if self._model is None and name in self._facts[ABSENT]:
            raise AttributeError(name)
        model = self._opened()
        try:
            value = getattr(model, name)
        except AttributeError:
            self._facts[ABSENT] = sorted({*self._facts[ABSENT], name})
            remember(("facts", self._state), self._facts)
            raise
        if name in self._known and name not in self._facts:
            self._facts[name] = value
            remember(("facts", self._state), self._facts)
        return value

    def _looked_up(self, method: str, elements: Sequence[Any]) -> list[Any]:
        """One value per element, remembered or else asked of the model."""
        key = (method, self._state, *elements)
        values = None if self._model is not None else recalled(key)
        if values is not None:
            return [_tokens(value) if isinstance(value, list) else value for value in values]
        answered: list[Any] = getattr(self._opened(), method)(elements)
        remember(key, [_columns(v) if isinstance(v, Tokens) else v for v in answered])
        return answered

    def _opened(self) -> Any:
        if self._model is None:
            machine_limits.expect_default_threads()
            model = self._open_it()
            if self._facts and model.fingerprint != self._facts["fingerprint"]:
                # Forget the facts, or every further command would end here.
                remember(("facts", self._state), None)
                raise Unavailable(
                    f"{model.name}: its files changed while it was opened; give the command again"
                )
            if not self._facts:
                self._facts = {ABSENT: []} | {name: getattr(model, name) for name in ALWAYS}
                self._facts["about"] = dict(model.about)  # a copy: the model may change it later
                remember(("facts", self._state), self._facts)
            self._model = model
        return self._model


def state_of(where: Resolved, options: Options, name: str) -> object | None:
    """Everything that the facts and lookups of a model depend on, except for the software.

    None if it cannot be determined without opening the model.
    """
    files: list[Path] = []
    with suppress(OSError, TiltmeterError):  # opening it will say what is wrong
        files = files_of(where, options)
    stamps = stamp(files) if files else None
    machine = machine_state(options.device) if stamps else None
    return (where, options, name, stamps, machine) if machine else None


def _columns(tokens: Tokens) -> list[Sequence[Any]]:
    return [tokens.ids, tokens.special, tokens.words, tokens.spans]


def _tokens(columns: Sequence[Any]) -> Tokens:
    ids, special, words, spans = columns
    return Tokens(tuple(ids), tuple(special), tuple(words), tuple(map(tuple, spans)))
