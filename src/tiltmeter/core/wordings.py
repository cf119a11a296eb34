"""The wordings of a study: the templates by which it can put the same question to a model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tiltmeter.core.conventions import Setting
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.reading.templates import filled, places
from tiltmeter.core.text import shortened

WORDING = Setting(
    "wording",
    default="",
    summary="How questions are put: the name of one of the study's wordings, or a template of yours.",
)
"""The setting of every study that has wordings; "" is the standard wording."""
AXIS = "wording"
"""The group axis that says in which of several wordings an item is asked."""
OF_VARIANCE = ", share of variance"
"""Behind the title of a measure."""
LIKE_THESE, SHARES = "_over_wordings", "_variance_share"
"""The endings of names, behind that of a measure: its mean in wordings like these, and what its variance is
from."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """The wordings that a study brings. All say the same; none asks for more or less than the others."""

    own: Mapping[str, Mapping[str, str]]
    """By kind, such as a language, the templates by name. All kinds have the same names; the first is the
    standard wording. All templates of a kind have the same places, {context} for instance."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the study's own wordings, the standard first."""
        return tuple(next(iter(self.own.values())))

    def put(self, kind: str, chosen: str, values: Mapping[str, str]) -> str:
        """The question in a wording; arguments and errors as of `template`, and `values` by place.

        >>> w = Wordings({"en": {"plain": "Is “{text}” rude?", "said": "“{text}”: is that rude?"}})
        >>> w.put("en", "said", {"text": "Hello"}), w.put("en", "Rude or not: {text}", {"text": "Hello"})
        ('“Hello”: is that rude?', 'Rude or not: Hello')
        """
        return filled(self.template(kind, chosen), values)

    def template(self, kind: str, chosen: str) -> str:
        """The template of a wording.

        Args:
            kind: The kind of template.
            chosen: The value of the setting `wording`: a name, a template, or "" for the standard wording.

        Raises:
            UnknownName: There is no such wording.
            BadInput: The template lacks a place of the kind's, or has others.
        """
        own = self.own[kind]
        name = chosen or self.names[0]
        if name in own:
            return own[name]
        if "{" not in name:
            raise UnknownName("wording", name, own)
        self.check(name, kind=kind)
        return name

    def check(self, template: str, *, kind: str = "", name: str = "", file: str = "") -> None:
        """Check the places of a user's template.

        Args:
            template: The template.
            kind: Whose places it must have; by default those that all kinds have.
            name: Its name, for the error.
            file: The file that has it, for the error.

        Raises:
            BadInput: It lacks a place, or has one that is not known.
        """
        called = f"the wording {name!r}" if name else f"the wording {shortened(template)!r}"
        kinds = [{*places(own[self.names[0]])} for k, own in self.own.items() if kind in {"", k}]
        needed, known = set.intersection(*kinds), set.union(*kinds)
        way_out = f"write a template with {_shown(needed)}"
        try:
            found = {*places(template)}
        except ValueError as error:
            raise BadInput(f"{called} {error}", "write {{ or }} for a brace", file=file) from None
        if needed - found:
            raise BadInput(f"{called} has no {_shown(needed - found)}", way_out, file=file)
        if found - known:
            reason = f"{called} has {_shown(found - known)}, which is not known"
            raise BadInput(reason, way_out, file=file)


def _shown(names: Iterable[str]) -> str:
    """Places as a template writes them.

    >>> _shown({"text", "options"})
    '{options}, {text}'
    """
    return ", ".join(f"{{{name}}}" for name in sorted(names))
