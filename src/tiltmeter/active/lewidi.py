"""Reading the JSON files of the shared tasks Learning With Disagreements (LeWiDi)."""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from tiltmeter.data.downloads.registry import locate


def lewidi_items(name: str) -> Iterator[tuple[str, Any, dict[str, str]]]:
    """The items of a registered set: name, text, and the label of each annotator.

    Names are those of the file's part and key, as keys begin anew in each part. If an annotator is there
    twice, the first label counts.
    """
    for path, file in locate(name).files.items():
        part = PurePosixPath(path).stem.rpartition("_")[2]
        if part not in {"train", "dev", "test"}:
            continue
        for key, entry in json.loads(file.read_text("utf-8")).items():
            given = entry["annotations"]
            if isinstance(given, str):
                people = entry["annotators"].split(",")
                given = dict(zip(reversed(people), reversed(given.split(",")), strict=True))
            yield f"{part}-{key}", entry["text"], given
