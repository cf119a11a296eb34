"""Imports only ever point down, and everything but the back-ends loads without torch."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "tiltmeter"
FILES = sorted(ROOT.rglob("*.py"))
ORDER = [
    "core",
    "stats",
    "metrics",
    "scoring",
    "study_families",
    "studies",
    "run",
    "derived",
    "report",
    "analyses",
    "papers",
    "cli",
]
ALLOWED = {here: set(ORDER[: at + 1]) for at, here in enumerate(ORDER)}
for above in ("study_families", "studies", "run", "derived", "report", "analyses", "papers", "cli"):
    ALLOWED[above].add("data")
ALLOWED["run"].add("models")
ALLOWED["cli"].add("models")
ALLOWED["survey"] = {"core", "stats", "metrics", "data", "survey"}
ALLOWED["active"] = {"core", "stats", "metrics", "data", "models", "train", "active"}
ALLOWED["cli"] |= {"train", "mitigate", "survey", "active"}
for above in ("analyses", "papers"):
    ALLOWED[above] |= {"active", "models"}
ALLOWED["data"] = {"core", "data"}
ALLOWED["models"] = {"core", "data", "models"}
ALLOWED["train"] = {"core", "stats", "metrics", "data", "models", "train"}
ALLOWED["mitigate"] = {"core", "stats", "data", "models", "train", "mitigate"}
ALLOWED["bridges"] = {*ORDER[: ORDER.index("run") + 1], "data", "bridges"}
ALLOWED["cli"].add("bridges")
ALLOWED["api"] = {*ORDER, "data", "models", "api"} - {"cli"}
STILL_SHARED = {"Cell", "Comparison", "Found", "Part", "Sentence", "Term", "Wanted"}
"""Names of classes that are still to be made different."""
LARGEST_ROOM = 30
"""Modules of a folder, at most."""


def layer(file: Path, root: Path = ROOT) -> str:
    return file.relative_to(root).parts[0].removesuffix(".py")


def imported(source: str) -> set[str]:
    """Layers that a file imports from, at the top or inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "tiltmeter":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    ours = {
        name.removeprefix("tiltmeter.").split(".")[0]
        for name in found
        if name.startswith("tiltmeter.") or name in ALLOWED
    }
    return ours & (set(ALLOWED) | {"cli"})


def violations(here: str, source: str) -> set[str]:
    if here == "__init__":  # the public names, which are the API's, and what precedes PyTorch
        return imported(source) - {"api", "core", "models"}
    if here == "__main__":
        return imported(source) - {"cli"}
    return imported(source) - ALLOWED[here]


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_point_down(file):
    assert not violations(layer(file), file.read_text("utf-8"))


@pytest.mark.parametrize(
    ("here", "source", "found"),
    [
        ("core", "from tiltmeter.stats.hypothesis_tests.power import mde", {"stats"}),
        ("metrics", "from tiltmeter import studies", {"studies"}),
        ("models", "def f():\n    import tiltmeter.scoring.pairs", {"scoring"}),
        ("run", "from tiltmeter.report.html import page", {"report"}),
        ("report", "from tiltmeter.cli import app", {"cli"}),
        ("report", "from tiltmeter.models.fake import load", {"models"}),
        ("train", "from tiltmeter.scoring import pairs", {"scoring"}),
        ("models", "from tiltmeter.train.pairs import read", {"train"}),
        ("survey", "from tiltmeter.studies.seat import STUDY", {"studies"}),
        ("report", "from tiltmeter.survey.boards.board import Board", {"survey"}),
        ("api", "from tiltmeter.cli import app", {"cli"}),
        ("report", "from tiltmeter.api.runs import run", {"api"}),
        ("survey", "from tiltmeter.run.files.folder import prepare", {"run"}),
        ("run", "from tiltmeter.survey.form import Form", {"survey"}),
        ("active", "from tiltmeter.survey.store import Store", {"survey"}),
        ("train", "from tiltmeter.active.votes import VotePool", {"active"}),
        ("studies", "from tiltmeter.data.pairs.pairs import load_pairs", set()),
    ],
)
def test_planted_violations_are_seen(here, source, found):
    assert violations(here, source) == found


