"""What the answers of a server reveal about it and its model; shared by several threads."""

from collections.abc import Callable
from threading import Lock
from typing import Any

from tiltmeter.core.model.conversations import ALLOWANCES, Thinking
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.text import counted, visible

MOST = 8
"""How many values of a fact the card lists."""


class ServerFacts:
    """What is learnt of a server in the course of a run."""

    def __init__(self) -> None:
        self.probing = Lock()
        self.probed: dict[tuple[bool, Thinking], Thinking] = {}
        """How options are measured, by the kind of prompt and the thinking asked for: with which thinking."""
        self.thinks = False
        """Whether the model thinks though the request foresaw no thought."""
        self.template_thinks = False
        """Whether its chat template begins the thought, so that only the end of one is marked."""
        self.is_tried = False
        """Whether a reply that was cut off was once asked for at greater length, to see a thought's end."""
        self.allowance = 0
        """Tokens that thoughts have since then."""
        self._lock = Lock()
        self._said: dict[str, dict[str, None]] = {"system_fingerprint": {}, "model": {}}

    def note(self, answer: Any) -> None:
        """Keep what an answer says about the server and its model."""
        for name, values in self._said.items():
            value = answer.get(name) if isinstance(answer, dict) else None
            if isinstance(value, str) and value:
                with self._lock:
                    values[visible(value)] = None

    def found_to_think(self, thinking: Thinking) -> None:
        """Note that the model thinks by itself: from now on its thoughts have tokens of their own."""
        self.allowance = ALLOWANCES[thinking]
        self.thinks = True

    def try_once(self, attempt: Callable[[], None]) -> None:
        """Make an attempt that shows whether the model thinks, unless it was made before."""
        with self.probing:
            if not (self.is_tried or self.thinks):
                attempt()
                self.is_tried = True

    def described(self, model: str) -> dict[str, Fact]:
        """The facts for the card of a result."""
        with self._lock:
            noted = {name: list(values)[:MOST] for name, values in self._said.items()}
        served = [name for name in noted["model"] if name != model]
        facts: dict[str, Fact] = {"replies by": ", ".join(served)} if served else {}
        if prints := noted["system_fingerprint"]:
            changed = " (it changed during the run)" if len(prints) > 1 else ""
            facts["system fingerprint"] = ", ".join(prints) + changed
        if self.thinks:
            facts["thinks by itself"] = (
                f"replies may have {counted(self.allowance, 'tokens')} more, for the thought"
            )
        if off := [how for asked, how in self.probed.items() if how != asked[1]]:
            facts["options measured with thinking"] = off[0]
        return facts
