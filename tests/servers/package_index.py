"""Wheels in a folder that is the package index."""

import shutil
import zipfile
from pathlib import Path

import pytest

from tiltmeter.data.downloads import archives


def write_wheel(folder: Path, files: dict[str, bytes], name: str = "tilt_parcel") -> Path:
    """A wheel as PEP 427 wants it, whose code would betray that it was run or installed."""
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}/__init__.py": b"raise RuntimeError('imported')\n",
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        "Requires-Dist: tilt-no-such-package\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in files.items():
            archive.writestr(member, content)
    return path


@pytest.fixture
def index(monkeypatch, tmp_path) -> Path:
    """The folder that pip looks into, and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return tmp_path / "index"


@pytest.fixture
def copied(index, monkeypatch) -> Path:
    """The package index, out of which wheels are copied to where pip would put them, without pip."""

    def copy(command, _scratch, _log, _progress):
        parcel = Path(command[command.index("--dest") + 1])
        for wheel in index.glob("*.whl"):
            shutil.copy(wheel, parcel)
        return 0

    monkeypatch.setattr(archives, "_run", copy)
    return index
