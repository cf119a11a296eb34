"""Files of answers that hold the questions too."""

from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput


def refuse_data(items: Dataset[Any] | None, path: Path, has: str) -> None:
    """Refuse `--data` beside such a file; `has` says what the file has, "the file has the questions".

    Raises:
        BadInput: There is a data set.
    """
    if items is not None:
        way_out = "leave out --data, or give replies with replay:FILE"
        raise BadInput(f"{has} as well", way_out, file=path.name)
