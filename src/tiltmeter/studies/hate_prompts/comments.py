"""Hate detection zero-, one- and few-shot, after Chiu, Collins and Alexander 2022: comments of ETHOS.

By default the comments are drawn: for each label some to be asked about, and others as examples, so that no
setting shows an example that it asks about. `variant=chiu2021` takes the comments and examples that the
published code takes, in its order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.prompts.comment_prompts import (
    EXPLAIN,
    about_comments,
    asked_of,
    load_comments,
    prompt_set_of,
    published_prompts,
)
from tiltmeter.data.prompts.prompt_items import asked_settings, dataset_of
from tiltmeter.data.prompts.prompt_set import (
    AskedText,
    PromptSet,
    PromptSetting,
    ShownExample,
    chosen_examples,
)
from tiltmeter.data.texts.comments import KINDS, NEITHER, NONE_OF_THEM, RACIST, SEXIST, Comments
from tiltmeter.data.texts.ethos import CHIU2021
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies.hate_prompts.asked_comments import (
    BOTH,
    EXAMPLE_SETS,
    EXAMPLES,
    PER_CATEGORY,
    AskedAbout,
    asked_texts,
)

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
    EXPLAIN,
    WRAP,
    PER_CATEGORY,
    Setting("drawn", default="0", summary="Seed of the draw of comments and examples."),
    Setting(
        "variant",
        default="paper",
        summary="Comments drawn from the authors' file, or those of the published code, from its "
        "damaged copy.",
        choices=("paper", "chiu2021"),
    ),
    EXAMPLES,
    EXAMPLE_SETS,
    KINDS,
    NONE_OF_THEM,
    REFUSES,
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """The items of the chosen settings, about comments of ETHOS or the rows of a table of the user's.

    Of ETHOS, `source` is "ethos" or a folder with its two tables; a table has the columns `text` and `label`
    (see `read_comments`).

    In zero, one and few each category is asked about in prompts of its own; in mixed and
    mixed-instruction one prompt is about all. Of these, each reply is an item of category "all" with no
    positive option, and of each category in whose one-vs-rest table the text belongs, with this category
    positive: its own, and where it has no hate label, both. A comment with both labels has the label
    "sexist and racist", no right option, and no part in any table.
    """
    values = with_defaults(SETTINGS, settings)
    comments = load_comments(source, values, **reading)
    made = prompt_set_of(values["prompts"], comments, reading.get("encoding", ""))
    items = hate_items(comments, made, values)
    labels = ", ".join(f"{len(texts):,} {label}" for label, texts in comments.by_label.items())
    return about_comments(comments, made, items, _notes(comments, values), labels=labels)


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


def hate_items(
    comments: Comments, made: PromptSet, values: Mapping[str, str]
) -> list[PromptedText]:
    """The items of the chosen settings, in their order."""
    items: list[PromptedText] = []
    settings = asked_settings(made, values["settings"])
    asked_by = asked_texts(comments, settings, values)
    for setting in settings:
        varied = asked_of(setting, values, comments)
        if not setting.by_category:
            varied = replace(varied, repeats=1)  # asked once for each set of examples
        items += [item for asked in asked_by(setting) for item in _items(varied, asked)]
    return items


def _items(setting: PromptSetting, asked: AskedAbout) -> Iterator[PromptedText]:
    pool = [ShownExample(t.text, label) for label, some in asked.examples.items() for t in some]
    by_category = setting.by_category
    for category in asked.categories if by_category else ("",):
        try:
            shown = chosen_examples(setting, pool, category)
        except LookupError as lacking:
            more = f"more examples labelled {lacking.args[0]!r} than there are"
            way_out = f"labels are {', '.join(asked.examples)}; example_sets says how many of each"
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
    for categories in ((SEXIST,), (RACIST,)) if setting.by_category else ((SEXIST, RACIST),):
        for label in (*categories, NEITHER):
            yield AskedAbout(texts[label][-1], categories, examples, number)


def _notes(comments: Comments, values: Mapping[str, str]) -> Iterator[str]:
    both = f"{counted(len(comments.ambiguous), 'comments', 'are')} labelled both sexist and racist"
    if comments.own:
        if values[EXAMPLES.name] == "own":
            each = values[EXAMPLE_SETS.name]
            yield f"{each} rows of each label are set aside as examples, and not asked about."
    elif values["variant"] == CHIU2021:
        yield f"{both}, and are used under either label."
    elif comments.ambiguous:
        yield f"{both}. They are asked about too, with the label “{BOTH}”, and are in no table."
