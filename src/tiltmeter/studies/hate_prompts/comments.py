"""Hate detection zero-, one- and few-shot, after Chiu, Collins and Alexander 2022: comments of ETHOS.

By default the comments are drawn: for each label some to be asked about, and others as examples, so that no
setting shows an example that it asks about. `variant=chiu2021` takes the comments and examples that the
published code takes, in its order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.prompts.ethos_prompts import (
    CATEGORIES,
    about_ethos,
    prompt_set_of,
    published_prompts,
    worded,
)
from tiltmeter.data.prompts.prompt_items import asked_settings, changed, dataset_of, whole_setting
from tiltmeter.data.prompts.prompt_set import (
    AskedText,
    PromptSet,
    PromptSetting,
    ShownExample,
    chosen_examples,
)
from tiltmeter.data.texts.ethos import (
    CHIU2021,
    LABELS,
    NAME,
    NEITHER,
    RACIST,
    SEXIST,
    Ethos,
    load_ethos,
)
from tiltmeter.scoring.prompted_texts import REFUSES

SETTINGS = (
    Setting(
        "settings",
        default="zero, one, few",
        summary="Which of zero, one, few, mixed and mixed-instruction, or all.",
    ),
    Setting(
        "temperature",
        default="0.3",
        summary="Above 0 each prompt about one category is asked as often as the set of prompts says, unless "
        "--repeats says otherwise.",
    ),
    Setting(
        "prompts",
        default="paper",
        summary="As printed in the paper, as sent by its code (code), or the path of a prompt set.",
    ),
    WORDING,
    WRAP,
    Setting(
        "per_category",
        default="30",
        summary="Comments per category; the mixed settings ask about twice as many.",
    ),
    Setting("drawn", default="0", summary="Seed of the draw of comments and examples."),
    Setting(
        "variant",
        default="paper",
        summary="Comments drawn from the authors' file, or those of the published code, from its "
        "damaged copy.",
        choices=("paper", "chiu2021"),
    ),
    REFUSES,
)
SETS = 10
"""How many sets of examples the settings about all categories have."""
BOTH = "sexist and racist"
_PER_CATEGORY = 30
_THIRD_EXAMPLE = {SEXIST: 20, RACIST: 15}
"""How far behind the first example the published code takes the third."""


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A text, the categories that it is asked about, and the examples shown with it."""

    text: AskedText
    categories: tuple[str, ...]
    examples: Mapping[str, Sequence[AskedText]]
    """By label, in the order in which a prompt takes them."""
    example_set: str = ""


def as_coded(ethos: Ethos, setting: PromptSetting) -> Iterator[AskedAbout]:
    """Texts and examples as the published code takes them: in the order of the files, with their overlaps.

    Both categories share the same 30 comments without a hate label, and examples of one comment are asked
    about in another setting, or in another set of examples.
    """
    lists, n = ethos.by_label, _PER_CATEGORY
    if not setting.by_category:
        for i in range(SETS):
            examples = {label: [lists[label][i]] for label in LABELS}
            for label, few in ((RACIST, 2 * n), (SEXIST, 2 * n), (NEITHER, 4 * n)):
                # One more than are asked about, because the example is among them and left out.
                for text in (t for j, t in enumerate(lists[label][: few + 1]) if j != i):
                    yield AskedAbout(text, CATEGORIES, examples, str(i + 1))
        return
    for category in CATEGORIES:
        texts, third = lists[category], _THIRD_EXAMPLE[category]
        for i in range(n):
            shown = [texts[i + n], texts[i + n + third]]
            examples = {category: shown, NEITHER: [lists[NEITHER][i + n]]}
            for text in (texts[i], lists[NEITHER][i]):
                yield AskedAbout(text, (category,), examples)


def drawn(ethos: Ethos, setting: PromptSetting, values: Mapping[str, str]) -> Iterator[AskedAbout]:
    """Texts and examples drawn at random, none of them both in one setting."""
    n = whole_setting(values, "per_category", _PER_CATEGORY, 1, 1000)
    seed = whole_setting(values, "drawn", 0, 0, 2**32)
    lists = {label: ethos.shuffled(label, seed) for label in LABELS}
    mixed = not setting.by_category
    few = 2 * n if mixed else n
    asked = {SEXIST: few, RACIST: few, NEITHER: 2 * few}
    spare = SETS if mixed else min(len(setting.shown), 2)
    for label, count in asked.items():
        if len(lists[label]) < count + spare:
            needs = f"{setting.name} needs {count + spare} texts labelled {label}"
            way_out = f"ETHOS has {len(lists[label])} that are only {label}: set a smaller number"
            raise BadInput(f"the setting per_category is {n}, and {needs}", way_out)
    rest = {label: lists[label][count:] for label, count in asked.items()}
    if mixed:
        for i in range(SETS):
            examples = {label: [rest[label][i]] for label in LABELS}
            for label, count in asked.items():
                for text in lists[label][:count]:
                    yield AskedAbout(text, CATEGORIES, examples, str(i + 1))
    else:
        for k, category in enumerate(CATEGORIES):
            for i in range(n):
                for text in (lists[category][i], lists[NEITHER][k * n + i]):
                    yield AskedAbout(text, (category,), _turned(rest, i))
    yield from _ambiguous(ethos, rest, mixed=mixed)


