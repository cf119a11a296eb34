"""Data sets: the catalogue, and finding, fetching, importing and refusing."""

import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from support import published
from tiltmeter.core.errors import BadInput, Unavailable, UnknownName
from tiltmeter.data.downloads import registry
from tiltmeter.data.downloads.archives import safe
from tiltmeter.data.downloads.registry import (
    DataSet,
    File,
    given_files,
    import_file,
    known_sets,
    locate,
    missing_files,
    status,
)

SETS = known_sets()

ONE = b"sent_more,sent_less\na,b\n"
TWO = b"another file\n"


def file_of(path: str, content: bytes, url: str = "") -> File:
    return File(path, url, hashlib.sha256(content).hexdigest(), len(content))


def make_set(*files: File) -> DataSet:
    return DataSet("toy", "Toy", "1", files, "CC0", "@misc{toy}", "https://example.org", "None.")


class Toy:
    """A set of two files at the addresses of a folder, its cache, and the user's folder."""

    def __init__(self, root: Path) -> None:
        self.source = root / "source"
        self.cache = root / "cache"
        self.given = root / "given"
        for folder in (self.source, self.given):
            folder.mkdir()
        (self.source / "one.csv").write_bytes(ONE)
        (self.source / "two.txt").write_bytes(TWO)
        self.one = file_of("toys/one.csv", ONE, (self.source / "one.csv").as_uri())
        self.two = file_of("toys/two.txt", TWO, (self.source / "two.txt").as_uri())

    def give(self, path: str, content: bytes) -> Path:
        place = self.given / path
        place.parent.mkdir(exist_ok=True, parents=True)
        place.write_bytes(content)
        return place


@pytest.fixture
def toy(monkeypatch, tmp_path) -> Toy:
    one = Toy(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(one.cache))
    monkeypatch.setenv("TILTMETER_DATA", str(one.given))
    monkeypatch.setitem(SETS, "toy", make_set(one.one, one.two))
    return one


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_here_if_nothing_of_it_is_missing(name, monkeypatch, tmp_path):
    """Of every registered set: file by file, the last one included."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    missing = missing_files(name)
    while missing:
        assert status(name) == "absent"
        place = tmp_path / "data" / missing[0].path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as file:
            file.truncate(missing[0].size)  # only names and sizes are looked at
        assert missing_files(name) == missing[1:]
        missing = missing[1:]
    assert status(name) == "here"


@pytest.mark.usefixtures("toy")
def test_files_of_the_users_stand_in_the_place_of_a_set(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "one.csv").write_bytes(ONE)
    lacking = r"the folder lacks two\.txt; toy is made of one\.csv, two"
    with pytest.raises(BadInput, match=lacking), given_files({"toy": mine}):
        pass
    (mine / "two.txt").write_bytes(TWO)
    with given_files({"toy": mine}):
        located = locate("toy")
        assert located.set == SETS["toy"] and status("toy") == "given"
        assert located.files == {"toys/one.csv": mine / "one.csv", "toys/two.txt": mine / "two.txt"}
    assert located.sha256 == locate("toy").sha256  # of the registered files
    (mine / "two.txt").write_bytes(b"my own")
    with given_files({"toy": mine}):
        other = locate("toy")
    assert other.set.name == "toy (one.csv, two.txt)" and other.sha256 != located.sha256
    with pytest.raises(UnknownName, match="toi"), given_files({"toi": mine}):
        pass


@pytest.mark.usefixtures("toy")
def test_a_part_of_a_set_is_not_the_set(tmp_path, capsys):
    from tiltmeter.cli.data import import_set

    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "one.csv").write_bytes(ONE)
    with pytest.raises(BadInput, match=r"has 1 of the 2 files of toy; missing: two\.txt"):
        import_set("toy", mine)
    (mine / "one.csv").unlink()
    (mine / "two.txt").write_bytes(TWO)
    import_set("toy", mine)
    assert "toy is in" in capsys.readouterr().err


class TestCatalogue:
    @pytest.mark.parametrize("one", SETS.values(), ids=SETS)
    def test_every_entry_is_complete(self, one):
        assert SETS[one.name] is one
        assert one.title
        assert one.version
        assert one.licence
        assert one.warning.endswith(".")
        doi, anthology = r"doi = \{10\.\d+/\S+\}", r"url = \{https://aclanthology\.org/\S+\}"
        newspaper = r"url = \{https://www\.bloomberg\.com/\S+\}"
        assert re.search(f"{doi}|{anthology}|{newspaper}", one.citation)  # COLING gives no DOIs
        assert one.citation.count("{") == one.citation.count("}")
        for file in one.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256) or "checksum" in one.note
            assert bool(file.sha256) == bool(file.size)
            assert safe(file.path) == file.path
            assert file.url.startswith("https://") or not file.url
            numbered = file.url.startswith("https://ndownloader.figshare.com/files/")
            assert file.url.endswith("/" + file.name) or numbered or not file.url

    def test_no_file_stands_in_it_twice(self):
        files = [file for one in SETS.values() for file in one.files]
        assert len({file.path for file in files}) == len(files)
        for one in SETS.values():  # two versions of a set may share a file
            sums = [file.sha256 for file in one.files if file.sha256]
            assert len({*sums}) == len(sums)

    def test_published_checksums(self):
        """Of CrowS-Pairs and StereoSet, as the `datasets` library has recorded them."""
        assert SETS["crows_pairs"].files[0].size == 437_764
        (dev,) = SETS["stereoset"].files
        assert dev.size == 12_502_245
        start = "73a0f31b711688112602e4c3ac6ab1e1"
        assert dev.sha256 == f"{start}a7cadcdd67df6c6fd55501c889676c90"

    def test_what_has_no_address_says_so(self):
        without = {name for name, one in SETS.items() if not all(f.url for f in one.files)}
        votes = {
            "convabuse", "crehate", "csc", "davidson", "hs_brexit", "md_agreement", "popquorn",
        }  # fmt: skip
        assert without == {"crows_pairs_it", "stereoset_rebuilt", "civil_comments", *votes}
        assert all("imported" in SETS[name].note for name in without)

    def test_sizes_add_up(self):
        assert make_set(file_of("a", ONE), file_of("b", TWO)).size == len(ONE) + len(TWO)


@pytest.mark.parametrize("name", SETS)
def test_the_real_files_are_these(monkeypatch, tmp_path, name):
    """Each registered file against the authors' own, wherever that is on this machine."""
    paths = [file.path for file in SETS[name].files]
    published.need(next(filter(published.is_there, paths), paths[0]))
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    if lacking := [file.name for file in missing_files(name)]:
        pytest.skip(f"lacks {lacking[0]}")
    located = locate(name)
    assert status(name) == "given"
    assert {path: p.stat().st_size for path, p in located.files.items()} == {
        file.path: file.size for file in SETS[name].files
    }


