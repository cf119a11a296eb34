"""A back-end's own traits are all that the rest has to know of its kind of models."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

import tiltmeter
from tiltmeter.core import finder
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import known, ours
from tiltmeter.core.model.back_ends import (
    DEFAULTS,
    Traits,
    built_in_models,
    checkpoint_of,
    kind_by_suffix,
    traits_of,
)
from tiltmeter.core.model.protocols import Writes
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import files_of, open_model, place_of, resolve
from tiltmeter.run.asking.workers import anchored, paths_of

SOURCE = Path(tiltmeter.__file__).parent
RECOGNISING = {"models/opening/model_kinds.py", "models/opening/in_memory.py"}
"""These tell kinds from configurations and classes of transformers, so they name them."""
TRAINING = {"train", "mitigate", "active"}
"""These list the networks that they can train or export."""


@pytest.fixture
def back_end(monkeypatch):
    """Makes a kind of model known, with these traits and functions."""
    monkeypatch.setattr(finder, "_ADDED", dict(finder._ADDED))

    def make(traits=None, **functions):
        module = ModuleType("parrot")
        module.answers = lambda _: (Writes,)
        module.load = lambda location, _, name, **_more: (location, name)
        for function, value in functions.items():
            setattr(module, function, value)
        if traits:
            module.TRAITS = traits
        finder.add("models", "parrot", module)

    return make


def test_a_back_end_that_declares_nothing_has_the_defaults(back_end):
    back_end()
    where = resolve("parrot:polly")
    assert where.traits is DEFAULTS
    assert (where.name, where.preparation, files_of(where, Options())) == ("parrot:polly", "", [])
    assert place_of(where, Options()) == "polly"
    with pytest.raises(BadInput, match="no start token is chosen"):
        resolve("parrot:polly", Options(start_token="<s>"))
    with pytest.raises(BadInput, match="its own tokenizer"):
        resolve("parrot:polly", Options(tokenizer="bert"))
    assert traits_of("a kind that is not installed") is DEFAULTS


def test_what_a_new_back_end_declares_is_honoured_without_a_change_elsewhere(back_end, tmp_path):
    folder = tmp_path / "polly"
    folder.mkdir()
    back_end(
        Traits(named_with_kind=True, takes_start_token=True, takes_tokenizer=True),
        files=lambda *_: [folder / "song"],
        fetched=lambda location, _, **_more: f"{location}/fetched",
        preparation=lambda _: "teaching it",
    )
    where = resolve(f"parrot:{folder}", Options(start_token="<s>", tokenizer="bert"))
    assert where.name == "parrot:polly"
    assert where.preparation == "teaching it"
    assert files_of(where, Options()) == [folder / "song"]
    assert open_model(where) == (f"{folder}/fetched", "parrot:polly")


def test_the_location_of_a_kind_without_paths_is_a_word(back_end, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("polly").mkdir()
    back_end(Traits(is_path=False))
    where = resolve("parrot:polly")
    assert anchored(where) is where
    assert paths_of(where) == []
    back_end(Traits())
    assert paths_of(where) == [tmp_path.resolve() / "polly"]


def test_every_built_in_model_can_be_opened_by_its_name():
    assert built_in_models()
    for name, (kind, _) in built_in_models().items():
        assert resolve(name).scheme == kind


def test_no_other_package_changes_what_a_plain_name_means(back_end):
    back_end(Traits(built_in={"ideal": "sings"}, suffix=".gguf"))
    assert resolve("ideal").scheme == "baseline"
    assert kind_by_suffix("a.gguf") == "gguf"


def test_checkpoints_are_what_transformers_loads():
    transformers = pytest.importorskip("transformers")
    loaded = [kind for kind in ours("models") if traits_of(kind).checkpoint]
    assert {"masked", "causal", "encoder"} <= {*loaded}
    assert all(hasattr(transformers, checkpoint_of(kind).auto) for kind in loaded)
    with pytest.raises(ValueError, match="not loaded by transformers"):
        checkpoint_of("fake")


def kinds_named(code, kinds):
    """Lines that compare a kind of model with names, or hold a set of such names."""
    for node in ast.walk(code):
        if not isinstance(node, ast.Set | ast.Tuple | ast.List | ast.Compare):
            continue
        words = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)} & kinds
        sets = not isinstance(node, ast.Compare) and len(words) > 1
        compares = isinstance(node, ast.Compare) and any(
            isinstance(n, ast.Attribute) and n.attr == "scheme" for n in ast.walk(node)
        )
        if words and (sets or compares):
            yield node.lineno


@pytest.mark.parametrize(
    "line",
    ['if where.scheme == "gguf": pass', 'UNSEEN = frozenset({"fake", "chat"})',
     'where.scheme in ("served", "x")'],
)  # fmt: skip
def test_a_kind_that_is_asked_for_by_name_is_noticed(line):
    assert [*kinds_named(ast.parse(line), {*known("models")})]


def test_modules_that_serve_all_kinds_name_none():
    kinds = {*ours("models")}
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE)
        of_one = place.parent == Path("models") and place.stem in kinds
        if not of_one and place.as_posix() not in RECOGNISING and place.parts[0] not in TRAINING:
            lines = [*kinds_named(ast.parse(path.read_text("utf-8")), kinds)]
            assert not lines, f"{place}:{lines}: declare a trait in core.back_ends instead"
