"""Which comments of ETHOS the settings of hate detection ask about, and which examples they show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.errors import BadInput
from tiltmeter.data.prompts.prompt_items import told_number
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSetting
from tiltmeter.data.texts.ethos import LABELS, NEITHER, RACIST, SEXIST, Ethos

CATEGORIES = (SEXIST, RACIST)
SETS = 10
"""Sets of examples of the settings about all categories."""
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
                for text in (t for j, t in enumerate(lists[label][: few + 1]) if j != i):
                    yield AskedAbout(text, CATEGORIES, examples, str(i + 1))
        return
    for category in CATEGORIES:
        own, third = lists[category], _THIRD_EXAMPLE[category]
        for i in range(n):
            examples = {
                category: [own[i + n], own[i + n + third]],
                NEITHER: [lists[NEITHER][i + n]],
            }
            for text in (own[i], lists[NEITHER][i]):
                yield AskedAbout(text, (category,), examples)


def drawn(ethos: Ethos, setting: PromptSetting, told: Mapping[str, str]) -> Iterator[AskedAbout]:
    """Texts and examples drawn at random, none of them both in one setting."""
    n = int(told_number(told, "per_category", _PER_CATEGORY, 1, 1000, whole=True))
    seed = int(told_number(told, "drawn", 0, 0, 2**32, whole=True))
    lists = {label: ethos.shuffled(label, seed) for label in LABELS}
    mixed = not setting.by_category
    few = 2 * n if mixed else n
    asked = {SEXIST: few, RACIST: few, NEITHER: 2 * few}
    spare = SETS if mixed else min(len(setting.shown), 2)
    for label, count in asked.items():
        if len(lists[label]) < count + spare:
            reason = (
                f"the setting per_category is {n}, and {setting.name} needs {count + spare} texts"
            )
            way_out = f"ETHOS has {len(lists[label])} that are only {label}: set a smaller number"
            raise BadInput(f"{reason} labelled {label}", way_out)
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
    """The examples, beginning with another one for each text."""
    return {
        label: [*texts[by % len(texts) :], *texts[: by % len(texts)]] if texts else []
        for label, texts in rest.items()
    }
