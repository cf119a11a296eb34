"""Which comments a setting asks about, and which examples it shows with each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.conventions import Setting
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.text import counted
from tiltmeter.data.prompts.prompt_items import whole_setting
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSetting
from tiltmeter.data.texts.comments import LABELS, NEITHER, RACIST, SEXIST, Comments, same_text
from tiltmeter.data.texts.ethos import CHIU2021, load_ethos

PER_CATEGORY = Setting(
    "per_category",
    default="",
    summary="Comments per category; the mixed settings ask about twice as many (default: 30, and of a table "
    "of your own all).",
)
EXAMPLES = Setting(
    "examples",
    default="paper",
    summary="Of a table of your own: examples from ETHOS as the paper has them, or rows of the table (own), "
    "which are then not asked about.",
    choices=("paper", "own"),
)
EXAMPLE_SETS = Setting(
    "example_sets",
    default="10",
    summary="How many sets of examples the mixed settings have; with examples=own, as many rows of each "
    "label are set aside.",
)
OWN_ROWS = "show rows of the table with --set examples=own"
BOTH = "sexist and racist"
_SETS, _PER_CATEGORY = 10, 30
_MOST_SETS = 30
_THIRD_EXAMPLE = {SEXIST: 20, RACIST: 15}
"""How far behind the first example the published code takes the third."""
Pool = Mapping[str, Sequence[AskedText]]
"""The texts to draw examples from, by label."""


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A text, the categories that it is asked about, and the examples shown with it."""

    text: AskedText
    categories: tuple[str, ...]
    examples: Pool
    """By label, in the order in which a prompt takes them."""
    example_set: str = ""


def asked_texts(
    comments: Comments, settings: Sequence[PromptSetting], values: Mapping[str, str]
) -> Callable[[PromptSetting], Iterator[AskedAbout]]:
    """What a setting asks about: as published, drawn of ETHOS, or the rows of a table of the user's.

    Args:
        comments: Those of ETHOS or of the table.
        settings: All settings of the run.
        values: The user's settings of the study.

    Raises:
        BadInput: There are too few comments with a label, or no examples; or a number is out of range.
        Unavailable: The examples of the paper cannot be fetched.
    """
    if not comments.own:
        if values[EXAMPLES.name] != EXAMPLES.default:
            reason = f"the setting {EXAMPLES.name} is about a table of your own"
            raise BadInput(
                reason, "name it with --data FILE; of ETHOS, examples are never asked about"
            )
        by_code = values["variant"] == CHIU2021
        return lambda setting: (as_coded if by_code else drawn)(comments, setting, values)
    if values[EXAMPLES.name] == "own":
        table, pool = _set_aside(comments, values)
    else:
        table, pool = comments, {}
        if any(setting.shown for setting in settings):
            pool = _published_examples(comments, values)
    return lambda setting: of_table(table, pool, setting, values)


def as_coded(
    ethos: Comments, setting: PromptSetting, values: Mapping[str, str]
) -> Iterator[AskedAbout]:
    """Texts and examples as the published code takes them: in the order of the files, with their overlaps.

    Both categories share the same 30 comments without a hate label, and examples of one comment are asked
    about in another setting, or in another set of examples.
    """
    lists, n = ethos.by_label, _PER_CATEGORY
    if not setting.by_category:
        for i in range(_sets(values)):
            examples = {label: [lists[label][i]] for label in LABELS}
            for label, few in ((RACIST, 2 * n), (SEXIST, 2 * n), (NEITHER, 4 * n)):
                # One more than are asked about, because the example is among them and left out.
                for text in (t for j, t in enumerate(lists[label][: few + 1]) if j != i):
                    yield AskedAbout(text, ethos.kinds, examples, str(i + 1))
        return
    for category in ethos.kinds:
        for i in range(n):
            for text in (lists[category][i], lists[NEITHER][i]):
                yield AskedAbout(text, (category,), _coded_examples(lists, category, NEITHER, i))


def _coded_examples(lists: Pool, category: str, neither: str, i: int) -> Pool:
    """The examples that the published code shows with the text at place i, of 30."""
    texts, at = lists[category], i % _PER_CATEGORY + _PER_CATEGORY
    first, second = (texts[k % len(texts)] for k in (at, at + _THIRD_EXAMPLE[category]))
    others = lists[neither]
    return {category: [first, second], neither: [others[at % len(others)]]}


def drawn(
    ethos: Comments, setting: PromptSetting, values: Mapping[str, str]
) -> Iterator[AskedAbout]:
    """Texts and examples drawn at random, none of them both in one setting."""
    n = _per_category(values) or _PER_CATEGORY
    seed, sets = _seed(values), _sets(values)
    lists = {label: ethos.shuffled(label, seed) for label in LABELS}
    mixed = not setting.by_category
    few = 2 * n if mixed else n
    asked = {SEXIST: few, RACIST: few, NEITHER: 2 * few}
    spare = sets if mixed else min(len(setting.shown), 2)
    for label, count in asked.items():
        if len(lists[label]) < count + spare:
            needs = f"{setting.name} needs {count + spare} texts labelled {label}"
            way_out = f"ETHOS has {len(lists[label])} that are only {label}: set a smaller number"
            raise BadInput(f"the setting per_category is {n}, and {needs}", way_out)
    rest: Pool = {label: lists[label][count:] for label, count in asked.items()}
    examples: Pool
    if mixed:
        for i in range(sets):
            examples = {label: [rest[label][i]] for label in LABELS}
            for label, count in asked.items():
                for text in lists[label][:count]:
                    yield AskedAbout(text, ethos.kinds, examples, str(i + 1))
    else:
        for k, category in enumerate(ethos.kinds):
            for i in range(n):
                for text in (lists[category][i], lists[NEITHER][k * n + i]):
                    yield AskedAbout(text, (category,), _turned(rest, i))
    yield from _ambiguous(ethos, rest, sets if mixed else 0)


