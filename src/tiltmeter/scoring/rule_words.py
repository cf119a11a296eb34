"""The words of rules: what each says of itself, and its source, in the TOML file beside this module."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict


class RuleTexts(TypedDict):
    """What a `Rule` says of itself."""

    summary: str
    source: str


RULE_WORDS: Mapping[str, Mapping[str, RuleTexts]] = tomllib.loads(
    Path(__file__).with_name("rules.toml").read_text("utf-8")
)
"""Arguments of `Rule`, by the rule's module and its name."""
