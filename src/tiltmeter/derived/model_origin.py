"""Which model a result's model was made from, and what was done to it."""

from tiltmeter.core.results import Result

APPLIED = "mitigation"
"""The fact on a card that says what was done to the model."""


def done(result: Result) -> str:
    """What was done to the model of a result, where its card says so; else ""."""
    model = result.card.model
    if APPLIED not in model:
        return ""
    of = model.get(f"{APPLIED} of")
    return f"{model[APPLIED]}{f' of {of}' if of else ''}"


def made_from(result: Result) -> dict[str, str]:
    """Which model the result's model was made from, what was done to it, and its training seed.

    These are the coordinates `base`, `mitigation` and `seed` of a table; a model that was not made from
    another is its own base.
    """
    model = result.card.model
    origin = model.get("made from") or model.get("trained from") or model.get("name")
    applied = done(result) or model.get("trained with mitigation") or ("none" if origin else "")
    return {
        "base": str(origin or ""), "mitigation": str(applied), "seed": str(model.get("training seed", "")),
    }  # fmt: skip
