"""Patterns of regular expressions that are compiled when they are first used."""

import re
from functools import cached_property
from typing import Any, cast


class _LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        if not hasattr(re.Pattern, name):  # who looks for what no pattern has pays for none
            raise AttributeError(name)
        found = self.__dict__[name] = getattr(
            self._compiled, name
        )  # so that it is not looked up again
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, but the work is done at the first use of a method.

    For long patterns in modules that are often imported for something else: those of words in many languages
    take seconds. A pattern that is not valid is noticed at its first use.

    >>> lazy_pattern("a+").fullmatch("aaa").end()
    3
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
