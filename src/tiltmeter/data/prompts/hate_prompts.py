"""Hate detection zero-, one- and few-shot, after Chiu, Collins and Alexander 2022: comments of ETHOS.

By default the comments are drawn: for each label some to be asked about, and others as examples, so that no
setting shows an example that it asks about. `variant=chiu2021` takes the comments and examples that the
published code takes, in its order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Setting, with_defaults
from tiltmeter.data.pairs.pairs import choose
from tiltmeter.data.prompts.hate_texts import BOTH, CATEGORIES, AskedAbout, as_coded, drawn
from tiltmeter.data.prompts.prompt_items import asked_settings, changed, dataset_of, packaged
from tiltmeter.data.prompts.prompt_set import (
    AskedText,
    PromptSet,
    PromptSetting,
    ShownExample,
    chosen_examples,
)
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
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

SETTINGS = (
    Setting(
        "settings",
        "zero, one, few",
        "Which of zero, one, few, mixed and mixed-instruction, or all.",
    ),
    Setting(
        "repeats", "10", "How often each prompt about one category is asked; the paper has 100."
    ),
    Setting("temperature", "0.3", "At 0, each prompt is asked once."),
    Setting(
        "prompts",
        "paper",
        "As printed in the paper, as sent by its code (code), or the path of a prompt set.",
    ),
    WRAP,
    Setting(
        "per_category", "30", "Comments per category; the mixed settings ask about twice as many."
    ),
    Setting("drawn", "0", "Seed of the draw of comments and examples."),
    Setting(
        "variant",
        "paper",
        "Comments drawn from the authors' file, or those of the published code, from its damaged copy.",
        ("paper", "chiu2021"),
    ),
)
PUBLISHED_PROMPTS = {"paper": "hate_paper", "code": "hate_code"}


def load_hate_prompts(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,  # noqa: ARG001  (the files are what their authors made them)
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[PromptedText]:
    """The items of the chosen settings.

    In zero, one and few each category is asked about in prompts of its own; in mixed and
    mixed-instruction one prompt is about all. Of these, each reply is an item of category "all" with no
    positive option, and of each category in whose one-vs-rest table the text belongs, with this category
    positive: its own, and where it has no hate label, both. A comment with both labels has the label
    "sexist and racist", no right option, and no part in any table.

    Args:
        source: "ethos", or a folder with its two tables.
        skip_invalid: Has no effect.
        encoding: Of a prompt set given with `prompts`.
        settings: Those of SETTINGS. `prompts` is "paper", "code", or the path of a prompt set with the
            same labels. `wrap` is "text" to continue prompts as plain text; otherwise `Prompt.chat` is
            True, and the rule, which knows the model, decides whether there is a template.

    Raises:
        BadInput: A file cannot be read, or a setting has no such value.
        BadItems: The prompt set cannot be used.
        UnknownName: The prompt set has no setting of a name.
    """
    told = with_defaults(SETTINGS, settings)
    chosen = choose(source, NAME, (NAME,))
    folder = chosen if isinstance(chosen, Path) else None
    if folder is not None and not folder.is_dir():
        reason = "is not a folder with the two tables of ETHOS"
        raise BadInput(
            reason, "for texts of your own, use the study of prompt sets", file=str(folder)
        )
    made = prompt_set_of(told["prompts"], encoding)
    ethos = load_ethos(folder, variant=told["variant"])
    items = hate_items(ethos, made, told)
    data = dataset_of(made, items)
    return replace(
        ethos.about,
        items=items,
        clusters="text",
        about={
            **data.about,
            "prompt set": made.name,
            "SHA-256 of the prompt set": made.sha256,
            "labels": ", ".join(f"{len(t):,} {label}" for label, t in ethos.by_label.items()),
        },
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
        every = (
            as_coded(ethos, setting) if told["variant"] == CHIU2021 else drawn(ethos, setting, told)
        )
        found += [item for asked in every for item in _items(varied, asked)]
    return found


def _items(setting: PromptSetting, asked: AskedAbout) -> Iterator[PromptedText]:
    pool = [ShownExample(t.text, label) for label, some in asked.examples.items() for t in some]
    by_category = setting.by_category
    for category in asked.categories if by_category else ("",):
        try:
            shown = chosen_examples(setting, pool, category)
        except LookupError as lacking:
            missing = f"examples labelled {lacking.args[0]!r}"
            reason = f"the setting {setting.name} shows more {missing} than there are"
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
) -> Iterator[AskedAbout]:
    """The last comment of each label is asked about; the others are examples."""
    examples = {label: some[:-1] for label, some in texts.items()}
    for category in CATEGORIES if setting.by_category else (CATEGORIES,):
        categories = (category,) if isinstance(category, str) else category
        for label in (*categories, NEITHER):
            number = "1" if len(categories) > 1 else ""
            yield AskedAbout(texts[label][-1], categories, examples, number)


def prompt_set_of(named: str, encoding: str = "") -> PromptSet:
    """The prompts "paper" or "code", or a prompt set of the user's with the same labels.

    Raises:
        BadInput: The file cannot be read, or has other labels.
        BadItems: The file cannot be used.
        UnknownName: It is neither.
    """
    if named in PUBLISHED_PROMPTS:
        return packaged(PUBLISHED_PROMPTS[named], needs_texts=False)
    if not Path(named).suffix and not Path(named).exists():
        raise UnknownName("set of prompts", named, PUBLISHED_PROMPTS)
    made = read_prompt_set(named, encoding=encoding, needs_texts=False)
    for setting in made.settings:
        wrong = [label for label in LABELS if not setting.right_option(label, SEXIST)]
        if wrong or {*made.categories} != {*CATEGORIES}:
            reason = "does not fit the labels sexist, racist and neither"
            way_out = 'write categories = ["sexist", "racist"], and a truth for each label'
            raise BadInput(reason, way_out, file=made.file)
    return made


def _notes(ethos: Ethos, told: Mapping[str, str]) -> Iterator[str]:
    count = len(ethos.ambiguous)
    if told["variant"] == CHIU2021:
        yield f"{count} comments are labelled both sexist and racist, and are used under either label."
    elif count:
        yield (
            f"{count} comments are labelled both sexist and racist. They are asked about too, with the label "
            f"“{BOTH}”, and are in no table."
        )