def name_of(file: Path, root: Path) -> str:
    """The module's name: tiltmeter.cli for cli/__init__.py."""
    parts = ("tiltmeter", *file.relative_to(root).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def circles(sources: Mapping[str, str]) -> list[set[str]]:
    """Modules that import each other, at the top, inside functions or for their types."""
    graph = {name: _imports(source, set(sources)) - {name} for name, source in sources.items()}
    reach = {name: _reachable(graph, name) for name in graph}
    found = []
    for name in sorted(graph):
        circle = {other for other in reach[name] if name in reach[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def _imports(source: str, modules: set[str]) -> set[str]:
    """Of `from a import b`, a.b if that is a module, else a."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in modules else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        new = graph[ahead.pop()] - seen
        seen |= new
        ahead += new
    return seen


def test_no_module_imports_in_a_circle():
    modules = {name_of(file, ROOT): file.read_text("utf-8") for file in FILES}
    del modules[
        "tiltmeter"
    ]  # imports what its user asks for, and everything asks it for the version
    assert circles(modules) == []


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ({"a": "import b", "b": "import c", "c": ""}, []),
        ({"a": "import b", "b": "def f():\n    import a"}, [{"a", "b"}]),
        ({"p": "from p import a", "p.a": "from p import f"}, [{"p", "p.a"}]),
        ({"p": "from p import a", "p.a": "from p import b", "p.b": ""}, []),
        ({"a": "from p import b", "p.b": "if TYPE_CHECKING:\n    from c import X", "c": "import a"},
         [{"a", "p.b", "c"}]),
        ({"a": "import b", "b": "import a", "c": "import d", "d": "import c"},
         [{"a", "b"}, {"c", "d"}]),
    ],
)  # fmt: skip
def test_planted_circles_are_seen(sources, found):
    assert circles(sources) == found


def names_of_classes(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Public classes that several modules define, with the modules."""
    places = defaultdict(list)
    for name, source in sources.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    return {name: modules for name, modules in places.items() if len(modules) > 1}


def test_no_two_public_classes_share_a_name():
    shared = names_of_classes({name_of(f, ROOT): f.read_text("utf-8") for f in FILES})
    assert {name: m for name, m in shared.items() if name not in STILL_SHARED} == {}


def test_planted_classes_of_one_name_are_seen():
    sources = {"a": "class X: ...\nclass _Y: ...", "b": "class X: ...", "c": "class _Y: ..."}
    assert names_of_classes(sources) == {"X": ["a", "b"]}


@pytest.mark.parametrize("room", sorted({file.parent for file in FILES}), ids=lambda r: r.name)
def test_a_room_is_no_drawer(room):
    """Whoever looks for something tells from names of folders where it is."""
    modules = [file.name for file in room.glob("*.py") if file.name != "__init__.py"]
    known_by_name = room.name == "studies"  # a file each, found by its name
    assert len(modules) <= LARGEST_ROOM or known_by_name, "sort it by what one looks for"


def test_everything_but_the_backends_loads_without_torch():
    modules = [
        ".".join(("tiltmeter", *f.relative_to(ROOT).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for f in FILES
        if f.stem != "__main__"
    ]
    blocked = ("torch", "transformers", "typst", "gguf", "vaderSentiment", "wordfreq", "ray")
    code = "import sys\n" + "".join(f"sys.modules[{name!r}] = None\n" for name in blocked)
    code += "".join(f"import {module}\n" for module in modules)
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_the_package_loads_nothing_until_a_name_is_used():
    code = (
        "import sys; before = {*sys.modules}\nimport tiltmeter as tm\n"
        "loaded = {m for m in sys.modules if m.startswith('tiltmeter')}\n"
        "slow = {'numpy', 'scipy', 'polars', 'pyarrow', 'torch', 'rich', 'typer'}\n"
        "slow &= {*sys.modules} - before\n"
        "waits = {'tiltmeter.models', 'tiltmeter.models.speed', 'tiltmeter.models.speed.machine_limits'}\n"
        "assert loaded == waits | {'tiltmeter'}, loaded\nassert not slow, slow\n"
        "assert {'run', 'compare', 'score', 'wrap', 'load', 'studies'} <= {*dir(tm)}\n"
        "tm.run; assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


SLOW = {
    "numpy", "scipy", "polars", "pyarrow", "jinja2", "httpx2", "rapidfuzz", "torch", "transformers", "ray",
}  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """The modules that are there after a new process has run it, to its end or to its exit."""
    code = f"import sys\ntry:\n    {code}\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def started(*words: str) -> set[str]:
    """The modules that are there after `tiltmeter WORDS`."""
    return loaded_by(f"sys.argv[1:] = {words!r}; from tiltmeter.cli import main; main()")


@pytest.mark.parametrize("words", [("--help",), ("models", "-h")], ids=" ".join)
def test_the_help_page_of_a_group_loads_no_command(words):
    """Neither commands nor what their options need: pydantic, and a reader of Markdown for the page."""
    loaded = started(*words)
    own = {m.removeprefix("tiltmeter.cli.") for m in loaded if m.startswith("tiltmeter.cli.")}
    wings = {m.removesuffix(".commands") for m in own if m.endswith(".commands")}
    assert own - wings == {*(f"{wing}.commands" for wing in wings)} | {
        "commands",
        "console",
        "failures",
        "heartbeats",
        "help_page",
        "machinery",
        "machinery.command_entries",
        "machinery.command_tree",
        "machinery.lazy_commands",
        "machinery.typed_command",
    }
    assert not loaded & {*SLOW, "pydantic", "markdown_it"}


def test_the_list_of_studies_loads_no_study_the_second_time(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    first, second = started("ls"), started("ls")
    assert {"numpy", "tiltmeter.studies.crows_pairs"} <= first
    assert not second & SLOW
    assert not [module for module in second if module.startswith("tiltmeter.studies.")]


def test_modules_of_commands_load_nothing_that_is_slow():
    """What a command needs is imported when it runs, so that its help and completion answer at once."""
    where = [
        where
        for table in sorted((ROOT / "cli").rglob("commands.py"))
        for where in re.findall(r'Command\("[\w-]+", "([\w.]+):', table.read_text("utf-8"))
    ]
    assert len(set(where)) > 5
    modules = (f"tiltmeter.cli.{name}" for name in sorted(set(where)))
    assert not loaded_by(f"import {', '.join(modules)}") & SLOW


def test_the_pure_layers_load_without_what_is_slow():
    files = [file for room in ("study_families", "studies") for file in (ROOT / room).rglob("*.py")]
    modules = (name_of(file, ROOT) for file in sorted(files))
    assert not loaded_by(f"import {', '.join(modules)}") & (SLOW - {"numpy"})
