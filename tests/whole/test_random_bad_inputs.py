"""Random files under random options: a command ends with numbers or with words, never in a traceback."""

import json
import random

import pytest

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]
CELLS = [
    "",
    "a b",
    "She sang.",
    "nan",
    "-inf",
    "1e999",
    "\0",
    "\ud7ff",
    "=cmd()",
    "../x",
    "<s>",
    "[",
    '"',
    "😀" * 9,
]
COMMANDS = (
    ("run", "pairs", "fake", "--data"), ("run", "prompts", "fake", "--data"), ("data", "check"),
    ("analyse", "agreement"), ("import",), ("import", "--study", "pairs"), ("replicate",), ("run",),
    ("run", "starter_pairs", "fake", "--limit", "9", "--audit"),
)  # fmt: skip
OPTIONS = (
    (), ("--limit", "3"), ("--limit", "0"), ("--seed", "-1"), ("--encoding", "utf-16"), ("--set", "a=b"),
    ("--rule", "nope"), ("--json",), ("--out", "a:b"), ("--skip-invalid",), ("--question", "a"),
)  # fmt: skip


def random_file(chance, folder):
    kind = chance.choice(["csv", "json", "jsonl", "toml", "parquet", "pkl", "zip"])
    rows = [[chance.choice(CELLS) for _ in range(3)] for _ in range(chance.randint(0, 6))]
    head = chance.choice(
        [["sent_more", "sent_less", "id"], ["annotator", "item", "a"], ["x", "x", ""]]
    )
    texts = {
        "csv": "\n".join(",".join(row) for row in [head, *rows]),
        "json": json.dumps([dict(zip(head, row, strict=True)) for row in rows]),
        "jsonl": "\n".join(json.dumps(dict(zip(head, row, strict=True))) for row in rows),
        "toml": "\n".join(
            f"{name or 'k'} = {json.dumps(row)}" for name, row in zip(head, rows, strict=False)
        ),
    }  # fmt: skip
    content = texts.get(kind, "PK\x03\x04PAR1").encode("utf-8", "surrogatepass")
    if chance.random() < 0.3 and content:
        content = content[: chance.randrange(len(content))] + bytes([chance.randrange(256)])
    path = folder / f"f.{kind}"
    path.write_bytes(content)
    return path


@pytest.mark.long
@pytest.mark.parametrize("seed", range(150))
def test_no_file_and_no_option_ends_in_a_traceback(tilt, tmp_path, monkeypatch, seed):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    words = (*chance.choice(COMMANDS), random_file(chance, tmp_path), *chance.choice(OPTIONS))
    code, out, err = tilt(*words)  # raises whatever the command line does not catch
    assert code in {0, 1, 2}, words
    assert "Traceback" not in err and (code == 0 or err.strip()), words
    if code == 0:
        assert "nan" not in {word.strip("%,;").lower() for word in out.split()}, words