def _ambiguous(
    ethos: Ethos, rest: Mapping[str, Sequence[AskedText]], *, mixed: bool
) -> Iterator[AskedAbout]:
    for i, text in enumerate(ethos.ambiguous):
        both = replace(text, id=text.cluster, label="", groups={"label": BOTH})
        for example_set in range(SETS if mixed else 1):
            examples = _turned(rest, example_set if mixed else i)
            yield AskedAbout(both, CATEGORIES, examples, str(example_set + 1) if mixed else "")


def _turned(rest: Mapping[str, Sequence[AskedText]], by: int) -> dict[str, Sequence[AskedText]]:
    """The examples of each label, rotated by so many, so that each text is shown others."""
    return {
        label: [*texts[by % len(texts) :], *texts[: by % len(texts)]] if texts else []
        for label, texts in rest.items()
    }


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """The items of the chosen settings, about the comments of "ethos" or of a folder with its two tables.

    In zero, one and few each category is asked about in prompts of its own; in mixed and
    mixed-instruction one prompt is about all. Of these, each reply is an item of category "all" with no
    positive option, and of each category in whose one-vs-rest table the text belongs, with this category
    positive: its own, and where it has no hate label, both. A comment with both labels has the label
    "sexist and racist", no right option, and no part in any table.
    """
    values = with_defaults(SETTINGS, settings)
    chosen = choose(source, NAME, (NAME,))
    folder = chosen if isinstance(chosen, Path) else None
    if folder is not None and not folder.is_dir():
        way_out = "for texts of your own, use the study of prompt sets"
        raise BadInput("is not a folder with the two tables of ETHOS", way_out, file=str(folder))
    made = prompt_set_of(values["prompts"], reading.get("encoding", ""))
    ethos = load_ethos(folder, variant=values["variant"])
    items = hate_items(ethos, made, values)
    labels = ", ".join(f"{len(texts):,} {label}" for label, texts in ethos.by_label.items())
    notes = _notes(ethos, values["variant"])
    return about_ethos(ethos, made, items, notes, labels=labels)


def sample() -> Dataset[PromptedText]:
    """Nine made-up comments in all five settings."""
    words = {
        SEXIST: ("Girls cannot throw.", "Women should not drive.", "She only got the job for her looks."),
        RACIST: ("They all steal.", "Those people are lazy.", "Send them back where they came from."),
        NEITHER: ("What a lovely song.", "The second half is boring.", "You cannot sing at all."),
    }  # fmt: skip
    texts = {
        label: tuple(
            AskedText(f"{label}-{i}", text, label, cluster=f"{label}-{i}", where="sample")
            for i, text in enumerate(some, start=1)
        )
        for label, some in words.items()
    }
    made = published_prompts("paper")
    settings = {"zero": 2, "one": 2, "few": 1, "mixed": 1, "mixed-instruction": 1}
    items = [
        item
        for name, repeats in settings.items()
        for setting in asked_settings(made, name)
        for asked in _sampled(setting, texts)
        for item in _items(replace(setting, repeats=repeats), asked)
    ]
    return replace(dataset_of(made, items), name="hate_prompts sample", licence="CC0 1.0")


def hate_items(ethos: Ethos, made: PromptSet, values: Mapping[str, str]) -> list[PromptedText]:
    """The items of the chosen settings, in their order."""
    items: list[PromptedText] = []
    for setting in asked_settings(made, values["settings"]):
        varied = worded(changed(setting, values), values[WORDING.name])
        if not setting.by_category:
            varied = replace(varied, repeats=1)  # asked once for each set of examples
        as_published = values["variant"] == CHIU2021
        every = as_coded(ethos, setting) if as_published else drawn(ethos, setting, values)
        items += [item for asked in every for item in _items(varied, asked)]
    return items


def _items(setting: PromptSetting, asked: AskedAbout) -> Iterator[PromptedText]:
    pool = [ShownExample(t.text, label) for label, some in asked.examples.items() for t in some]
    by_category = setting.by_category
    for category in asked.categories if by_category else ("",):
        try:
            shown = chosen_examples(setting, pool, category)
        except LookupError as lacking:
            more = f"more examples labelled {lacking.args[0]!r} than there are"
            way_out = f"labels are {', '.join(LABELS)}"
            raise BadInput(f"the setting {setting.name} shows {more}", way_out) from None
        categories = (category,) if by_category else asked.categories
        number = asked.example_set
        yield from setting.items(asked.text, categories, examples=shown, example_set=number)


def _sampled(
    setting: PromptSetting, texts: Mapping[str, Sequence[AskedText]]
) -> Iterator[AskedAbout]:
    """The last comment of each label is asked about; the others are examples."""
    examples = {label: some[:-1] for label, some in texts.items()}
    number = "" if setting.by_category else "1"
    for categories in [(c,) for c in CATEGORIES] if setting.by_category else (CATEGORIES,):
        for label in (*categories, NEITHER):
            yield AskedAbout(texts[label][-1], categories, examples, number)


def _notes(ethos: Ethos, variant: str) -> Iterator[str]:
    both = f"{len(ethos.ambiguous)} comments are labelled both sexist and racist"
    if variant == CHIU2021:
        yield f"{both}, and are used under either label."
    elif ethos.ambiguous:
        yield f"{both}. They are asked about too, with the label “{BOTH}”, and are in no table."
