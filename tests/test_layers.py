"""Imports only ever point down, and everything but the back-ends loads without torch."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "tiltmeter"
FILES = sorted(ROOT.rglob("*.py"))
ORDER = ["core", "stats", "metrics", "scoring", "studies", "run", "analysis", "report", "cli"]
ALLOWED = {here: set(ORDER[: at + 1]) for at, here in enumerate(ORDER)}
for above in ("studies", "run", "analysis", "report", "cli"):
    ALLOWED[above].add("data")
ALLOWED["run"].add("models")
ALLOWED["cli"].add("models")
ALLOWED["cli"] |= {"train", "mitigate"}
ALLOWED["data"] = {"core", "data"}
ALLOWED["models"] = {"core", "data", "models"}
ALLOWED["train"] = {"core", "stats", "data", "models", "train"}
ALLOWED["mitigate"] = {"core", "stats", "data", "models", "train", "mitigate"}
ALLOWED["api"] = {*ORDER, "data", "models", "api"} - {"cli"}


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
    if here == "__init__":  # the package itself: the public names, which are the API's
        return imported(source) - {"api", "core"}
    if here == "__main__":
        return imported(source) - {"cli"}
    return imported(source) - ALLOWED[here]


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_point_down(file):
    assert not violations(layer(file), file.read_text("utf-8"))


@pytest.mark.parametrize(
    ("here", "source", "found"),
    [
        ("core", "from tiltmeter.stats.power import mde", {"stats"}),
        ("metrics", "from tiltmeter import studies", {"studies"}),
        ("models", "def f():\n    import tiltmeter.scoring.pairs", {"scoring"}),
        ("run", "from tiltmeter.report.html import page", {"report"}),
        ("report", "from tiltmeter.cli import app", {"cli"}),
        ("report", "from tiltmeter.models.fake import load", {"models"}),
        ("train", "from tiltmeter.metrics import preference", {"metrics"}),
        ("models", "from tiltmeter.train.pairs import read", {"train"}),
        ("api", "from tiltmeter.cli import app", {"cli"}),
        ("report", "from tiltmeter.api.runs import run", {"api"}),
        ("studies", "from tiltmeter.data.pairs import load_pairs", set()),
    ],
)
def test_planted_violations_are_seen(here, source, found):
    assert violations(here, source) == found


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
        "assert loaded == {'tiltmeter'}, loaded\nassert not slow, slow\n"
        "assert {'run', 'compare', 'score', 'wrap', 'load', 'studies'} <= {*dir(tm)}\n"
        "tm.run; assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_help_loads_nothing_that_is_slow():
    """What a command needs is imported when it runs, so that --help and completion answer at once."""
    slow = {
        "numpy",
        "scipy",
        "polars",
        "pyarrow",
        "jinja2",
        "httpx2",
        "torch",
        "transformers",
        "ray",
    }
    code = f"import sys, tiltmeter.cli\nsys.exit(', '.join(sorted({slow!r} & set(sys.modules))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_the_pure_layers_load_without_what_is_slow():
    slow = {"scipy", "polars", "pyarrow", "jinja2", "httpx2", "torch", "transformers", "ray"}
    modules = ", ".join(
        f"tiltmeter.studies.{f.stem}" for f in sorted((ROOT / "studies").glob("[a-z]*.py"))
    )
    code = f"import sys, {modules}\nsys.exit(', '.join(sorted({slow!r} & set(sys.modules))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
