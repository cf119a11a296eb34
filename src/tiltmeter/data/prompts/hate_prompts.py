"""Hate detection zero-, one- and few-shot: comments of ETHOS as Chiu, Collins and Alexander 2022 ask about them.

By default the comments are drawn: for each label some to be asked about, and others as examples, so that no
setting shows an example that it asks about. `variant=chiu2021` takes the comments and examples that the
published code takes, in its order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import PromptedText
from tiltmeter.core.results import notes_of
from tiltmeter.data.ethos import CHIU2021, LABELS, NAME, NEITHER, RACIST, SEXIST, Ethos, load_ethos
from tiltmeter.data.pairs import choose
from tiltmeter.data.prompts.prompt_items import (
    asked_settings,
    changed,
    dataset_of,
    packaged,
    told_number,
)
from tiltmeter.data.prompts.prompt_set import (
    AskedText,
    Example,
    PromptSet,
    PromptSetting,
    chosen_examples,
)
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set

CATEGORIES = (SEXIST, RACIST)
SETS = 10
"""Sets of examples of the settings about all categories."""
BOTH = "sexist and racist"
DEFAULTS = {
    "settings": "zero, one, few",
    "repeats": "10",
    "temperature": "0.3",
    "prompts": "paper",
    "wrap": "auto",
    "per_category": "30",
    "drawn": "0",
    "variant": "paper",
}
PUBLISHED_PROMPTS = {"paper": "hate_paper", "code": "hate_code"}
_PER_CATEGORY = 30
_THIRD_EXAMPLE = {SEXIST: 20, RACIST: 15}
"""How far behind the first example the published code takes the third."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text, the categories that it is asked about, and the examples shown with it."""

    text: AskedText
    categories: tuple[str, ...]
    examples: Mapping[str, Sequence[AskedText]]
    """By label, in the order in which a prompt takes them."""
    example_set: str = ""


