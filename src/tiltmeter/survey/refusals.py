"""Why something is refused to somebody who takes part, in words that their page can translate."""

from tiltmeter.core.errors import BadInput


class Refusal(BadInput):
    """A request of somebody who takes part that is refused.

    `word` names the word of the interface that their page shows (`languages.interface_words`); the message
    is for researchers.
    """

    def __init__(self, reason: str, way_out: str, *, word: str) -> None:
        self.word = word
        super().__init__(reason, way_out)
