"""Codes of languages as BCP 47 has them ("en", "pt-BR", "zh-Hant"): direction, relatives, negotiation."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, several

Direction: TypeAlias = Literal["ltr", "rtl"]
OWN_NAMES: Mapping[str, str] = tomllib.loads(
    (files("tiltmeter.survey.languages") / "own_names.toml").read_text("utf-8")
)
"""What languages call themselves, by code."""
RIGHT_TO_LEFT = frozenset({
    "ar", "arc", "arz", "azb", "ckb", "dv", "fa", "glk", "he", "khw", "ks", "mzn", "nqo", "pnb", "ps", "sd",
    "syr", "ug", "ur", "yi",
})  # fmt: skip
"""Languages that are written from right to left, unless their code names another script."""
RIGHT_TO_LEFT_SCRIPTS = frozenset(
    {"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}
)
_HANT = frozenset({"TW", "HK", "MO"})
"""Where Chinese is written in traditional characters by default."""
_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")
_SCRIPT = 4
"""Letters of this part of a code."""
_RANGE = re.compile(
    r"\s*(?P<code>[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)\s*"
    r"(;\s*[qQ]\s*=\s*(?P<q>0(\.[0-9]{0,3})?|1(\.0{0,3})?)\s*)?"
)
"""An entry of `Accept-Language`; "*", for any language, asks for nothing in particular."""
_RANGES = 50
"""Languages that a browser may ask for; further ones are ignored."""


def normal_code(code: str) -> str:
    """A code as it is usually written; an underscore passes for a hyphen.

    >>> normal_code("PT-br"), normal_code("zh_hant_tw")
    ('pt-BR', 'zh-Hant-TW')
    """
    first, *rest = code.replace("_", "-").split("-")
    return "-".join((first.lower(), *(p.title() if len(p) == _SCRIPT else p.upper() for p in rest)))


def _language_code(code: str) -> str:
    if not _CODE.fullmatch(code.replace("_", "-")):
        raise Fault(f"is {code!r}", 'write a language code such as "ar", "pt-BR" or "zh-Hant"')
    if code != normal_code(code):
        raise Fault(f"is {code!r}", f'write "{normal_code(code)}"')
    return code


LanguageCode: TypeAlias = Annotated[Line, _language_code]
LanguageCodes: TypeAlias = Annotated[tuple[str, ...], several(LanguageCode)]
"""A list of codes, or one."""


def direction(code: str) -> Direction:
    """In which direction a language is written.

    >>> direction("ar-EG"), direction("he"), direction("ku-Arab"), direction("ur-Latn")
    ('rtl', 'rtl', 'rtl', 'ltr')
    """
    language, *rest = normal_code(code).split("-")
    script = next((part for part in rest if len(part) == _SCRIPT), "")
    is_rtl = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
    return "rtl" if is_rtl else "ltr"


def lineage(code: str) -> Iterator[str]:
    """The code and then the more general ones whose words a reader of it can take for their own.

    Another script is another text: nothing follows "zh-Hant".

    >>> [*lineage("pt-BR")], [*lineage("zh-TW")], [*lineage("zh-Hans-SG")]
    (['pt-BR', 'pt'], ['zh-TW', 'zh-Hant-TW', 'zh-Hant'], ['zh-Hans-SG', 'zh-Hans', 'zh'])
    """
    language, *rest = normal_code(code).split("-")
    if language == "zh" and rest and rest[0] in _HANT:
        yield "-".join((language, *rest))
        rest = ["Hant", *rest]
    while True:
        yield "-".join((language, *rest))
        if not rest or (len(rest[-1]) == _SCRIPT and (language, rest[-1]) != ("zh", "Hans")):
            return
        rest.pop()


def own_name(code: str) -> str:
    """What a language calls itself; the code where that is not known.

    >>> own_name("ar"), own_name("pt-PT"), own_name("xx")
    ('العربية', 'Português', 'xx')
    """
    return next((OWN_NAMES[relative] for relative in lineage(code) if relative in OWN_NAMES), code)


# ---- Which language a browser asks for


def accepted_languages(header: str) -> list[str]:
    """The languages of an `Accept-Language` header, the most wanted first; without those of quality 0.

    >>> accepted_languages("de;q=0.5, pt-BR, en;q=0.8, fr;q=0, x;q=much")
    ['pt-BR', 'en', 'de']
    """
    weights: dict[str, float] = {}
    for entry in header.split(",", _RANGES)[:_RANGES]:
        if match := _RANGE.fullmatch(entry):
            weights.setdefault(normal_code(match["code"]), float(match["q"] or 1))
    wanted = sorted(weights, key=weights.__getitem__, reverse=True)
    return [code for code in wanted if weights[code]]


def chosen_language(wanted: Sequence[str], offered: Sequence[str]) -> str:
    """The language to show, of those offered: by default the first.

    Each wanted one is taken in turn: the language itself, a more general one, else another variety of it.

    >>> chosen_language(["pt-PT", "en"], ["en", "pt-BR"]), chosen_language(["zh-TW"], ["en", "zh"])
    ('pt-BR', 'en')
    """
    for code in wanted:
        relatives = [*lineage(code)]
        for relative in relatives:
            if relative in offered:
                return relative
        for language in offered:
            if set(relatives) & set(lineage(language)):
                return language
    return offered[0]
