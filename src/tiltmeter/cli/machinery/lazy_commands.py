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
            error.message = error.message.removeprefix(PYDANTIC_PREFIX)
            raise


class LazyGroup(TyperGroup):
    """A group whose help page is drawn without its commands."""

    def __init__(self, panels: Panels, **settings: Any) -> None:
        super().__init__(**settings)
        self._panels = panels
        for entry in chain.from_iterable(panels.values()):
            self.add_command(lazy(entry))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; of `tiltmeter` itself also an analysis that another package brings."""
        command = super().get_command(ctx, cmd_name)
        if command is not None or ctx.parent is not None:
            return command
        from tiltmeter.core.finder import known

        name = cmd_name.replace("-", "_")
        if name not in known("analyses"):
            return None
        return LazyCommand(CommandEntry(cmd_name, f"analyses:{name}", ""))

    def get_params(self, ctx: Any) -> list[Any]:
        """As `TyperGroup`, with False as the default of flags.

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

        print_help_page(self, ctx, self._panels)


def lazy(entry: CommandEntry | GroupEntry) -> LazyCommand | LazyGroup:
    """The command or group of an entry."""
    if isinstance(entry, CommandEntry):
        return LazyCommand(entry)
    return LazyGroup(
        {"Commands": entry.commands}, name=entry.name, help=entry.summary, no_args_is_help=True
    )
