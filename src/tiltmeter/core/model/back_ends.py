"""What a back-end declares of its kind of models: `TRAITS` in its module, found by the kind's name.

Modules that serve every kind ask for a trait and never for a kind by name, so that a new back-end needs no
change elsewhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tiltmeter.core.finder import find, known, ours


class Checkpoint(NamedTuple):
    """Models in the format of transformers: a folder or a hub id, whose configuration tells the kind."""

    auto: str
    """The class of transformers that loads them."""
    words: str
    """What to call one, in messages: "masked language model"."""
    framed: bool = False
    """Whether texts are read between special tokens, which its tokenizer should add."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is true of all models of a kind; a back-end that declares nothing has the defaults."""

    checkpoint: Checkpoint | None = None
    """How transformers loads them; None where the back-end reads its models in another way."""
    suffix: str = ""
    """A file whose name ends so is of this kind without being told, such as ".gguf"."""
    usual_answers: tuple[type, ...] = ()
    """The protocols that models of the kind usually satisfy, for one whose files are not here; () where that
    depends on the model."""
    form: tuple[str, str] | None = None
    """How models are written that need their kind before the name, and what they are, for lists; None where a
    plain name does."""
    built_in: Mapping[str, str] = field(default_factory=dict)
    """Models that are part of the program, by what users type, and what each does."""
    is_path: bool = True
    """Whether the location may be a path; False where it is a word, as of `fake:masked`."""
    named_with_kind: bool = False
    """Whether results keep `KIND:` before the names of the folders, which alone would not say what it is."""
    is_baseline: bool = False
    """Whether they are rules in place of a model: they mark an end of a scale and are not ranked."""
    takes_start_token: bool = False
    """Whether `options.start_token` is honoured; it is refused otherwise."""
    takes_tokenizer: bool = False
    """Whether `options.tokenizer` is honoured; it is refused otherwise."""
    takes_change: bool = False
    """Whether `options.change` is honoured: their hidden states can be changed while they are read."""
    answers_elsewhere: bool = False
    """Whether another process answers `options.at_once` requests at a time, and the model has `in_turn`, so
    that several studies may ask it at the same time."""
    takes_skip_invalid: bool = False
    """Whether `options.skip_invalid` is honoured: its file has lines that may be left out."""
    judges_in_words: bool = False
    """Whether one as a judge writes its label; of others the likeliest label counts."""
    hub_task: tuple[str, str] | None = None
    """The hub's id and name of what they do, for a model card; None where it has none."""


DEFAULTS = Traits()


def traits_of(kind: str) -> Traits:
    """The traits of a kind of model; the defaults where it is not installed here, as of somebody else's card.

    >>> traits_of("causal").takes_change, traits_of("of another program").takes_change
    (True, False)
    """
    if kind not in known("models"):
        return DEFAULTS
    traits: Traits = find("models", kind, "TRAITS", DEFAULTS)
    return traits


def optional_function(kind: str, name: str) -> Callable[..., Any] | None:
    """A function that a back-end may have, such as `files`, `preparation` or `memory`; None without it.

    docs/extend/add-a-model.md says what each takes and returns.

    >>> optional_function("gguf", "preparation") is None, optional_function("fake", "preparation") is None
    (False, True)
    """
    function: Callable[..., Any] | None
    function = find("models", kind, name, None) if kind in known("models") else None
    return function


def checkpoint_of(kind: str) -> Checkpoint:
    """How transformers loads models of a kind that are checkpoints.

    >>> checkpoint_of("masked").words
    'masked language model'
    """
    checkpoint = traits_of(kind).checkpoint
    if checkpoint is None:
        raise ValueError(f"models of kind {kind!r} are not loaded by transformers")
    return checkpoint


def built_in_models() -> dict[str, tuple[str, str]]:
    """Models that need neither files nor a kind before their names: kind and description by name.

    Other packages cannot add any: what a plain name means should not depend on what is installed.

    >>> built_in_models()["ideal"]
    ('baseline', 'knows every meaningful candidate, prefers neither')
    """
    return {
        name: (kind, what)
        for kind in ours("models")
        for name, what in traits_of(kind).built_in.items()
    }


def model_forms() -> dict[str, str]:
    """How models are written that need their kind before the name, and what they are.

    >>> model_forms()["replay:FILE"]
    'replies stored in a table'
    """
    forms = (traits_of(kind).form for kind in known("models"))
    return dict(form for form in forms if form is not None)


def kind_by_suffix(file_name: str) -> str:
    """The kind whose files end so; "" where there is none.

    >>> kind_by_suffix("model.Q4_K_M.gguf"), kind_by_suffix("openai-community/gpt2")
    ('gguf', '')
    """
    if "." not in file_name:  # most names: no back-end has to be imported
        return ""
    suffixes = ((traits_of(kind).suffix, kind) for kind in ours("models"))
    return next((kind for suffix, kind in suffixes if suffix and file_name.endswith(suffix)), "")
