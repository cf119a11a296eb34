"""Which models are related: sizes and versions of one model are not independent points.

>>> families_of(["org/llama-7b", "llama-13b", "gpt2", "gpt-4", "bert"])
('llama', 'llama', 'gpt', 'gpt', 'bert')
>>> families_of(["m1", "m2", "m3"])  # names that do not tell
('m1', 'm2', 'm3')
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted

LETTERS = 3
"""The fewest letters of a family's name; shorter names, such as m1 and m2, only number models."""


def _given(entries: Sequence[str]) -> dict[str, str]:
    return pairs_given("--family", entries, "MODEL=NAME", "gpt2=gpt")


Families = Annotated[
    Mapping[str, str],
    Option(
        "Family of a model, if its name does not show it; models of one family are not independent.",
        name="family", metavar="MODEL=NAME", parse=_given,
    ),
]  # fmt: skip
"""The option with which a user says which models are related."""


def families_of(names: Sequence[str], given: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The family of each model: as given, else the letters that its name begins with, without its owner.

    Where all names begin alike, or with fewer letters than LETTERS, they do not tell, and each model is a
    family of its own.
    """
    known = given or {}
    begins = [_beginning(name) for name in names]
    tells = len(set(begins)) > 1
    return tuple(
        known.get(name, begin if tells and len(begin) >= LETTERS else name)
        for name, begin in zip(names, begins, strict=True)
    )


def describe_families(names: Sequence[str], families: Sequence[str]) -> str:
    """A note on which models are taken as related, "" where none are.

    >>> describe_families(["gpt2", "gpt-4", "bert"], ["gpt", "gpt", "bert"])[:45]
    '3 models are of 2 families (gpt 2, bert 1): i'
    """
    once = dict(zip(names, families, strict=True))
    sizes = Counter(once.values())
    if len(sizes) == len(once):
        return ""
    listed = ", ".join(f"{family} {size}" for family, size in sizes.most_common())
    return (
        f"{counted(len(once), 'models')} are of {counted(len(sizes), 'families')} ({listed}): intervals and "
        "tests are over families, not over single models. --family MODEL=NAME corrects that."
    )


def _beginning(name: str) -> str:
    match = re.match(r"[^\W\d_]+", name.rpartition("/")[2].casefold())
    return match.group() if match else ""
