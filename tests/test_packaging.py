"""What is released: the same dependencies everywhere, and archives that hold what they should, no more."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from tiltmeter import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
MOST_BYTES = 4 * 10**6


def yaml_file(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_conda_recipe_needs_what_the_package_needs():
    recipe = yaml_file("packaging/recipe.yaml")
    needed = [requirement.replace(" ", "") for requirement in recipe["requirements"]["run"]]
    assert needed == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    assert recipe["context"]["version"] == __version__
    (name, command), *others = PROJECT["scripts"].items()
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {command}"] and not others
    for licence in recipe["about"]["license_file"]:
        assert licence in PROJECT["license-files"]


def test_the_pythons_that_are_named_are_the_pythons_that_are_tested():
    named = [c.split()[-1] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    tested = yaml_file(".github/workflows/tests.yml")["jobs"]["linux"]["strategy"]["matrix"]
    assert tested["python"] == named
    assert f"Python {', '.join(named)} " in (ROOT / "docs/reference/versions.md").read_text("utf-8")


@pytest.mark.parametrize(
    "file", ["Dockerfile", ".github/workflows/release.yml", ".readthedocs.yaml"]
)
def test_extras_that_are_installed_exist(file):
    content = (ROOT / file).read_text("utf-8")
    listed = re.findall(r"\[([a-z,]+)\]['\"]", content) + re.findall(
        r"^ {8}- (\w+)$", content, re.MULTILINE
    )
    assert listed
    assert {extra for names in listed for extra in names.split(",")} <= EXTRAS.keys()


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda f: f.name
)
def test_issue_forms_have_what_forms_need(form):
    content = yaml_file(form)
    if form.name != "config.yml":
        assert {"name", "description", "body"} <= content.keys()
        ids = [field["id"] for field in content["body"]]
        assert len({*ids}) == len(ids)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Wheel and source archive of the checkout."""
    pytest.importorskip("hatchling", reason="needs hatchling, of the extra dev")
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def build(source, folder, *targets):
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *targets]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        info = {name.split(".dist-info/")[1] for name in {*wheel.namelist()} - names}
    listed = subprocess.run(
        ["git", "ls-files", "src"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert names == {name.removeprefix("src/") for name in listed}
    assert "tiltmeter/py.typed" in names
    licences = {f"licenses/{name}" for name in PROJECT["license-files"]}
    assert info == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", *licences}
    assert all(archive.stat().st_size < MOST_BYTES for archive in built)


@pytest.mark.slow
def test_the_source_archive_builds_the_same_wheel(built, tmp_path):
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    build(tmp_path / f"tiltmeter_bias-{__version__}", tmp_path, "-t", "wheel")
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == built[0].read_bytes()


@pytest.mark.slow
def test_the_wheel_runs_where_there_is_no_checkout(built, tmp_path):
    """In an environment with the tests' libraries and this wheel in place of the checkout."""
    venv.create(tmp_path / "fresh", with_pip=False)
    scripts = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin")
    packages = sysconfig.get_path("purelib", vars={"base": str(tmp_path / "fresh")})
    with zipfile.ZipFile(built[0]) as wheel:
        wheel.extractall(packages)
    # Folders that a .pth file names have theirs not read: the checkout's does not count.
    Path(packages, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [
        str(scripts / "python"),
        "-P",
        "-m",
        "tiltmeter",
        "run",
        "starter_pairs",
        "fake",
        "--json",
    ]
    clean = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "TILTMETER_DATA"}}
    run = subprocess.run(
        command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=True
    )
    assert '"starter_pairs"' in run.stdout
    where = [command[0], "-P", "-c", "import tiltmeter; print(tiltmeter.__file__)"]
    from_there = subprocess.run(
        where, cwd=tmp_path, env=clean, capture_output=True, text=True, check=True
    )
    assert Path(from_there.stdout.strip()).is_relative_to(packages)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_readmes_first_command_runs_from_the_wheel(built, tmp_path):
    """As somebody does who has nothing: packages from the index, a fresh environment."""
    venv.create(tmp_path / "fresh", with_pip=True)
    python = str(tmp_path / "fresh" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, f"{built[0]}[gguf]"], check=True)
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [str(tmp_path / "fresh/bin/tiltmeter"), "run", "starter_pairs", "demo"],
        cwd=tmp_path, check=True, env=clean | {"TILTMETER_CACHE": str(tmp_path / "cache")},
    )  # fmt: skip
    assert [*tmp_path.glob("runs/starter_pairs-demo-*/report.html")]
    checker = tmp_path / "checker"
    venv.create(checker, with_pip=True)
    subprocess.run([str(checker / "bin/python"), "-m", "pip", "install", "-q", "twine"], check=True)
    archives = [str(archive) for archive in built]
    subprocess.run(
        [str(checker / "bin/python"), "-m", "twine", "check", "--strict", *archives], check=True
    )
