r"""How a model is asked for a hypothesis about a premise: the relation's words behind the premise.

A phrase that ends with a colon introduces the hypothesis; any other phrase is its beginning. So `neutral`
asks "A man runs.\nThis may also be true:", and `xAttr` asks "A man runs.\nThe person is seen as".

Relations of natural language inference: Bowman et al. 2015, doi:10.18653/v1/D15-1075; if-then relations:
Sap et al. 2019, doi:10.1609/aaai.v33i01.33013027. The words of xAttr, xEffect and oWant are those of the
published annotations of Sotnikova et al. 2021, doi:10.18653/v1/2021.findings-acl.355.
"""

import json
from collections.abc import Mapping
from typing import Any

from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.reading.json_text import parsed

TEMPLATE = "{premise}\n{relation}"
ENTAILMENT: Mapping[str, str] = {
    "neutral": "This may also be true:",
    "entailment": "This must also be true:",
    "contradiction": "This cannot be true:",
}
"""Phrases by relation: of premises and hypotheses of natural language inference."""
IF_THEN: Mapping[str, str] = {
    "xAttr": "The person is seen as",
    "xEffect": "The person then",
    "xIntent": "The person wanted",
    "xNeed": "Before that, the person needed",
    "xReact": "The person then feels",
    "xWant": "As a result, the person wants",
    "oEffect": "Others then",
    "oReact": "As a result, others feel",
    "oWant": "As a result, others want",
}
"""Phrases by relation for inferences about events: about the person (x) or about others (o)."""
PHRASES: Mapping[str, str] = {**ENTAILMENT, **IF_THEN}
TRAINED_RELATIONS = "inference relations"
"""The fact of a model that was trained to infer: its phrases by relation, as JSON."""


def trained_phrases(about: Mapping[str, Any]) -> dict[str, str]:
    """The phrases that a model was trained with, by relation; {} for any other model."""
    try:
        phrases = parsed(str(about.get(TRAINED_RELATIONS, "")))
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in phrases.items()} if isinstance(phrases, dict) else {}


def phrases_fact(phrases: Mapping[str, str]) -> str:
    """Phrases as a fact of a model.

    >>> trained_phrases({TRAINED_RELATIONS: phrases_fact({"xAttr": "The person is seen as"})})
    {'xAttr': 'The person is seen as'}
    """
    return json.dumps(dict(phrases), ensure_ascii=False)


def inference_prompt(premise: str, phrase: str) -> str:
    r"""The text that a language model continues with a hypothesis.

    >>> inference_prompt("A man runs.", "The person is seen as")
    'A man runs.\nThe person is seen as'
    """
    return TEMPLATE.replace("{relation}", phrase).replace("{premise}", premise)


def begins_hypothesis(phrase: str) -> bool:
    """Whether the phrase is the beginning of the hypothesis, rather than an introduction to it."""
    return not phrase.endswith(":")


def inference_conversation(premise: str, phrase: str) -> Prompt:
    r"""The request for a hypothesis as a conversation, for chat models.

    >>> inference_conversation("A man runs.", "This may also be true:").plain
    'A man runs.\nWhat may also be true? Reply with one new, short sentence about the person.'
    """
    if begins_hypothesis(phrase):
        asked = f"Complete in a few words: {phrase} …\nReply with the missing words only."
    else:
        question = f"What{phrase[4:-1]}?" if phrase.startswith("This ") else phrase
        asked = f"{question} Reply with one new, short sentence about the person."
    return Prompt((Message("user", f"{premise}\n{asked}"),))


def whole_hypothesis(written: str, phrase: str) -> str:
    """The hypothesis from what was written: with the phrase that begins it.

    >>> whole_hypothesis(" kind.", "The person is seen as"), whole_hypothesis(" He rests.", "So:")
    ('The person is seen as kind.', 'He rests.')
    """
    text = " ".join(written.split())
    return f"{phrase} {text}".strip() if begins_hypothesis(phrase) and text else text
