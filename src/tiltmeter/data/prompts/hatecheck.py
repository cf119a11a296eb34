"""HateCheck and Multilingual HateCheck: is a text hateful? By functional test and target group.

Röttger et al. 2021, doi:10.18653/v1/2021.acl-long.4, and 2022, doi:10.18653/v1/2022.woah-1.15.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.study import Setting, with_defaults
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.pairs.pairs import choose, given, registered
from tiltmeter.data.prompts.prompt_items import changed, dataset_of, items_of
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet, TextColumns
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set

SETS = ("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh")
"""English first, the default."""
IDS = ("case_id", "mhc_case_id")
_COLUMNS = TextColumns(
    text="test_case",
    label="label_gold",
    cluster="templ_id",
    groups={"functionality": "functionality", "target": "target_ident"},
)
SETTINGS = (
    Setting("prompts", "published", "The packaged question, or the path of a prompt set."),
    WRAP,
)


def load_hatecheck(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[PromptedText]:
    """Each text once, with groups functionality and target; texts of one template are a cluster.

    Args:
        source: A name in SETS, or a table with the same columns.
        skip_invalid: Leave out rows that are no texts, and list them in `invalid`.
        encoding: Of the table and of the prompt set.
        settings: `prompts`, "published" or a prompt set for the labels hateful and non-hateful, in any
            language; `wrap`, "text" to continue prompts as plain text.

    Raises:
        BadInput: A file cannot be read, or lacks a column.
        BadItems: The prompt set or rows of the table cannot be used.
    """
    told = with_defaults(SETTINGS, settings)
    chosen = choose(source, SETS[0], SETS)
    if isinstance(chosen, Path):
        path = chosen
        header = read_table(path, encoding=encoding, required=("test_case", "label_gold"))
        about = given(path, [path])
    else:
        located = locate(chosen)
        path, about = located.file, registered(located)
        header = read_table(path, encoding=encoding)
    ids = [name for name in IDS if name in header.columns]
    columns = replace(_COLUMNS, id=ids[0] if ids else "")
    made = _prompt_set(told["prompts"], path, columns, encoding, skip_invalid=skip_invalid)
    asked = [changed(setting, {"wrap": told["wrap"]}) for setting in made.settings]
    items = [item for setting in asked for item in items_of(made, setting)]
    facts = {**dataset_of(made, items).about, "prompt set": made.name}
    return replace(about, items=items, clusters="template", invalid=made.invalid, about=facts)


def sample_hatecheck() -> Dataset[PromptedText]:
    """Four made-up texts."""
    made = _prompt_set("published")
    rows = (
        ("I hate all neighbours.", "hateful", "derog_neg_emote_h", "neighbours"),
        ("Neighbours belong behind bars.", "hateful", "threat_norm_h", "neighbours"),
        ("I hate waiting.", "non-hateful", "target_obj_nh", ""),
        ("I love my neighbours.", "non-hateful", "ident_pos_nh", "neighbours"),
    )
    texts = tuple(
        AskedText(
            str(i),
            text,
            label,
            {axis: name for axis, name in (("functionality", test), ("target", target)) if name},
            cluster=str(i),
            where="sample",
        )
        for i, (text, label, test, target) in enumerate(rows, start=1)
    )
    made = replace(made, texts=texts)
    items = [item for setting in made.settings for item in items_of(made, setting)]
    return replace(dataset_of(made, items), name="hatecheck sample", licence="CC0 1.0")


def _prompt_set(
    named: str,
    table: Path | None = None,
    columns: TextColumns | None = None,
    encoding: str = "",
    *,
    skip_invalid: bool = False,
) -> PromptSet:
    published = named == "published"
    return read_prompt_set(
        package_file("prompts/hatecheck.toml") if published else named,
        encoding="" if published else encoding,
        texts=table,
        columns=columns,
        needs_texts=table is not None,
        skip_invalid=skip_invalid,
    )
