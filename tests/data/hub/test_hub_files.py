"""Data as `hf:OWNER/NAME/FILE@REVISION`, from a hub on this machine."""

from pathlib import Path

import polars as pl
import pytest

from servers.hub_fixtures import client, hub
from servers.hub_server import TOKEN
from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.finder import find
from tiltmeter.data.hub.hub_files import credited, local, parse
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.data_source import load_source
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

__all__ = ["client", "hub"]

pytestmark = pytest.mark.usefixtures("client", "pairs")

ROWS = [
    {
        "id": "a",
        "sent_more": "He is a nurse.",
        "sent_less": "She is a nurse.",
        "bias_type": "gender",
    },
    {"id": "b", "sent_more": "The old clerk.", "sent_less": "The young clerk.", "bias_type": "age"},
]
README = b"---\nlicense: cc-by-4.0\n---\n# Pairs\n"


def table(rows, suffix, folder):
    """The bytes of a file of this kind."""
    frame, file = pl.DataFrame(rows), folder / f"made{suffix}"
    write = {
        ".csv": frame.write_csv,
        ".tsv": lambda to: frame.write_csv(to, separator="\t"),
        ".json": frame.write_json,
        ".jsonl": frame.write_ndjson,
        ".parquet": frame.write_parquet,
    }
    write[suffix](file)
    return file.read_bytes()


@pytest.fixture
def pairs(hub, tmp_path):
    """A data set with one file at first, tagged, and several now."""
    made = hub.repo("datasets", "org/pairs")
    first = {
        "README.md": README,
        "dataset_infos.json": b"{}",
        "data/a.csv": table(ROWS[:1], ".csv", tmp_path),
    }
    made.commit(first, "main", "v1")
    kinds = (".tsv", ".json", ".jsonl", ".parquet")
    more = {f"data/a{kind}": table(ROWS, kind, tmp_path) for kind in kinds}
    made.commit({**first, **more, "data/a.csv": table(ROWS, ".csv", tmp_path)}, "main")
    return made


def items(source, study="pairs"):
    return load_items(find("studies", study, "STUDY"), RunOptions(data=source), Logged())


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_every_kind_of_file_is_read_as_it_is_from_a_disk(pairs, kind):
    data = items(f"hf:org/pairs/data/a.{kind}")
    assert [(pair.id, pair.more) for pair in data.items] == [
        (row["id"], row["sent_more"]) for row in ROWS
    ]
    assert data.source == f"hf:org/pairs/data/a.{kind}@{pairs.refs['main']}"
    assert (data.version, data.licence) == (pairs.refs["main"], "cc-by-4.0")


def test_a_revision_gives_the_file_as_it_was(pairs):
    for revision in ("v1", pairs.refs["v1"]):
        data = items(f"hf:org/pairs/data/a.csv@{revision}")
        assert (len(data.items), data.version) == (1, pairs.refs["v1"])
    assert len(items("hf:org/pairs/data/a.csv").items) == 2


def test_the_only_file_needs_no_name(pairs):
    assert items("hf:org/pairs@v1").source == f"hf:org/pairs/data/a.csv@{pairs.refs['v1']}"
    said = r"'org/pairs' has 5 files that could be meant; its files are data/a\.csv, data/a\.json, "
    with pytest.raises(BadInput, match=said):
        items("hf:org/pairs")


def test_check_and_describe_read_it_too():
    assert len(load_source("hf:org/pairs/data/a.csv", skip_invalid=False).items) == 2
    assert load_source("hf:org/pairs/data/a.jsonl", skip_invalid=True).name == "a.jsonl"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("hf:org/pairs/b.csv", r"'org/pairs' has no file 'b\.csv'; its files are data/a\.csv, "),
        ("hf:org/pairs/data", r"has no file 'data'"),
        ("hf:org/pairs/data/[a].csv", r"has no file 'data/\[a\]\.csv'"),
        ("hf:org/none/a.csv", "the hub's data set 'org/none' does not exist, or is private; check"),
        ("hf:org/pairs/data/a.csv@v2", "'org/pairs' at 'v2': there is no such revision"),
        ("hf:org", "does not name a data set of the hub; write hf:OWNER/NAME/FILE"),
        ("hf:org/pairs@", "does not name a data set of the hub"),
        ("hf://datasets/org/pairs/a.csv", "does not name a data set of the hub"),
    ],
)
def test_what_is_not_there(source, says):
    with pytest.raises(TiltmeterError, match=says) as caught:
        items(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("token", "says"), [("", "then set HF_TOKEN or run"), (TOKEN, "no access")]
)
def test_a_gated_data_set(hub, client, token, says):
    hub.repo("datasets", "org/gated", gated=True).commit({"a.csv": b"x"})
    client.setenv("HF_TOKEN", token)
    with pytest.raises(
        TiltmeterError, match=f"accept its terms at .*/datasets/org/gated.*{says}|{says}"
    ):
        local("hf:org/gated/a.csv")


def test_offline_it_comes_from_the_cache(hub, client):
    place = local("hf:org/pairs/data/a.csv")
    client.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    hub.calm()
    assert local("hf:org/pairs/data/a.csv") == place
    assert not hub.asked
    with pytest.raises(TiltmeterError, match=r"missing: data/a\.json\), and HF_HUB_OFFLINE is set"):
        local("hf:org/pairs/data/a.json")


def test_rows_that_cannot_be_used_are_named_by_file_and_line(hub):
    hub.repo("datasets", "org/odd").commit({"a.csv": b"sent_more,sent_less\nOne.,\n"})
    with pytest.raises(TiltmeterError, match=r"a\.csv:2: sent_less is empty"):
        items("hf:org/odd")


def test_other_sources_stay_as_they_are(tmp_path):
    assert local("crows_pairs") == "crows_pairs"
    assert local(None) is None
    own = tmp_path / "mine.csv"
    own.write_bytes(table(ROWS, ".csv", tmp_path))
    data = items(str(own))
    assert credited(data, own) == data
    assert data.source == "mine.csv"


def test_a_revision_may_have_slashes():
    assert parse("hf:org/pairs/a.csv@refs/convert/parquet").of.revision == "refs/convert/parquet"
    assert parse("hf:org/pairs").path == ""
    assert Path(parse("hf:org/pairs/data/a.csv").path).parts == ("data", "a.csv")
