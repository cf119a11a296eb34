"""The words of a study in the TOML file beside its module: on itself, its measures and settings; samples."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypedDict

from tiltmeter.core.analysis_file import view_of
from tiltmeter.core.conventions import Convention, Setting
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.reading.typed_values import Raw, made, table_beside
from tiltmeter.core.views import View


class StudyTexts(TypedDict):
    """What a `Study` says of itself."""

    name: str
    title: str
    version: str
    source: str
    measures_what: str
    not_what: str


class MeasureTexts(TypedDict):
    """What a `Measure` says of its number."""

    summary: str
    meaning: Meaning


def _texts(table: Mapping[str, Any]) -> MeasureTexts:
    """From the fields of `Meaning`, and a summary beside them."""
    meaning = {key: value for key, value in table.items() if key != "summary"}
    return MeasureTexts(summary=table.get("summary", ""), meaning=made(Meaning, meaning))


@dataclass(frozen=True, slots=True)
class StudyWords:
    """The file; of a module that is no study itself, such as one that loads data, with a part of it only."""

    name: str
    title: str = ""
    version: str = ""
    source: str = ""
    measures_what: str = ""
    not_what: str = ""
    measures: Mapping[str, Annotated[MeasureTexts, Raw(_texts)]] = field(default_factory=dict)
    """By name, or by another name where measures of one name differ in their words."""
    conventions: tuple[Convention, ...] = ()
    """Without what is no text: `needs` and `quirks`."""
    settings: tuple[Setting, ...] = ()
    views: tuple[Annotated[View, Raw(view_of)], ...] = ()
    asks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """How a model is asked, by kind and variation."""
    sample: tuple[tuple[str, ...], ...] = ()
    """What made-up items are made of."""

    @classmethod
    def beside(cls, module: str) -> "StudyWords":
        """Those of NAME.toml for the module with the path NAME.py."""
        return made(cls, {"name": Path(module).stem, **table_beside(module)})

    @property
    def study(self) -> StudyTexts:
        """What the study says of itself, as keyword arguments of `Study`."""
        return StudyTexts(
            name=self.name, title=self.title, version=self.version, source=self.source,
            measures_what=self.measures_what, not_what=self.not_what,
        )  # fmt: skip

    def __getitem__(self, measure: str) -> MeasureTexts:
        """Arguments of `Measure`."""
        return self.measures[measure]
