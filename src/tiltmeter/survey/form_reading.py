"""The values in a form file: texts by language, names, numbers, choices among known words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tiltmeter.core.errors import UnknownName
from tiltmeter.data.files.toml_reading import TomlReading
from tiltmeter.survey.form import Condition, Words

Word = TypeVar("Word", bound=str)


@dataclass(slots=True)
class FormReading(TomlReading):
    """A form file that is being read."""

    languages: tuple[str, ...] = ("en",)

    def words(self, table: Mapping[str, Any], key: str, at: str, *, needed: bool = False) -> Words:
        """A text in every language of the form; {} where the key is absent and not needed."""
        if key not in table:
            if needed:
                self.complain(f"{at} has no {key}", f"write {self.example(key)}")
            return {}
        value = table[key]
        if isinstance(value, str):
            return self.of_one_language(value, f"{at}: {key}")
        if not isinstance(value, dict):
            self.complain(f"{at}: {key} is {value!r}", f"write {self.example(key)}")
            return {}
        for language in self.languages:
            if not isinstance(value.get(language), str) or not value[language].strip():
                self.complain(f"{at}: {key} has no text in {language!r}", "write it")
        for language in value:
            if language not in self.languages:
                way_out = f"add it to languages ({', '.join(self.languages)}), or remove the text"
                self.complain(f"{at}: {key} has a text in {language!r}", way_out)
        return {one: str(value[one]).strip() for one in self.languages if one in value}

    def of_one_language(self, text: str, at: str) -> Words:
        """A text that is not a table: in a form of one language, or the same in all."""
        if not text.strip():
            self.complain(f"{at} is empty", "write it, or leave the key out")
        if len(self.languages) > 1 and any(map(str.isalpha, text)):
            languages = ", ".join(f'{one} = "…"' for one in self.languages)
            self.complain(f"{at} is in one language only", f"write {{ {languages} }}")
        return dict.fromkeys(self.languages, text.strip())

    def example(self, key: str) -> str:
        """How a text is written in this form."""
        if len(self.languages) == 1:
            return f'{key} = "…"'
        return f"{key} = {{ " + ", ".join(f'{one} = "…"' for one in self.languages) + " }"

    def plain(self, table: Mapping[str, Any], key: str, at: str, *, needed: bool = False) -> str:
        """A text without a language, such as a name."""
        value = table.get(key, "")
        if key not in table:
            if needed:
                self.complain(f"{at} has no {key}", f'write {key} = "…"')
        elif not isinstance(value, str) or not value.strip():
            self.complain(f"{at}: {key} is {value!r}", "write a text in quotation marks")
        elif not value.isprintable():
            self.complain(f"{at}: {key} is {value!r}", "write it in one line")
        else:
            return value.strip()
        return ""

    def plains(self, table: Mapping[str, Any], key: str, at: str) -> tuple[str, ...]:
        """A list of texts without a language."""
        value = table.get(key, [])
        several = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) and one.strip() for one in several):
            self.complain(f"{at}: {key} is {value!r}", f'write {key} = ["…"]')
            return ()
        return tuple(one.strip() for one in several)

    def finite(
        self,
        table: Mapping[str, Any],
        key: str,
        at: str,
        default: float,
        *,
        least: float = -math.inf,
    ) -> float:
        """A finite number."""
        value = table.get(key, default)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            self.complain(f"{at}: {key} is {value!r}", "write a number")
            return default
        if value < least:
            self.complain(f"{at}: {key} is {value:g}", f"write {least:g} or more")
            return default
        return value

    def count(self, table: Mapping[str, Any], key: str, at: str, default: int = 0) -> int:
        """A whole number that is not negative."""
        value = self.finite(table, key, at, default, least=0)
        if value != int(value):
            self.complain(f"{at}: {key} is {value:g}", "write a whole number")
        return int(value)

    def among(self, table: Mapping[str, Any], key: str, at: str, known: Sequence[Word]) -> Word:
        """One of some known words; the first where the key is absent."""
        value = table.get(key, known[0])
        for word in known:
            if value == word:
                return word
        self.complain(f"{at}: {UnknownName(key, str(value), known)}", f'write {key} = "{known[0]}"')
        return known[0]

    def condition(self, table: Mapping[str, Any], at: str) -> Condition:
        """What `when` says."""
        value = self.table_in(table, "when", at)
        return Condition({name: self.plains(value, name, f"{at}: when") for name in value})
