"""Commands whose parameters are dataclasses of options: each option becomes one on the command line.

    def fit(config: FitConfig, *, as_json: Json = False) -> None: ...
    def show(opening: Annotated[Options, only(SharedOptions, "revision")]) -> None: ...
    def audit(given: Annotated[dict[str, Any], GivenOptions(Options)]) -> None: ...

The dataclass is made, and so checked, before the command's code runs. A parameter may also be a single
`Option`, as `Annotated[str, Option("Device: auto, cpu, …")]`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import data_file
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option, OptionField, option_field, options_of


@dataclass(frozen=True, slots=True)
class Subset:
    """Which options of a dataclass a command has; the others keep their defaults."""

    names: frozenset[str] | None
    """Fields of the dataclass that the command honours; None for all."""

    def has(self, name: str) -> bool:
        """Whether the command has the field of this name."""
        return self.names is None or name in self.names


EVERY = Subset(None)


def only(*honoured: str | type) -> Subset:
    """Take only these fields of the dataclass, and all options of the bases that are named: a group.

    There is no way to name what a command lacks, so that an option which is added later reaches only commands
    that asked for it.
    """
    named = (
        [each] if isinstance(each, str) else [option.name for option in options_of(each).values()]
        for each in honoured
    )
    return Subset(frozenset(name for names in named for name in names))


@dataclass(frozen=True, slots=True)
class GivenOptions:
    """Marks a parameter that gets the options that the user typed, by field, and no defaults."""

    owner: type
    subset: Subset = EVERY


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer takes it, with a parameter for each option of its dataclasses."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, _Group] = {}
    singles: dict[str, OptionField] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if group := _group(hint):
            groups[parameter.name] = group
            parameters += group.parameters()
        elif option := _option(parameter, hint):
            singles[parameter.name] = option
            parameters.append(_parameter(option, option.default))
        else:
            parameters.append(parameter.replace(annotation=hint))

    @wraps(command)
    def call(**values: Any) -> None:
        for name, option in singles.items():
            typed = values[name]
            values[name] = option.default if typed is None else _value(option, typed)
        for name, group in groups.items():
            values[name] = group.value(values)
        command(**{name: values[name] for name in hints if name in values})

    # Only keywords may follow in any order, whether they have a default or not.
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [mark.replace(kind=mark.KEYWORD_ONLY) for mark in parameters]
    )
    call.__annotations__ = {mark.name: mark.annotation for mark in parameters}
    return call


@dataclass(frozen=True, slots=True)
class _Group:
    """The options of one dataclass."""

    owner: type
    options: tuple[OptionField, ...]
    only_given: bool

    inner: Mapping[str, "_Group"]
    """Dataclasses of options that are fields of this one."""

    def parameters(self) -> list[inspect.Parameter]:
        """All options, those of inner dataclasses last; where only what is typed counts, without defaults."""
        none = {True: False, False: None}
        defaults = (none[o.type is bool] if self.only_given else o.default for o in self.options)
        inner = (parameter for group in self.inner.values() for parameter in group.parameters())
        return [*map(_parameter, self.options, defaults), *inner]

    def value(self, typed: Mapping[str, Any]) -> Any:
        """The dataclass, or the options that were typed; None counts as not typed."""
        values = {
            option.name: _value(option, typed[option.name])
            for option in self.options
            if typed[option.name] is not None
        }
        if self.only_given:
            return {name: value for name, value in values.items() if value is not False}
        return self.owner(**values, **{name: g.value(typed) for name, g in self.inner.items()})


def _group(hint: Any) -> _Group | None:
    owner, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    given = next((mark for mark in marks if isinstance(mark, GivenOptions)), None)
    if given:
        owner, marks = given.owner, [given.subset]
    if not isinstance(owner, type) or not is_dataclass(owner):
        return None
    subset = next((mark for mark in marks if isinstance(mark, Subset)), EVERY)
    options = options_of(owner).values()
    if unknown := (subset.names or frozenset()) - {option.name for option in options}:
        raise TypeError(f"{owner.__name__} has no options {', '.join(sorted(unknown))}")
    kept = (option for option in options if subset.has(option.name))
    inner = {f.name: group for f in fields(owner) if (group := _group(f.type))}
    return _Group(owner, tuple(kept), given is not None, inner)


def _option(parameter: inspect.Parameter, hint: Any) -> OptionField | None:
    """The option that a parameter is by itself, where it is no dataclass of them and not typer's."""
    marks = getattr(hint, "__metadata__", ())
    option = next((mark for mark in marks if isinstance(mark, Option)), None)
    default = MISSING if parameter.default is parameter.empty else parameter.default
    return option_field(parameter.name, option, hint, default) if option else None


def _parameter(field: OptionField, default: Any) -> inspect.Parameter:
    option, kind = field.option, _typed(field)
    words = completion.words(*option.choices) if option.choices else None
    about: dict[str, Any] = {
        "help": option.help,
        "metavar": option.metavar,
        "min": option.min,
        "max": option.max,
        "autocompletion": getattr(completion, option.complete) if option.complete else words,
    }
    if option.file:
        about |= {"parser": partial(_file, field), "metavar": option.metavar or "FILE"}
    elif Path in {kind, *get_args(kind)}:
        about["path_type"] = (
            str  # `_value` makes paths, of which an empty one is the current folder
        )
    name = f"-{option.letter}" if option.letter else f"--{field.key}"
    info = typer.Argument(**about) if option.argument else typer.Option(name, **about)
    if default is MISSING:
        default = inspect.Parameter.empty
    elif default is None or isinstance(default, Mapping | tuple) or (option.file and not default):
        default, kind = None, kind | None
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, info],
    )


def _typed(field: OptionField) -> Any:
    """The type that typer makes of what was typed."""
    origin = get_origin(field.type)
    if origin is Mapping:
        return list[str]
    several = origin in (tuple, list)
    kind = Path if field.option.file else get_args(field.type)[0] if several else field.type
    return list[kind] if several else kind  # type: ignore[valid-type]


def _file(field: OptionField, typed: str) -> Path:
    """The file that was typed; one of the hub is fetched."""
    _refuse_empty(field, typed)
    return data_file(typed)


def _refuse_empty(field: OptionField, typed: object) -> None:
    """Refuse an empty text, as of `--out "$FOLDER"` where the variable is not set.

    Raises:
        BadInput: It is empty, and of an option for which that says nothing.
    """
    texts = typed if isinstance(typed, list | tuple) else [typed]
    if "" in texts and field.default != "" and not field.option.may_be_empty:
        called = f"the argument {field.key}" if field.option.argument else f"--{field.key}"
        raise BadInput(f"{called} is empty", "give a value, or leave it out")


def _value(field: OptionField, typed: Any) -> Any:
    """The field's value for what was typed."""
    _refuse_empty(field, typed)
    if field.option.parse is not None:
        return field.option.parse(typed)
    if get_origin(field.type) in {tuple, list}:
        member, several = get_args(field.type)[0], get_origin(field.type)
        return several(map(member, typed) if member in {str, Path} else typed)
    return field.type(typed) if field.type in {str, Path} else typed
