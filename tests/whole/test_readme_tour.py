"""The commands of the README, then those by task, each in the folder that those before it have left."""

import shlex
from functools import cache
from pathlib import Path

import pytest

import test_docs
from servers.chat_server import MODEL, serving
from support import published
from support.architectures import build

PAGES = ("README.md", "docs/how-to/commands.md")
NOT_HERE = {
    "survey serve group_traits": "does not end by itself: tests/survey",
    "run crows_pairs bert --ray": "starts a cluster: tests/cli/test_arguments_ray.py",
    "analyse intersections runs/SINGLE runs/CROSSED": "tests/analyses/intersections/test_analysis.py",
    "analyse leak runs/ENGLISH runs/RUSSIAN runs/CHINESE": "tests/analyses/leak/test_analysis.py",
    "replicate nangia2020 --models bert": "tests/cli/papers/test_replicate.py",
    "active simulate crehate": "takes minutes: tests/cli/active/test_simulate.py",
    "run starter_pairs demo --fail-if 'stereotype_rate.low > 50'": "ends with 3 or 0: tests/cli/test_run.py",
}
"""What is left out, with the reason."""
FEW = ("--limit", "12", "--skip-invalid")
MORE = {
    "crows_pairs": FEW, "winobias": FEW, "stereoset": FEW, "sos": FEW, "hate_prompts": FEW, "seat": FEW,
    "group_traits": (
        "--set", "groups=women, men, Black people", "--set", "templates=The [group] is [trait].",
    ),
    "train": ("--pairs", "40", "--epochs", "1", "--batch-size", "8", "--max-tokens", "64", "--device", "cpu"),
    "before-after": FEW, "audit": ("--profile", "small.toml"),
    "mitigate": ("--sentences", "40"), "import": ("--study", "log"),
}  # fmt: skip
"""What makes a study or command quick, added to it."""
TEXT = "\n\n".join(f"{who} saw the old house. Then {who} went away." for who in ("She", "He") * 20)
PLACES = {
    ("compare", "runs/ONE"): "runs/crows_pairs-bert-*", ("compare", "runs/OTHER"): "runs/crows_pairs-gpt2-*",
    ("compare-people", "runs/ONE"): "runs/group_traits-*", ("report", "runs/ONE"): "runs/crows_pairs-bert-*",
}  # fmt: skip
"""Runs that those before have left, for the examples' names."""
FILES = {
    "mine.csv": "id,sent_more,sent_less\n1,Women are late.,Men are late.\n2,He is old.,She is old.\n",
    "gates.toml": "[[threshold]]\nfail_if = 'starter_pairs/stereotype_rate > 100'\n",
    "answers.csv": "annotator,item,tone\na,1,1\nb,1,1\na,2,2\nb,2,3\na,3,3\nb,3,3\n",
    "small.toml": "[[study]]\nname = 'starter_pairs'\n",
    "models.toml": "[[study]]\nname = 'starter_pairs'\n[[model]]\nname = 'fake'\n",
    "corpus.txt": TEXT, "text.txt": TEXT,
    "snli.jsonl": "".join(
        f'{{"premise": "{who} {verb}.", "hypothesis": "{who} is {how}.", "label": "neutral"}}\n'
        for who in ("He", "She", "The man", "The boy", "The girl", "My son", "My aunt", "A nurse")
        for verb, how in (("sang", "glad"), ("left", "late"), ("slept", "tired"), ("ran", "quick"))
    ),
}  # fmt: skip


@cache
def commands():
    """The examples of both pages, without the program's name; those of both once."""
    examples = [*test_docs.shell_examples()]
    each = [e.values[0] for page in PAGES for e in examples if e.id.startswith(f"{page}: ")]
    return [*{shlex.join(words): words for words in each}.values()]


def scores():
    """Scores of all 1,508 pairs, as another program might have made them."""
    rows = (f"{i},{-10 - i % 7},{-10 - i % 5}\n" for i in range(1508))
    return "id,score_more,score_less\n" + "".join(rows)


def expanded(command, word):
    """What the shell, or a reader with runs of their own, puts in the place of a word."""
    pattern = PLACES.get((command, word), word if "*" in word else None)
    if pattern is None:
        return [word]
    folders = sorted(map(str, Path().glob(pattern)))
    return folders[:1] if (command, word) in PLACES else folders


def test_what_is_left_out_is_on_the_pages():
    assert NOT_HERE.keys() <= {*map(shlex.join, commands())}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_commands_run_one_after_the_other(tilt, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_DATA", str(published.need("crows_pairs").parent))
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "scores.csv").write_text(scores())
    (tmp_path / "my.toml").write_text(
        test_docs.blocks(test_docs.DOCS / "how-to" / "prompt-sets.md", "toml")[0]
    )
    from support import evaluation_logs as logs  # the tour needs every wing

    logs.packed(tmp_path / "a.eval", logs.inspect_log([logs.inspect_sample("0")], "bbq"))
    logs.harness_log(tmp_path / "out", [logs.harness_row(0, {"q": "Question 0?"})], "bbq")
    for log in (tmp_path / "out").glob("samples_*.jsonl"):
        (tmp_path / "samples_bbq.jsonl").write_bytes(log.read_bytes())
    kinds = {"bert": "bert", "roberta-large": "bert", "gpt2": "gpt2"}
    masked, large, causal = (str(build(kind, tmp_path / name)) for name, kind in kinds.items())
    known = {
        "roberta-large": large, "gpt2": causal, "path/to/model": "fake:causal", "MODEL": "fake:causal",
        "minilm": "fake:vectors", "demo": "fake", "bert": masked, "CLASSIFIER": "fake:classifier",
    }  # fmt: skip
    with serving() as server:
        known["chat:http://localhost:8000#MODEL"] = f"chat:{server.url}#{MODEL}"
        for words in commands():
            if shlex.join(words) not in NOT_HERE:
                name = words[1] if words[0] in {"run", "analyse"} else words[0]
                ran = [w for word in words for w in expanded(name, known.get(word, word))]
                more = () if "--study" in words else MORE.get(name, ())
                code, _, err = tilt(*ran, *more)
                assert code == 0, (shlex.join(words), err)
