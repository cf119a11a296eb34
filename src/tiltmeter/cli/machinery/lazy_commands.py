"""Commands that are built when they are invoked, and groups that know them by their entries alone."""

from functools import cached_property
from importlib import import_module
from itertools import chain
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from tiltmeter.cli.machinery.command_entries import CommandEntry, GroupEntry, Panels

PYDANTIC_PREFIX = "Value error, "
"""What pydantic, by which typer converts arguments, puts before the message of a ValueError."""
REFUSALS = {
    "int_parsing": "{given!r} is not a whole number",
    "float_parsing": "{given!r} is not a number",
    "greater_than_equal": "{given} is too small; give {ge} or more",
    "less_than_equal": "{given} is too large; give {le} or less",
}
"""What to say of a number, by pydantic's kind of error."""


class LazyCommand(TyperCommand):
    """Stands for a command; what the user typed after its name goes to the command itself."""

    def __init__(self, entry: CommandEntry) -> None:
        super().__init__(entry.name, help=entry.summary)
        self._entry = entry

    @cached_property
    def command(self) -> Any:
        """The command with its arguments and options; its module is imported now."""
        from tiltmeter.cli.machinery.option_parameters import expanded

        module, _, name = self._entry.where.partition(":")
        function = getattr(import_module(f"tiltmeter.cli.{module}"), name)
        alone = typer.Typer(add_completion=False)
        alone.command(self._entry.name)(expanded(function))
        return typer.main.get_command(alone)

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Parse what was typed; from here on, the context's command is the real one."""
        try:
            return self.command.make_context(info_name, args, parent, **extra)
        except typer.BadParameter as error:
            error.message = _plain_message(error)
            raise


def _plain_message(error: typer.BadParameter) -> str:
    """The message of a value that cannot be used, without the words of pydantic."""
    errors = getattr(error.__cause__, "errors", None)
    first = errors()[0] if errors else {}
    refusal = REFUSALS.get(first.get("type", ""))
    if refusal is None:
        return error.message.removeprefix(PYDANTIC_PREFIX)
    return refusal.format(given=first["input"], **first.get("ctx", {}))


class LazyGroup(TyperGroup):
    """A group whose help page is drawn without its commands."""

    def __init__(
        self, panels: Panels, plugins: tuple[str, str] | None = None, **settings: Any
    ) -> None:
        super().__init__(**settings)
        self._panels = panels
        self._plugins = plugins
        for entry in chain.from_iterable(panels.values()):
            self.add_command(lazy(entry))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, also one that another package brings."""
        command = super().get_command(ctx, cmd_name)
        if command is not None or self._plugins is None:
            return command
        return next((lazy(e) for e in self._of_others() if e.name == cmd_name), None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words name.

        Raises:
            UsageError: There is none. The message says where a command of this name is, if there is one in
                another group, or which names are similar.
        """
        if args and args[0][:1] != "-" and self.get_command(ctx, args[0]) is None:
            from tiltmeter.cli.machinery.command_tree import places_of

            if places := places_of(args[0]):
                meant = " or ".join(f"'tiltmeter {place}'" for place in places)
                ctx.fail(f"No such command {args[0]!r}. Did you mean {meant}?")
        return super().resolve_command(ctx, args)

    def _of_others(self) -> list[CommandEntry]:
        """Commands that other packages bring."""
        from tiltmeter.core.finder import known, ours

        if self._plugins is None:
            return []
        kind, module = self._plugins
        theirs = sorted({*known(kind)} - {*ours(kind)})
        return [CommandEntry(name.replace("_", "-"), f"{module}:{name}", "") for name in theirs]

    def get_params(self, ctx: Any) -> list[Any]:
        """Like `TyperGroup`, with False as the default of flags.

        That of `--help` and of those for completion is None, for which typer imports pydantic.
        """
        parameters = super().get_params(ctx)
        for parameter in parameters:
            if getattr(parameter, "is_flag", False) and parameter.default is None:
                parameter.default = False
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 it is printed, as typer does
        """Print the help page, drawn from the table of commands."""
        from tiltmeter.cli.help_page import print_help_page

        others = tuple(entry._replace(summary=_summary(entry)) for entry in self._of_others())
        panels = {**self._panels, "Of other packages": others} if others else self._panels
        print_help_page(self, ctx, panels)


def _summary(entry: CommandEntry) -> str:
    """What the command says of itself, of one that no table describes."""
    return (LazyCommand(entry).command.help or "").partition("\n\n")[0]


def lazy(entry: CommandEntry | GroupEntry) -> LazyCommand | LazyGroup:
    """The command or group of an entry."""
    if isinstance(entry, CommandEntry):
        return LazyCommand(entry)
    panels: dict[str, tuple[CommandEntry | GroupEntry, ...]] = {}
    for each in entry.commands:
        panels[each.panel] = (*panels.get(each.panel, ()), each)
    return LazyGroup(
        panels, entry.plugins, name=entry.name, help=entry.summary, no_args_is_help=True
    )
