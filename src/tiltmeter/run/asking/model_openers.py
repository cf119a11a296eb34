"""Model openers: they open a model in this process or on workers, for one study or shared by several."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Protocol, Self

from tiltmeter.models.opening.model_options import AUTO, Options
from tiltmeter.models.opening.open_model import Resolved, open_model, settled
from tiltmeter.models.opening.precision_choice import PrecisionChoice
from tiltmeter.models.speed.machine_state import machine_state
from tiltmeter.run.asking.unopened_model import UnopenedModel, state_of
from tiltmeter.run.monitor import Logged, Monitor


class ModelOpener(Protocol):
    """Opens models as context managers; a model is closed at the end of its block."""

    def open(
        self, where: Resolved, options: Options, *, name: str = ""
    ) -> AbstractContextManager[Any]:
        """The model that `open_model` returns, or one that answers the same; raises the same errors."""

    def places(self, where: Resolved, options: Options) -> int:
        """How many requests the model answers at a time in other processes; 0 if it answers in this one.

        Of such a model, several studies may ask at the same time (`in_turn`).
        """


def opening_text(where: Resolved, options: Options, reason: str = "") -> str:
    """The message that the monitor receives when a model is opened.

    Args:
        where: The model.
        options: How it is opened.
        reason: The precision and why it was chosen, as `PrecisionChoice.reason` says it.
    """
    usual = options.precision in {AUTO, "float32"}
    precision = f" in {reason or options.precision}" if reason or not usual else ""
    first = f" ({where.preparation})" if where.preparation else ""
    return f"loading {where.reference}{precision}{first}"


class LocalOpener:
    """Opens models in this process."""

    def __init__(self, monitor: Monitor | None = None) -> None:
        self._monitor = monitor or Logged()

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[Any]:
        """The model, opened when it is first needed; one that is in memory already is used directly."""
        if where.in_memory is not None:
            self._monitor.step(opening_text(where, options))
            with where.in_memory(options, name or where.name) as model:
                yield model
            return

        # Where only PyTorch knows the device, or the files are to be fetched, `open_model` chooses.
        on_cpu = machine_state(options.device) is not None
        choice = settled(where, options, "cpu") if on_cpu else PrecisionChoice(options)
        known = choice.options

        def tell(reason: str) -> None:
            if reason != choice.reason:
                self._monitor.step(opening_text(where, known, reason))

        def open_it() -> Any:
            self._monitor.step(opening_text(where, known, choice.reason))
            with self._monitor.download(where.reference) as progress:
                return open_model(where, known, name=name, progress=progress, tell=tell)

        state = state_of(where, known, name)
        yield UnopenedModel(state, open_it) if state else open_it()

    def places(self, where: Resolved, options: Options) -> int:
        """The number of requests that may be under way at the model's server; 0 if it has none."""
        return options.at_once if where.traits.answers_elsewhere else 0


class SharingOpener:
    """Keeps a model open until another one is wanted, so that several studies share it."""

    def __init__(self, opener: ModelOpener) -> None:
        self._opener = opener
        self._where: Resolved | None = None
        self._models: dict[tuple[Options, str], Any] = {}
        self._stack = ExitStack()
        self._failed: dict[tuple[Resolved, Options], Exception] = {}

    def why_not(self, where: Resolved, options: Options) -> Exception | None:
        """The error with which an earlier attempt to open this model failed; None if there is none."""
        return self._failed.get((where, _effective(where, options)))

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[Any]:
        """Open the model, or reuse it if it is open; it stays open until another model is wanted."""
        options = _effective(where, options)
        if where != self._where:
            self.close()
            self._where = where
        key = (options, name)
        if key not in self._models:
            opening = self._opener.open(where, options, name=name)
            try:
                self._models[key] = self._stack.enter_context(opening)
            except Exception as error:
                self._failed[where, options] = error
                raise
        yield self._models[key]

    def places(self, where: Resolved, options: Options) -> int:
        """The number of requests at a time, from the opener whose models are shared."""
        return self._opener.places(where, options)

    def close(self) -> None:
        """Close all open models."""
        self._where = None
        self._models.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _effective(where: Resolved, options: Options) -> Options:
    """The options without one that has no effect on the model, so that studies that differ in it share it."""
    skips = options.skip_invalid and where.traits.takes_skip_invalid
    return replace(options, skip_invalid=skips)
