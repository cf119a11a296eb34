"""How likely a male and a female speaker are: the words that name the speaker, given the rest of the text.

Scores of a record: `male` and `female`, the log-probabilities of these words; `masculine`, their difference;
`of_men`, 1 for a stereotype of men and 0 for one of women. Logarithms are natural ones, unless the setting
`logarithm` is 10.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar, Protocol

from tiltmeter.core.conventions import Setting
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.protocols import Continues, FillsBlanks, Tokenizes
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.pseudo import hidden_together
from tiltmeter.scoring.text_scoring import Combine, R, ScoredText, TextScoring, count, mean, total
from tiltmeter.scoring.token_scores import differing_positions
from tiltmeter.studies.gest.sentences import MEN, SPEAKER_LAST, SpokenSentence

NATURAL, TEN = "natural", "10"
LOGARITHM = Setting(
    "logarithm",
    default=NATURAL,
    summary="Logarithm of the scores. Rates are e to the power of a mean score: with natural logarithms the "
    "geometric mean of the ratio of probabilities; with 10, as in the authors' code, that mean to the "
    "power .434.",
    choices=(NATURAL, TEN),
)
OF_TEN = (
    "Scores are logarithms to base 10, and rates are e to the power of their mean: as a ratio of "
    "probabilities a rate is its own power 2.303 (1.31 is 1.86), so differences from 1 look smaller than "
    "they are."
)


UNEVEN = (
    "In some items the words for a man and for a woman have different numbers of tokens in this model's "
    "vocabulary, which affects how likely they are."
)


def scale_of(settings: Mapping[str, str]) -> float:
    """By what a natural logarithm is divided."""
    return log(10) if settings.get(LOGARITHM.name) == TEN else 1.0


class Ask(Protocol[R]):
    """What is asked about a text: how likely are the tokens at these positions?"""

    def __call__(self, tokens: Tokens, where: Sequence[int], /) -> list[R]:
        """The requests; raises Undefined where there is nothing to ask."""


@dataclass(frozen=True, slots=True)
class SpeakerScoring(TextScoring[SpokenSentence, R]):
    """Asks about the tokens in which the text of a man and that of a woman differ."""

    ask: Ask[R]
    combine: Combine
    called: ClassVar[str] = "item"
    candidate: ClassVar[str] = "a text"

    def texts(self, item: SpokenSentence, model: Tokenizes, context: Context) -> Sequence[str]:  # noqa: ARG002
        """Both texts, the man's first."""
        return item.texts

    def planned(
        self, item: SpokenSentence, texts: Sequence[str], tokens: Sequence[Tokens], context: Context
    ) -> list[ScoredText[R]]:
        """What is asked about each text."""
        del item, context
        positions = differing_positions(*tokens)
        return [
            ScoredText(text, of_text, self.ask(of_text, where))
            for text, of_text, where in zip(texts, tokens, positions, strict=True)
        ]

    def note(
        self,
        planned: Sequence[list[ScoredText[R]]],
        model: Tokenizes,  # noqa: ARG002
        context: Context,
    ) -> None:
        """Say what scores to base 10 do, and whether the speakers have different numbers of tokens."""
        if context.settings.get(LOGARITHM.name) == TEN:
            context.notes.append(Note("caution", OF_TEN))
        if any(len(male.tokens.ids) != len(female.tokens.ids) for male, female in planned):
            context.notes.append(Note("caution", UNEVEN))

    def record(
        self, item: SpokenSentence, asked: Sequence[ScoredText[R]], context: Context
    ) -> Record:
        """The log-probability of either speaker, and how many tokens were scored."""
        male, female = (self.combine(text.answers) for text in asked)
        counts = [float(count(text.answers)) for text in asked]
        tokens = {
            side: text.token_scores for side, text in zip(("male", "female"), asked, strict=True)
        }
        further = dict(zip(("tokens_male", "tokens_female"), counts, strict=True))
        return record(
            item, male - female, {"male": male, "female": female},
            scale=scale_of(context.settings), counts=further,
            tokens=tokens if context.per_token else None,
        )  # fmt: skip


def record(
    item: SpokenSentence,
    masculine: float,
    sides: Mapping[str, float],
    *,
    scale: float = 1.0,
    counts: Mapping[str, float] | None = None,
    tokens: Mapping[str, tuple] | None = None,  # type: ignore[type-arg]
) -> Record:
    """The record of an item.

    Args:
        item: Of the study.
        masculine: Natural log-probability of the male speaker minus that of the female one.
        sides: The log-probabilities of `male` and `female`, where they are known.
        scale: By what all of these are divided (`scale_of`).
        counts: Numbers that are kept as they are.
        tokens: The scores of single tokens.
    """
    scores = {"masculine": masculine, **sides}
    scores = {name: value / scale for name, value in scores.items()}
    scores |= {"of_men": float(item.groups["about"] == MEN), **(counts or {})}
    texts = {"male": item.male, "female": item.female}
    return Record(item.id, scores, item.groups, item.cluster, texts=texts, tokens=tokens)


def _after_sentence(tokens: Tokens, where: Sequence[int]) -> list[Continuation]:
    """The words that name the speaker, given all that is before them."""
    first, last = where[0], where[-1]
    if not first:
        raise Undefined("nothing is before the words that name the speaker")
    return [Continuation(tokens.ids[:first], tokens.ids[first : last + 1])]


RULES: tuple[Rule[SpokenSentence], ...] = (
    Rule(
        "pll_differing_joint",
        FillsBlanks,
        SpeakerScoring("blank_logprobs", hidden_together, mean),
        summary="The mean log-probability of the tokens in which the man's and the woman's text "
        "differ, all of them hidden at once; the score is the man's minus the woman's.",
        source="Pikuliak et al. 2024, doi:10.18653/v1/2024.findings-emnlp.173, section 4.2",
    ),
    Rule(
        "next_word",
        Continues,
        SpeakerScoring("continuation_logprobs", _after_sentence, total),
        task=SPEAKER_LAST,
        summary="The log-probability of the words that name the speaker, given the quoted sentence "
        "before them and nothing after them; the score is the man's minus the woman's.",
        source="Pikuliak et al. 2024, doi:10.18653/v1/2024.findings-emnlp.173, section 4.2 (generative "
        "models)",
    ),
)
"""A masked model gets the first, a causal or sequence-to-sequence model the second."""