class TestFind:
    def test_a_name_that_is_nearly_right(self):
        with pytest.raises(UnknownName, match=r"No data set named 'crow_pairs'\. Did you mean"):
            registry.find("crow_pairs")

    @pytest.mark.parametrize("act", [locate, status, lambda name: import_file(name, Path())])
    def test_every_function_says_so(self, act):
        with pytest.raises(UnknownName):
            act("no such set")


class TestLocate:
    def test_downloads_into_the_cache(self, toy):
        assert status("toy") == "absent"
        seen: list[int] = []
        located = locate("toy", progress=lambda done, _: seen.append(done))
        assert located.files == {
            "toys/one.csv": toy.cache / "data" / "toys" / "one.csv",
            "toys/two.txt": toy.cache / "data" / "toys" / "two.txt",
        }
        assert [path.read_bytes() for path in located.files.values()] == [ONE, TWO]
        assert seen == [len(ONE), len(TWO)]
        assert located.set is SETS["toy"]
        assert status("toy") == "here"

    def test_what_is_in_the_cache_is_not_fetched_again(self, toy):
        locate("toy")
        for file in toy.source.iterdir():
            file.unlink()
        assert locate("toy").files["toys/one.csv"].read_bytes() == ONE

    @pytest.mark.parametrize("folder", ["toys/", ""])
    def test_the_users_folder_comes_first(self, toy, folder):
        places = [toy.give(f"{folder}one.csv", ONE), toy.give(f"{folder}two.txt", TWO)]
        assert status("toy") == "given"
        assert list(locate("toy").files.values()) == places
        assert not (toy.cache / "data").exists()

    def test_partly_given(self, toy):
        mine = toy.give("two.txt", TWO)
        assert status("toy") == "absent"
        located = locate("toy")
        assert located.files["toys/two.txt"] == mine
        assert located.files["toys/one.csv"].is_relative_to(toy.cache)
        assert status("toy") == "here"

    def test_a_changed_file_of_the_users_is_refused(self, toy):
        mine = toy.give("toys/one.csv", ONE + b"c,d\n")
        with pytest.raises(Unavailable) as caught:
            locate("toy")
        for part in (str(mine), toy.one.sha256, hashlib.sha256(ONE + b"c,d\n").hexdigest(), "TILT"):
            assert part in str(caught.value)
        assert mine.read_bytes() == ONE + b"c,d\n"

    @pytest.mark.usefixtures("toy")
    def test_a_changed_file_in_the_cache_is_refused(self):
        cached = locate("toy").files["toys/one.csv"]
        cached.write_bytes(ONE.replace(b"a", b"x"))
        with pytest.raises(Unavailable, match=r"one\.csv: not the registered .* delete it"):
            locate("toy")
        cached.unlink()
        assert locate("toy").files["toys/one.csv"].read_bytes() == ONE

    def test_a_source_that_changed(self, toy):
        (toy.source / "one.csv").write_bytes(b"something else")
        with pytest.raises(Unavailable, match=f"expected SHA-256 {toy.one.sha256}"):
            locate("toy")
        assert status("toy") == "absent"

    def test_a_source_that_is_gone(self, toy):
        (toy.source / "one.csv").unlink()
        with pytest.raises(
            Unavailable, match=r"named by TILTMETER_DATA, as toys/one\.csv, or use "
        ):
            locate("toy")

    @pytest.mark.usefixtures("toy")
    def test_a_set_without_address(self, monkeypatch):
        monkeypatch.setitem(SETS, "toy", make_set(file_of("toys/one.csv", ONE)))
        with pytest.raises(Unavailable, match=r"no address .*`tiltmeter data import toy PATH`"):
            locate("toy")

    def test_a_file_where_the_users_folder_should_be(self, toy, monkeypatch):
        monkeypatch.setenv("TILTMETER_DATA", str(toy.source / "one.csv"))
        with pytest.raises(BadInput, match="it is a file"):
            locate("toy")

    @pytest.mark.usefixtures("toy")
    def test_a_cut_file_in_the_cache_is_not_here(self):
        locate("toy").files["toys/one.csv"].write_bytes(ONE[:5])
        assert status("toy") == "absent"


