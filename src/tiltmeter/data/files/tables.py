"""Reads tables in CSV, TSV, JSON, JSONL and Parquet as numbered rows.

Problems with a whole file (no header, wrong encoding, …) raise immediately; a problem with a single
row is returned with that row, so that the caller can collect all of them.
"""

import difflib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.chosen_answers import chosen_rows
from tiltmeter.data.files.likely_columns import with_likely_columns
from tiltmeter.data.files.missing_words import without_words
from tiltmeter.data.files.plain_text import first_bytes
from tiltmeter.data.files.renamed_columns import bare_column, columns_for, renamed
from tiltmeter.data.files.table import FileTable, TableRow, json_table, listed, text_table

if TYPE_CHECKING:
    from tiltmeter.data.files.parquet_file import ParquetTable

__all__ = ["FileTable", "TableRow", "read_table"]


def read_table(
    path: str | Path,
    *,
    encoding: str = "",
    required: Sequence[str] = (),
    named: Collection[str] = (),
    known: Sequence[str] | None = (),
    texts: Collection[str] | Callable[[Sequence[str]], Collection[str]] | None = (),
    way_out: str = "",
) -> FileTable:
    """Open a table; its format is recognised by its content and its suffix.

    Args:
        path: Parquet, JSON (one list of objects), JSONL, or text with commas, tabs or semicolons; the last
            three may be gzip-compressed.
        encoding: The encoding of text files; by default that of their byte order mark, else UTF-8.
        required: The columns that must exist.
        named: Those of `required` that the user named, so that it is their word that may be misspelt.
        known: Further columns that the caller reads: columns with a similar name are noted. None if the
            caller only looks at the layout.
        texts: The columns of texts, words and ids, in which a word for a missing value ("None", "null") is an
            ordinary word; or a function that gives them, given all columns. None means all columns, as does
            `known=None`.
        way_out: Advice if a required column is missing and no column has a similar name.

    Raises:
        BadInput: The file is missing, empty, of another kind, not decodable, has no header or lacks
            a required column. Iterating the rows raises it too, if the rest cannot be read.
    """
    path = Path(path)
    start = first_bytes(path)
    unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    suffix, mapped = unpacked.suffix.lower(), columns_for(path)
    if start.startswith(b"PAR1") or suffix in {".parquet", ".pq"}:
        table = _parquet(path)
    elif suffix in {".json", ".jsonl", ".ndjson"}:
        table = json_table(path, encoding)
    else:
        bare = [bare_column(name, mapped[name]) if name in mapped else name for name in required]
        table = text_table(path, encoding, bare)
    if mapped:
        table = renamed(table, mapped, () if known is None else [*required, *known])
    _check_columns(table, required, known or (), way_out, named)
    if known is None:
        return table
    if texts is not None:
        table = without_words(table, texts(table.columns) if callable(texts) else texts)
    return chosen_rows(table, path.name)


def _check_columns(
    table: FileTable,
    required: Sequence[str],
    known: Sequence[str],
    way_out: str,
    named: Collection[str],
) -> None:
    columns = [name for name in table.columns if name]
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if twice:
        reason = f"the column {twice[0]!r} occurs {table.columns.count(twice[0])} times"
        raise BadInput(reason, "rename or remove one", file=table.path.name, line=1)
    missing = [name for name in required if name not in columns]
    if missing:
        raise _missing(table, missing, way_out, named)
    for name in columns:
        near = [] if name in {*required, *known} else _close(name, set(known) - set(columns))
        if near:
            table.notes.append(f"The column {name!r} is not read; did you mean {near[0]!r}?")


def _missing(
    table: FileTable, missing: Sequence[str], way_out: str, named: Collection[str]
) -> BadInput:
    plural = "columns" if len(missing) > 1 else "column"
    reason = f"no {plural} named {', '.join(missing)} (found: {listed(table.columns)})"
    hints = []
    for name in missing:
        near = _close(name, set(table.columns) - {""})
        if near and name in named:
            hints.append(f"did you mean {near[0]!r}?")
        elif near:
            hints.append(f"found {near[0]!r}; did you mean {name!r}?")
    add = f"add {'them' if len(missing) > 1 else 'it'}, or rename one"
    general = with_likely_columns(way_out or add, table.columns)
    return BadInput(reason, " ".join(hints) or general, file=table.path.name, line=1)


