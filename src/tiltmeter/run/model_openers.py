"""Where a model is opened: in this process, or on workers; for one study, or for several."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from tiltmeter.models._open import Options, Resolved, open_model
from tiltmeter.models._quick import Quick, quick


class Opens(Protocol):
    """Opens models; each is closed at the end of the block."""

    def open(
        self, where: Resolved, options: Options, *, name: str = ""
    ) -> AbstractContextManager[Any]:
        """What `open_model` gives, or something that answers as that would; errors as there."""
        ...

    def quick(self, device: str) -> Quick:
        """Which precision is quick on the device, where models are opened."""
        ...


class Here:
    """Opens models in this process."""

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[Any]:
        """As `Opens`."""
        yield open_model(where, options, name=name)

    def quick(self, device: str) -> Quick:
        """As `Opens`."""
        return quick(device)


class Kept:
    """Keeps the models of one reference open until another is wanted: several studies share them."""

    def __init__(self, opens: Opens) -> None:
        self._opens = opens
        self._where: Resolved | None = None
        self._models: dict[tuple[Options, str], Any] = {}
        self._stack = ExitStack()

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[Any]:
        """As `Opens`, but that it stays open afterwards."""
        if where != self._where:
            self.close()
            self._where = where
        key = (options, name)
        if key not in self._models:
            opening = self._opens.open(where, options, name=name)
            self._models[key] = self._stack.enter_context(opening)
        yield self._models[key]

    def quick(self, device: str) -> Quick:
        """As `Opens`."""
        return self._opens.quick(device)

    def close(self) -> None:
        """Close what is open."""
        self._where = None
        self._models.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()
