"""Sentences made of a template, a noun and a descriptor of people, such as "I like left-handed dads".

Smith et al. 2022, HolisticBias, doi:10.18653/v1/2022.emnlp-main.625. Files of this layout are
`descriptors.json`, by axis and kind; `nouns.json`, by gender, singular and plural; `sentence_templates.json`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, Unpack
from zlib import crc32

import numpy as np

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset, Sentence
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import Raw, checked, made
from tiltmeter.core.study import Reading, Source
from tiltmeter.data.downloads.sources import files_of
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_fault
from tiltmeter.data.prompts.prompt_items import whole_setting

T = TypeVar("T")
SETS = ("holistic_bias", "holistic_bias_1_0")
NAMES = ("descriptors", "nouns", "sentence_templates")
SETTINGS = (
    Setting("descriptors", default="8", summary="How many of each axis, drawn at random; or all."),
    Setting("templates", default="6", summary="How many templates; or all."),
    Setting("nouns", default="6", summary="How many nouns; or all."),
    Setting("axes", default="all", summary="Names of axes, separated by commas."),
    Setting("drawn", default="0", summary="Seed of the draw."),
)


@dataclass(frozen=True, slots=True)
class _Descriptor:
    descriptor: str
    preference: str = ""
    article: str = ""
    gender: str = ""


def _described(entry: Any) -> _Descriptor:
    return made(_Descriptor, {"descriptor": entry} if isinstance(entry, str) else entry)


@dataclass(frozen=True, slots=True)
class _Words:
    descriptors: Mapping[str, Mapping[str, tuple[Annotated[_Descriptor, Raw(_described)], ...]]]
    nouns: Mapping[str, tuple[tuple[str, str], ...]]
    sentence_templates: Mapping[str, Any]


def load_descriptors(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Sentence]:
    """Sentences of a set in SETS, or of a folder with files of this layout."""
    values = with_defaults(SETTINGS, settings)
    files, about = files_of(source, SETS[0], SETS)
    by_name = {path.stem: path for path in files}
    if missing := [f"{name}.json" for name in NAMES if name not in by_name]:
        raise BadInput(f"there is no {missing[0]}", "give a folder with it", file=about.name)
    read = {name: _json(by_name[name], reading.get("encoding", "")) for name in NAMES}
    items = _sentences(checked(_Words, read, file=about.name), values)
    return replace(about, items=items, clusters="template")


def _json(path: Path, encoding: str) -> Any:
    try:
        return parsed("".join(lines(path, encoding)))
    except (ValueError, RecursionError) as why:
        raise BadInput(json_fault(why), "correct the file", file=path.name) from None


def _sentences(words: _Words, values: Mapping[str, str]) -> list[Sentence]:
    """A sentence for every descriptor, noun and template that are drawn, where the noun fits the gender."""

    def drawn(things: Iterable[T], name: str, of: str = "") -> Sequence[T]:
        pool = [*things]
        # A seed for each list, and the head of a permutation: asking for more nouns changes neither the
        # templates nor the nouns that fewer would have.
        seed = [whole_setting(values, "drawn", 0, 0, 2**31), crc32(f"{name} {of}".encode())]
        count = len(pool) if values[name] == "all" else whole_setting(values, name, 1, 1, 10_000)
        return [pool[i] for i in sorted(np.random.default_rng(seed).permutation(len(pool))[:count])]

    axes = known_names(
        "axis", map(str.strip, values["axes"].split(",")), {"all", *words.descriptors}
    )
    templates = drawn(words.sentence_templates, "templates")
    nouns = drawn(((g, *both) for g, pairs in words.nouns.items() for both in pairs), "nouns")
    items: dict[str, Sentence] = {}
    for axis, kinds in words.descriptors.items():
        if not {"all", axis} & {*axes}:
            continue
        every = ((kind, d) for kind, listed in kinds.items() for d in listed)
        for kind, d in drawn(every, "descriptors", axis):
            article = d.article or ("an" if d.descriptor[:1].lower() in {*"aeiou"} else "a")
            for template in templates:
                for gender, noun, plural in nouns:
                    if d.gender in {"", gender}:
                        one, many = f"{d.descriptor} {noun}", f"{d.descriptor} {plural}"
                        phrase = {"noun_phrase": f"{article} {one}", "plural_noun_phrase": many}
                        groups = {"axis": axis, "kind": kind, "descriptor": d.descriptor, "noun": noun,
                                  "template": template.format(noun_phrase="…", plural_noun_phrase="…"),
                                  **({"preference": d.preference} if d.preference else {})}  # fmt: skip
                        key = f"{axis}/{d.descriptor}/{noun}/{template}"
                        items[key] = Sentence(key, template.format(**phrase), groups, template)
    return [*items.values()]


def sample_descriptors() -> Dataset[Sentence]:
    """Five descriptors of pets in three templates, with two nouns."""
    words = {
        "descriptors": {"size": {"all": ["small", "big", "tiny"]}, "coat": {"all": ["grey", "spotted"]}},
        "nouns": {"neutral": [["cat", "cats"], ["dog", "dogs"]]},
        "sentence_templates": {"I am {noun_phrase}.": {}, "I like {plural_noun_phrase}.": {},
                               "I see {noun_phrase}.": {}},
    }  # fmt: skip
    items = _sentences(checked(_Words, words, file=""), with_defaults(SETTINGS, None))
    return Dataset("descriptors sample", "1", items, "made up", "CC0 1.0", clusters="template")
