"""Adds results to an existing model card without touching what others wrote in it.

In the text, our section is enclosed by two comments that name it. In the metadata, only the `model-index`
block is rewritten, so that all other keys keep their order, formatting and comments.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, extra
from tiltmeter.report.model_card import Metadata, ModelCardSection

INDEX = "model-index"
_FRONT = re.compile(r"\A(\s*---[ \t]*\n)(.*?)(^---[ \t]*(?:\n|\Z))", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(rf"^{INDEX}[ \t]*:.*?(?=^[^\s#\-]|\Z)", re.DOTALL | re.MULTILINE)
_TRAILING = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?\n)+\Z", re.MULTILINE)
"""Blank lines and comments at the end of a block; they belong to the key that follows."""


def updated_card(text: str, section: ModelCardSection, *, file: str = "") -> str:
    """The text of a card with this section and its metadata; earlier ones with the same key are replaced.

    A `text` of "" makes a new card. Error messages name the `file`.

    Raises:
        BadInput: The metadata cannot be read, or do not have the hub's form.
        MissingExtra: PyYAML is not installed.
    """
    ends = "\r\n" if "\r\n" in text else "\n"
    front, body = _parted(text.replace("\r\n", "\n"), file)
    front = _with_index(front, section.model_index, file)
    whole = f"---\n{front}---\n{_with_section(body, section)}"
    return whole.replace("\n", ends)


def read_card(path: Path) -> str:
    """The text of a card; "" where the file does not exist yet.

    Raises:
        BadInput: The file cannot be read, or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadInput("is not UTF-8", "save it as UTF-8", file=str(path)) from error
    except OSError as error:
        raise BadInput(
            f"cannot be read: {error.strerror}", "check the path", file=str(path)
        ) from error


def _parted(text: str, file: str) -> tuple[str, str]:
    """The metadata without the lines `---` around them, and the text after them."""
    match = _FRONT.match(text)
    if match:
        return match[2], text[match.end() :]
    if text.lstrip().startswith("---\n"):
        raise BadInput("the metadata have no end", "close them with a line ---", file=file)
    return "", f"\n{text}" if text else ""


def _with_section(body: str, section: ModelCardSection) -> str:
    first, last = f"<!-- tiltmeter {section.key} -->", f"<!-- /tiltmeter {section.key} -->"
    new = f"{first}\n{section.markdown}{last}"
    start, end = body.find(first), body.find(last)
    if 0 <= start < end:
        return body[:start] + new + body[end + len(last) :]
    before = body.rstrip("\n")
    return f"{before}\n\n{new}\n" if before.strip() else f"\n{new}\n"


def _with_index(front: str, index: Sequence[Metadata], file: str) -> str:
    """The metadata with the results merged into the block of their model index.

    The block is replaced as text, since writing all metadata anew would lose comments and formatting.
    """
    known = _loaded(front, file)
    merged = _merged(known.get(INDEX), index, file)
    options = {"sort_keys": False, "allow_unicode": True, "width": 1000}
    block = str(_yaml().safe_dump({INDEX: merged}, **options))
    if INDEX not in known:
        return (front if not front or front.endswith("\n") else f"{front}\n") + block
    match = _BLOCK.search(front)
    kept = _TRAILING.search(match[0]) if match else None
    new = "" if match is None else (
        front[: match.start()] + block + (kept[0] if kept else "") + front[match.end() :]
    )  # fmt: skip
    # The pattern knows only block style: read the outcome back rather than damage, say, a flow mapping.
    if not new or _loaded(new, file) != {**known, INDEX: merged}:
        raise BadInput(
            f"{INDEX} is written in a form that cannot be changed safely",
            f"write it as a block of its own, or remove it: {INDEX}:",
            file=file,
        )
    return new


def _merged(known: Any, new: Sequence[Metadata], file: str) -> list[Metadata]:
    """The existing model index with the new results, which replace those of the same study and rule."""
    if not known:
        return list(new)
    first = known[0] if isinstance(known, list) else None
    if not isinstance(first, Mapping) or not isinstance(first.get("results", []), list):
        raise BadInput(f"{INDEX} is not a list of models with results", "correct it", file=file)
    fresh = [result for entry in new for result in entry["results"]]
    same = [_identity(result) for result in fresh]
    kept = [result for result in first.get("results", []) if _identity(result) not in same]
    return [{**first, "results": [*kept, *fresh]}, *known[1:]]


def _identity(result: Any) -> tuple[object, ...] | None:
    """A key of task, data, study, rule and convention; None for results that others wrote in another form."""
    try:
        args = result["metrics"][0]["args"]
        data = result["dataset"]
        task = result["task"]["type"]
        return task, data["type"], data["config"], args["rule"], args["convention"]
    except (KeyError, IndexError, TypeError):
        return None


def _loaded(text: str, file: str) -> dict[str, Any]:
    yaml = _yaml()
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        raise BadInput(
            "the metadata are not valid YAML", "correct them",
            file=file, line=None if line is None else line + 2,  # counted from 0, after the first "---"
        ) from error  # fmt: skip
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise BadInput("the metadata are not names with values", "correct them", file=file)
    return values


def _yaml() -> Any:
    with extra("The metadata of a model card", "hf"):
        import yaml  # noqa: PLC0415  # of the extra [hf]
    return yaml