class TestWithoutAChecksum:
    """A set whose files we never had: the first copy is kept, and every later change is refused."""

    @pytest.fixture(autouse=True)
    def unknown(self, toy, monkeypatch) -> None:
        files = (File("toys/one.csv", toy.one.url, "", 0), File("toys/two.txt", "", "", 0))
        monkeypatch.setitem(SETS, "toy", make_set(*files))

    def test_an_import_keeps_the_sum_that_the_file_has(self, toy, tmp_path):
        assert status("toy") == "absent"
        (tmp_path / "mine").mkdir()
        for name, content in (("one.csv", b"edited"), ("two.txt", TWO)):
            (tmp_path / "mine" / name).write_bytes(content)
        assert set(import_file("toy", tmp_path / "mine")) == {"toys/one.csv", "toys/two.txt"}
        assert status("toy") == "here"
        sums = [hashlib.sha256(content).hexdigest() for content in (b"edited", TWO)]
        lines = "".join(f"{line}\n" for line in sorted(sums))
        assert locate("toy").sha256 == hashlib.sha256(lines.encode()).hexdigest()
        place = toy.cache / "data" / "toys" / "one.csv"
        place.write_bytes(ONE)
        with pytest.raises(Unavailable, match=f"expected SHA-256 {sums[0]}"):
            locate("toy")
        place.unlink()
        toy.give("toys/two.txt", b"another version")  # the user's own folder is taken at its word
        assert locate("toy").files["toys/one.csv"].read_bytes() == ONE  # from its address

    def test_an_archive_is_to_be_unpacked(self, tmp_path):
        with pytest.raises(BadInput, match=r"it is an archive; unpack it, and give one\.csv"):
            import_file("toy", pack(tmp_path / "set.zip", {"one.csv": ONE}))

    def test_a_folder_without_such_names_holds_none_of_them(self, tmp_path):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "three.txt").write_bytes(ONE)
        with pytest.raises(BadInput, match=r"looked for one\.csv, two\.txt"):
            import_file("toy", tmp_path / "mine")