def _close(name: str, others: set[str]) -> list[str]:
    """The most similar of `others`, ignoring case, spaces, dashes and underscores."""

    def plain(text: str) -> str:
        return "".join(c for c in text.lower() if c.isalnum())

    by_plain = {plain(other): other for other in sorted(others)}
    return [by_plain[p] for p in difflib.get_close_matches(plain(name), by_plain, n=2, cutoff=0.75)]


def has_columns(path: Path, columns: Sequence[str], encoding: str = "") -> bool:
    """Whether a file is a table with these columns."""
    if not path.is_file():
        return False
    try:
        read_table(path, encoding=encoding, required=columns, known=None)
    except BadInput:
        return False
    return True


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────


def _parquet(path: Path) -> FileTable:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this one format)

    from tiltmeter.data.files.parquet_file import parquet_table  # noqa: PLC0415

    try:
        table = parquet_table(path)
    except (pa.ArrowException, OSError, ValueError) as why:
        reason = f"is no Parquet file ({str(why).splitlines()[0]})"
        raise BadInput(reason, "save it anew, or as CSV or JSONL", file=path.name) from None
    if not table.file.metadata.num_rows:
        raise BadInput("there are columns, but no row", "add the rows", file=path.name)
    classes = _class_names(table.schema)
    return FileTable(path, tuple(table.schema.names), _named_classes(_parquet_rows(table), classes))


def _class_names(schema: Any) -> dict[str, Any]:
    """The features of columns with class numbers, as the datasets library recorded them in the file."""
    text = (schema.metadata or {}).get(b"huggingface", b"{}")
    try:
        features = json.loads(text)["info"]["features"]
        return {name: of for name, of in features.items() if "ClassLabel" in json.dumps(of)}
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def _named_classes(rows: Iterator[TableRow], features: Mapping[str, Any]) -> Iterator[TableRow]:
    """Yields the rows with class names in place of class numbers."""
    for row in rows if features else ():
        named = {
            name: _named(row.cells[name], of) for name, of in features.items() if name in row.cells
        }
        yield row._replace(cells={**row.cells, **named})
    yield from rows


def _named(value: Any, feature: Any) -> Any:
    """A value, and any values nested in it, with class names in place of the class numbers in its feature."""
    if isinstance(feature, list):  # how lists were written until 2025
        feature = {"_type": "List", "feature": feature[0] if feature else {}}
    if not isinstance(feature, dict):
        return value
    if feature.get("_type") == "ClassLabel":
        names = feature.get("names") or ()
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return names[value] if is_number and 0 <= value < len(names) else value
    inner = feature.get("feature", feature)
    if isinstance(value, list):
        return [_named(element, inner) for element in value]
    if isinstance(value, dict) and isinstance(
        inner, dict
    ):  # a sequence of structs is a struct of lists
        lists = "feature" in feature
        return {
            name: _named(
                of, {"feature": inner[name]} if lists and isinstance(of, list) else inner[name]
            )
            if name in inner
            else of
            for name, of in value.items()
        }
    return value


def _parquet_rows(table: "ParquetTable") -> Iterator[TableRow]:
    import pyarrow as pa  # noqa: PLC0415

    number = 0
    try:
        for batch in table.portions():
            names = batch.schema.names
            for row in zip(*map(_parquet_cells, batch.columns), strict=True):
                number += 1
                yield TableRow(number, dict(zip(names, row, strict=True)))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as why:
        reason = f"cannot be read on ({str(why).splitlines()[0]})"
        raise BadInput(
            reason, "save it anew as UTF-8", file=table.path.name, line=number + 1
        ) from None


def _parquet_cells(column: Any) -> list[Any]:
    """The values of a column; times that Python cannot represent, or in unknown time zones, as numbers."""
    import pyarrow as pa  # noqa: PLC0415

    if not pa.types.is_temporal(column.type):
        return list(column.to_pylist())
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        number = pa.int64() if column.type.bit_width == pa.int64().bit_width else pa.int32()
        return list(column.cast(number).to_pylist())
