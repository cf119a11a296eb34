"""Names of kinds of bias: studies and papers spell one category in several ways."""

import re
from collections.abc import Collection, Mapping, Sequence

CATEGORY = "category"
"""Names, for analyses over several studies, the axis that each study says its categories are on."""
_SPELLINGS = {
    "race": ("race", "race color", "ethnicity", "race ethnicity", "ethnic group"),
    "age": ("age",),
    "religion": ("religion",),
    "gender": ("gender", "sex", "gender identity"),
    "nationality": ("nationality", "national origin"),
    "disability": ("disability", "disability status", "disabilitystatus"),
    "profession": ("profession", "occupation"),
    "sexual-orientation": ("sexual orientation", "sexuality"),
    "physical-appearance": ("physical appearance", "appearance"),
    "socioeconomic": (
        "socioeconomic",
        "social class",
        "class",
        "socio economic",
        "socioeconomic status",
        "socio economic status",
        "ses",
    ),
}
"""How studies and papers spell each category, in small letters with blanks between words."""
_USUAL = {spelling: usual for usual, several in _SPELLINGS.items() for spelling in several}


def usual_name(name: str) -> str:
    """What a category is usually called, or the name itself where it is no known category.

    Capitals and the signs between words do not matter.

    >>> usual_name("race-color"), usual_name("Sexual_orientation"), usual_name("race/ethnicity")
    ('race', 'sexual-orientation', 'race')
    >>> usual_name("Asian")
    'Asian'
    """
    return _USUAL.get(re.sub(r"[\s_/,-]+", " ", name.strip()).casefold(), name)


def names_to_join(sources: Sequence[Collection[str]]) -> dict[str, str]:
    """The usual name by each name of a category that sources spell in different ways.

    A category of which one source has two names stays as it is: there they are two groups.

    >>> names_to_join([["race-color", "age"], ["race", "age"]])
    {'race-color': 'race'}
    >>> names_to_join([["race", "ethnicity"], ["race-color"]])
    {}
    """
    spellings: dict[str, set[str]] = {}
    apart: set[str] = set()
    for names in sources:
        usual = [usual_name(name) for name in {*names}]
        apart |= {name for name in usual if usual.count(name) > 1}
        for name in names:
            spellings.setdefault(usual_name(name), set()).add(name)
    return {
        name: usual
        for usual, names in spellings.items()
        if len(names) > 1 and usual not in apart
        for name in sorted(names - {usual})
    }


def joined_note(joined: Mapping[str, str]) -> list[str]:
    """A sentence on the names that are joined; [] where none are."""
    pairs = ", ".join(f"{name} as {usual}" for name, usual in joined.items())
    return [f"Different names of one category are joined: {pairs}."] if joined else []