class TestDigest:
    def test_one_file_stands_for_itself(self, toy, monkeypatch):
        monkeypatch.setitem(SETS, "toy", make_set(toy.one))
        assert locate("toy").sha256 == toy.one.sha256

    def test_of_several_files(self, toy):
        lines = "\n".join(sorted([toy.one.sha256, toy.two.sha256])) + "\n"
        assert locate("toy").sha256 == hashlib.sha256(lines.encode()).hexdigest()

    def test_the_order_of_the_files_does_not_matter(self, toy, monkeypatch):
        before = locate("toy").sha256
        monkeypatch.setitem(SETS, "toy", make_set(toy.two, toy.one))
        assert locate("toy").sha256 == before

    def test_the_only_file(self, toy, monkeypatch):
        with pytest.raises(ValueError, match="too many values"):
            _ = locate("toy").file
        monkeypatch.setitem(SETS, "toy", make_set(toy.one))
        assert locate("toy").file.read_bytes() == ONE


def pack(path: Path, files: dict[str, bytes]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, "w:gz") as roll:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            roll.addfile(member, io.BytesIO(content))
    return path


class TestImport:
    def test_one_file_under_another_name(self, toy, tmp_path):
        mine = tmp_path / "renamed.dat"
        mine.write_bytes(ONE)
        place = toy.cache / "data" / "toys" / "one.csv"
        assert import_file("toy", mine) == {"toys/one.csv": place}
        assert place.read_bytes() == ONE
        assert status("toy") == "absent"
        mine.write_bytes(TWO)
        import_file("toy", mine)
        assert status("toy") == "here"
        assert mine.read_bytes() == TWO

    @pytest.mark.usefixtures("toy")
    def test_a_folder(self, tmp_path):
        folder = tmp_path / "mine" / "deep"
        folder.mkdir(parents=True)
        (folder / "one.csv").write_bytes(ONE)
        (folder.parent / "two.txt").write_bytes(TWO)
        (folder.parent / "one.csv").write_bytes(b"an older version")
        assert set(import_file("toy", tmp_path / "mine")) == {"toys/one.csv", "toys/two.txt"}
        assert status("toy") == "here"

    @pytest.mark.parametrize("name", ["set.zip", "set.tar.gz"])
    def test_an_archive(self, toy, tmp_path, name):
        path = pack(tmp_path / name, {"repo/data/one.csv": ONE, "two.txt": TWO, "README": b"r"})
        assert set(import_file("toy", path)) == {"toys/one.csv", "toys/two.txt"}
        assert locate("toy").files["toys/two.txt"].read_bytes() == TWO
        assert [p.name for p in toy.cache.iterdir()] == ["data"]

    @pytest.mark.parametrize("name", ["set.zip", "set.tar.gz"])
    def test_an_archive_with_an_escape(self, toy, tmp_path, name):
        path = pack(tmp_path / name, {"../one.csv": ONE})
        with pytest.raises(BadInput, match="outside its folder"):
            import_file("toy", path)
        assert status("toy") == "absent"
        assert not (toy.cache / "one.csv").exists()

    def test_another_file(self, toy, tmp_path):
        mine = tmp_path / "one.csv"
        mine.write_bytes(b"edited by hand")
        with pytest.raises(BadInput) as caught:
            import_file("toy", mine)
        for part in (str(mine), "one.csv", toy.one.sha256, hashlib.sha256(b"edited by hand")):
            assert (part if isinstance(part, str) else part.hexdigest()) in str(caught.value)
        assert not (toy.cache / "data").exists()

    @pytest.mark.parametrize("content", [None, b"x" * len(ONE)])
    @pytest.mark.usefixtures("toy")
    def test_a_folder_without_them(self, tmp_path, content):
        (tmp_path / "mine").mkdir()
        if content is not None:
            (tmp_path / "mine" / "one.csv").write_bytes(content)
        with pytest.raises(BadInput, match="holds none of the files of toy"):
            import_file("toy", tmp_path / "mine")

    @pytest.mark.usefixtures("toy")
    def test_nothing_there(self, tmp_path):
        with pytest.raises(BadInput, match="no such file or folder"):
            import_file("toy", tmp_path / "absent")

    def test_again_over_a_damaged_copy(self, toy):
        locate("toy").files["toys/one.csv"].write_bytes(b"damaged")
        import_file("toy", toy.source)
        assert locate("toy").files["toys/one.csv"].read_bytes() == ONE


@pytest.mark.parametrize("name", ["gest", "gest_1_1", "hiring_audit", "word_association"])
def test_sets_in_the_package_need_no_network(name, tmp_path, monkeypatch):
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    assert status(name) == "here"
    for path in locate(name).files.values():
        assert "shipped" in path.parts and not path.is_relative_to(tmp_path)