def load_hate_prompts(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,  # noqa: ARG001  (the files are what their authors made them)
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[PromptedText]:
    """The items of the chosen settings.

    In zero, one and few each category is asked about in prompts of its own; in mixed and mixed-instruction one
    prompt is about all. Of these, each reply is an item of category "all" with no positive option, and of each
    category in whose one-vs-rest table the text belongs, with this category positive: its own, and where it has
    no hate label, both. A comment with both labels has the label "sexist and racist", no right option, and no part
    in any table.

    Args:
        source: "ethos", or a folder with its two tables.
        skip_invalid: Has no effect.
        encoding: Of a prompt set given with `prompts`.
        settings: Those of DEFAULTS. `prompts` is "paper", "code", or the path of a prompt set with the same labels.
            `wrap` is "text" to continue prompts as plain text; otherwise `Prompt.chat` is True, and the rule, which
            knows the model, decides whether there is a template.

    Raises:
        BadInput: A file cannot be read, or a setting has no such value.
        BadItems: The prompt set cannot be used.
        UnknownName: The prompt set has no setting of a name.
    """
    told = DEFAULTS | dict(settings or {})
    chosen = choose(source, NAME, (NAME,))
    folder = chosen if isinstance(chosen, Path) else None
    if folder is not None and not folder.is_dir():
        reason = "is not a folder with the two tables of ETHOS"
        raise BadInput(reason, "for texts of your own, use the study of prompt sets", file=str(folder))
    made = prompt_set_of(told["prompts"], encoding)
    ethos = load_ethos(folder, variant=told["variant"])
    items = hate_items(ethos, made, told)
    data = dataset_of(made, items)
    return replace(
        ethos.about,
        items=items,
        clusters="text",
        about={**data.about, "prompt set": made.name, "labels": _counts(ethos)},
        notes=notes_of("data", _notes(ethos, told)),
    )


def sample_hate_prompts() -> Dataset[PromptedText]:
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
    made = packaged(PUBLISHED_PROMPTS["paper"], needs_texts=False)
    settings = {"zero": 2, "one": 2, "few": 1, "mixed": 1, "mixed-instruction": 1}
    items = [
        item
        for name, repeats in settings.items()
        for setting in asked_settings(made, name)
        for asked in _sampled(setting, texts)
        for item in _items(replace(setting, repeats=repeats), asked)
    ]
    return replace(dataset_of(made, items), name="hate_prompts sample", licence="CC0 1.0")


def hate_items(ethos: Ethos, made: PromptSet, told: Mapping[str, str]) -> list[PromptedText]:
    """The items of the settings that `told` names, in their order."""
    found: list[PromptedText] = []
    for setting in asked_settings(made, told["settings"]):
        varied = changed(setting, told)
        if not setting.by_category:
            varied = replace(varied, repeats=1)  # asked once for each set of examples
        every = as_coded(ethos, setting) if told["variant"] == CHIU2021 else _drawn(ethos, setting, told)
        found += [item for asked in every for item in _items(varied, asked)]
    return found


def as_coded(ethos: Ethos, setting: PromptSetting) -> Iterator[_Asked]:
    """Texts and examples as the published code takes them: in the order of the files, with their overlaps.

    Both categories share the same 30 comments without a hate label, and examples of one comment are asked about in
    another setting, or in another set of examples.
    """
    lists, n = ethos.by_label, _PER_CATEGORY
    if not setting.by_category:
        for i in range(SETS):
            examples = {label: [lists[label][i]] for label in LABELS}
            for label, few in ((RACIST, 2 * n), (SEXIST, 2 * n), (NEITHER, 4 * n)):
                for text in (t for j, t in enumerate(lists[label][: few + 1]) if j != i):
                    yield _Asked(text, CATEGORIES, examples, str(i + 1))
        return
    for category in CATEGORIES:
        own, third = lists[category], _THIRD_EXAMPLE[category]
        for i in range(n):
            examples = {
                category: [own[i + n], own[i + n + third]],
                NEITHER: [lists[NEITHER][i + n]],
            }
            for text in (own[i], lists[NEITHER][i]):
                yield _Asked(text, (category,), examples)


def _drawn(ethos: Ethos, setting: PromptSetting, told: Mapping[str, str]) -> Iterator[_Asked]:
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
            reason = f"the setting per_category is {n}, and {setting.name} needs {count + spare} texts"
            way_out = f"ETHOS has {len(lists[label])} that are only {label}: set a smaller number"
            raise BadInput(f"{reason} labelled {label}", way_out)
    rest = {label: lists[label][count:] for label, count in asked.items()}
    if mixed:
        for i in range(SETS):
            examples = {label: [rest[label][i]] for label in LABELS}
            for label, count in asked.items():
                for text in lists[label][:count]:
                    yield _Asked(text, CATEGORIES, examples, str(i + 1))
    else:
        for k, category in enumerate(CATEGORIES):
            for i in range(n):
                for text in (lists[category][i], lists[NEITHER][k * n + i]):
                    yield _Asked(text, (category,), _turned(rest, i))
    yield from _ambiguous(ethos, rest, mixed=mixed)


def _ambiguous(
    ethos: Ethos, rest: Mapping[str, Sequence[AskedText]], *, mixed: bool
) -> Iterator[_Asked]:
    for i, text in enumerate(ethos.ambiguous):
        both = replace(text, id=text.cluster, label="", groups={"label": BOTH})
        for example_set in range(SETS if mixed else 1):
            examples = _turned(rest, example_set if mixed else i)
            yield _Asked(both, CATEGORIES, examples, str(example_set + 1) if mixed else "")


def _turned(
    rest: Mapping[str, Sequence[AskedText]], by: int
) -> dict[str, Sequence[AskedText]]:
    """The examples, beginning with another one for each text."""
    return {
        label: [*texts[by % len(texts) :], *texts[: by % len(texts)]] if texts else []
        for label, texts in rest.items()
    }


def _items(setting: PromptSetting, asked: _Asked) -> Iterator[PromptedText]:
    pool = [Example(t.text, label) for label, some in asked.examples.items() for t in some]
    by_category = setting.by_category
    for category in asked.categories if by_category else ("",):
        try:
            shown = chosen_examples(setting, pool, category)
        except LookupError as lacking:
            reason = f"the setting {setting.name} shows more examples labelled {lacking.args[0]!r} than there are"
            way_out = f"labels are {', '.join(LABELS)}"
            raise BadInput(reason, way_out) from None
        yield from setting.items(
            asked.text,
            (category,) if by_category else asked.categories,
            examples=shown,
            example_set=asked.example_set,
        )


def _sampled(
    setting: PromptSetting, texts: Mapping[str, Sequence[AskedText]]
) -> Iterator[_Asked]:
    """The last comment of each label is asked about; the others are examples."""
    examples = {label: some[:-1] for label, some in texts.items()}
    for category in CATEGORIES if setting.by_category else (CATEGORIES,):
        categories = (category,) if isinstance(category, str) else category
        for label in (*categories, NEITHER):
            number = "1" if len(categories) > 1 else ""
            yield _Asked(texts[label][-1], categories, examples, number)


def prompt_set_of(named: str, encoding: str = "") -> PromptSet:
    """The prompts "paper" or "code", or a prompt set of the user's with the same labels.

    Raises:
        BadInput: The file cannot be read, or has other labels.
        BadItems: The file cannot be used.
    """
    if named in PUBLISHED_PROMPTS:
        return packaged(PUBLISHED_PROMPTS[named], needs_texts=False)
    made = read_prompt_set(named, encoding=encoding, needs_texts=False)
    for setting in made.settings:
        wrong = [label for label in LABELS if not setting.right_option(label, SEXIST)]
        if wrong or {*made.categories} != {*CATEGORIES}:
            reason = "does not fit the labels sexist, racist and neither"
            way_out = 'write categories = ["sexist", "racist"], and a truth for each label'
            raise BadInput(reason, way_out, file=made.file)
    return made


def _counts(ethos: Ethos) -> str:
    return ", ".join(f"{len(texts):,} {label}" for label, texts in ethos.by_label.items())


def _notes(ethos: Ethos, told: Mapping[str, str]) -> Iterator[str]:
    count = len(ethos.ambiguous)
    if told["variant"] == CHIU2021:
        yield f"{count} comments are labelled both sexist and racist, and are used under either label."
    elif count:
        yield (
            f"{count} comments are labelled both sexist and racist. They are asked about too, and are in no table "
            f"(label “{BOTH}”)."
        )
