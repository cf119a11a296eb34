"""The convention of prompts about hate speech: the published code of Chiu, Collins and Alexander 2022."""

from tiltmeter.core.conventions import PAPER, Convention

CHIU = "chiu2021"
_CODE = Convention(
    CHIU,
    summary="As the published code: letters anywhere in a reply are the answer; percentages of "
    "each repeat are rounded to two decimals, F1 is computed from rounded ones, and standard "
    "deviations over repeats are called standard errors. F1 over both categories has the recall of "
    "sexist texts in the numerator.",
    source="Chiu, Collins and Alexander 2022, github.com/kelichiu/GPT3-hate-speech-detection",
    rules=("contains",),
    settings={"wrap": "text", "variant": "chiu2021", "prompts": "code"},
)


CONVENTIONS = (PAPER, _CODE)
"""The paper's, and that of its published code."""