def _ambiguous(ethos: Comments, rest: Pool, sets: int) -> Iterator[AskedAbout]:
    """The comments with two labels, with each set of examples; 0 sets where each text has its own."""
    for i, text in enumerate(ethos.ambiguous):
        both = replace(text, id=text.cluster, label="", groups={"label": BOTH})
        for example_set in range(sets or 1):
            examples = _turned(rest, example_set if sets else i)
            yield AskedAbout(both, ethos.kinds, examples, str(example_set + 1) if sets else "")


def of_table(
    table: Comments, pool: Pool, setting: PromptSetting, values: Mapping[str, str]
) -> Iterator[AskedAbout]:
    """Each row of a kind asked about this kind, and each of no kind about all; or a draw of them.

    Args:
        table: The rows that may be asked about.
        pool: The examples by label, none of them a row of the table.
        setting: Says which examples are shown.
        values: The user's settings of the study.
    """
    n = _per_category(values)
    mixed = not setting.by_category
    texts = {
        label: _some(table, label, n and (2 * n if mixed else n), values) for label in table.labels
    }
    if mixed:
        for i in range(_sets(values)):
            examples = {label: [shown[i]] for label, shown in pool.items()}
            for text in (text for label in table.labels for text in texts[label]):
                yield AskedAbout(text, table.kinds, examples, str(i + 1))
        return
    as_published = values[EXAMPLES.name] == "paper" and values["variant"] == CHIU2021
    for kind in table.kinds:
        for i, text in enumerate((*texts[kind], *texts[table.neither])):
            shown = (
                _coded_examples(pool, kind, table.neither, i)
                if as_published and pool
                else _turned(pool, i)
            )
            yield AskedAbout(text, (kind,), shown)


def _some(
    table: Comments, label: str, count: int, values: Mapping[str, str]
) -> Sequence[AskedText]:
    """So many of the rows with a label, drawn at random; all where the count is 0."""
    texts = table.by_label[label]
    if len(texts) < count:
        needs = f"needs {count} texts labelled {label!r}"
        reason = f"the setting per_category {needs}, and there are {len(texts)}"
        raise BadInput(
            reason, "set a smaller number, or leave it out to ask about all", file=table.about.name
        )
    return table.shuffled(label, _seed(values))[:count] if count else texts


def _set_aside(table: Comments, values: Mapping[str, str]) -> tuple[Comments, Pool]:
    """The rows that are asked about, and those that are examples, of each label the same number."""
    sets = _sets(values)
    pool: dict[str, Sequence[AskedText]] = {}
    for label, texts in table.by_label.items():
        if len(texts) <= sets:
            aside = f"sets {counted(sets, 'texts')} of each label aside"
            reason = f"examples=own {aside}, and {label!r} has {len(texts)}"
            way_out = "set example_sets to a smaller number, or leave examples=own out"
            raise BadInput(reason, way_out, file=table.about.name)
        pool[label] = table.shuffled(label, _seed(values))[:sets]
    shown = {text.id for texts in pool.values() for text in texts}
    rest = {
        label: tuple(text for text in texts if text.id not in shown)
        for label, texts in table.by_label.items()
    }
    return replace(table, by_label=rest), pool


def _published_examples(table: Comments, values: Mapping[str, str]) -> Pool:
    """Comments of ETHOS in the order in which the paper's settings show them, by the table's labels.

    Those that are in the table too are left out.
    """
    if lacking := [kind for kind in table.kinds if kind not in LABELS]:
        reason = f"the paper has no examples of {', '.join(map(repr, lacking))}"
        way_out = f"{OWN_ROWS}, or ask without examples: --set settings=zero"
        raise BadInput(reason, way_out, file=table.about.name)
    variant, seed = values["variant"], _seed(values)
    try:
        ethos = load_ethos(variant=variant)
    except Unavailable as error:
        raise Unavailable(f"the paper's examples: {error}; or {OWN_ROWS}") from error
    asked = {same_text(text.text) for texts in table.by_label.values() for text in texts}
    pool = {}
    for label in table.labels:
        of = NEITHER if label == table.neither else label
        texts = ethos.by_label[of] if variant == CHIU2021 else ethos.shuffled(of, seed)
        pool[label] = [text for text in texts if same_text(text.text) not in asked]
        if len(pool[label]) < max(_sets(values), 2):
            reason = f"nearly all examples of the paper labelled {of!r} are in the table itself"
            raise BadInput(reason, OWN_ROWS, file=table.about.name)
    return pool


def _turned(rest: Pool, by: int) -> Pool:
    """The examples of each label, rotated by so many, so that each text is shown others."""
    return {
        label: [*texts[by % len(texts) :], *texts[: by % len(texts)]] if texts else []
        for label, texts in rest.items()
    }


def _per_category(values: Mapping[str, str]) -> int:
    """As the user sets it; 0 where they do not."""
    is_set = bool(values[PER_CATEGORY.name].strip())
    return whole_setting(values, PER_CATEGORY.name, 1, 1, 100_000) if is_set else 0


def _seed(values: Mapping[str, str]) -> int:
    return whole_setting(values, "drawn", 0, 0, 2**32)


def _sets(values: Mapping[str, str]) -> int:
    return whole_setting(values, EXAMPLE_SETS.name, _SETS, 1, _MOST_SETS)
