"""What the documents say is so: links, names, options, examples, figures, and that they build."""

import doctest
import importlib.util
import itertools
import json
import logging
import math
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
import typer
from benchmarks import __main__ as benchmarks

import tiltmeter as tm
from goldens import of_commands
from support import published
from support.browsers import browser  # noqa: F401  # fixture
from support.command_line import tilt  # noqa: F401  # fixture
from support.wings import WINGS
from tiltmeter import __version__
from tiltmeter.analyses.data_check.triple_sentiment import DIFFERENCES, SHARES, sentiment
from tiltmeter.cli import app
from tiltmeter.core import finder
from tiltmeter.core.errors import BadItems
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.requests import Continuation
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.registry import known_sets
from tiltmeter.data.downloads.weights import WEIGHTS
from tiltmeter.data.pairs.pair_checks import CHECKS
from tiltmeter.data.pairs.pairs import load_pairs, read_pairs
from tiltmeter.data.pairs.row_reading import GROUP_COLUMNS, PUBLISHED
from tiltmeter.data.pairs.suspect_pairs import SUSPICIOUS, all_flags
from tiltmeter.data.triples.cloze import ODDITIES, odd_kinds
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.stats.hypothesis_tests.power import minimum_detectable_effect

SETS = known_sets()

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}
MARKER = "<!-- the test command -->"


def named(page):
    return str(page.relative_to(ROOT))


@cache
def read(page):
    return page.read_text("utf-8")


def blocks(page, language):
    """The fenced blocks of one language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)
    return [block.rstrip("\n") for block in found]


def prose(page):
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL)


def section(page, heading):
    """What stands under a heading, up to the next of the same level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    start = read(page).index(f"\n{heading}\n") + len(heading) + 2
    end = re.search(rf"^#{{1,{level}}} ", read(page)[start:], re.MULTILINE)
    return read(page)[start : start + end.start()] if end else read(page)[start:]


def anchors(page):
    """The addresses of a page's headings, as GitHub and MyST make them."""
    titles = re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.strip().replace(" ", "-") for title in plain}


# ── Links ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_every_page_is_in_one_table_of_contents():
    listed = Counter()
    for page in DOCS.rglob("*.md"):
        for tree in blocks(page, r"\{toctree\}"):
            entries = re.findall(r"^(?:.* <)?([\w./-]+)>?$", tree, re.MULTILINE)
            files = ((page.parent / entry).resolve() for entry in entries)
            listed.update(
                file.with_suffix(".ipynb" if file.with_suffix(".ipynb").exists() else ".md")
                for file in files
            )
    listed[DOCS / "index.md"] += 1
    pages = [*DOCS.rglob("*.md"), *(DOCS / "notebooks").glob("*.ipynb")]
    assert listed == Counter(dict.fromkeys(pages, 1))


# ── Names in the code ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_a_page_that_names_its_source(study):
    page = DOCS / "studies" / f"{study}.md"
    assert read(page).startswith(f"# {study}\n")
    for doi in re.findall(r"doi:(10\.\S+?)[,;]?(?:\s|$)", STUDIES[study].source):
        assert doi in read(page) or study in {"pairs", "starter_pairs"}
    for data in STUDIES[study].data:
        assert f"`{data}`" in read(DOCS / "how-to" / "data.md") or data == study


@pytest.mark.parametrize("rule", sorted({r.name for s in STUDIES.values() for r in s.rules}))
def test_every_rule_is_described_with_its_source(rule):
    page = DOCS / "studies" / "rules.md"
    assert f"[`{rule}`](#{rule})" in read(page)
    said = section(page, f"### {rule}")
    for source in {r.source for s in STUDIES.values() for r in s.rules if r.name == rule}:
        for doi in re.findall(r"doi:(10\.\S+?)[,;]?(?:\s|$)", source):
            assert doi in read(page)
    assert len(said.split()) > 20


def test_stored_scores_have_a_rule_too():
    assert section(DOCS / "studies" / "rules.md", f"## {STORED.name}").strip()


@pytest.mark.parametrize(
    "convention", sorted({c.name for s in STUDIES.values() for c in s.conventions})
)
def test_every_convention_is_described(convention):
    page = DOCS / "studies" / "conventions.md"
    said = section(page, f"## {convention}")
    for study in STUDIES.values():
        for how in study.conventions:
            if how.name == convention:
                address = re.search(r"github\.com/[\w./-]+\w", how.source)
                assert address is None or address[0] in said
                assert all(f"`{rule}`" in read(page) for rule in how.rules)


def test_every_measure_is_explained():
    names = {m.name for s in STUDIES.values() for m in s.measures}
    assert all(f"`{name}`" in read(DOCS / "explanation" / "results.md") for name in names)


def test_what_a_comparison_estimates_is_explained():
    study, made = STUDIES["pairs"], []
    for name in ("fake:causal", "fake:masked"):
        where = resolve(name)
        chosen = choose(study, where.answers, model=name)
        made.append(measure(study, open_model(where), study.sample(), chosen=chosen))
    for estimate in compare(*made):
        assert f"`{estimate.name}`" in read(DOCS / "explanation" / "results.md")


@pytest.mark.parametrize("name", SETS)
def test_every_data_set_is_listed_with_its_licence(name):
    (row,) = [
        line
        for line in read(DOCS / "how-to" / "data.md").splitlines()
        if line.startswith(f"| `{name}`")
    ]
    assert SETS[name].licence in row
    shipped = all(
        places.package_file(f"shipped/{file.path}").is_file() for file in SETS[name].files
    )
    fetched = all(file.url for file in SETS[name].files) and not shipped
    assert ("download" in row.rpartition("| ")[2]) == fetched
    if name in PUBLISHED:
        assert f"`{name}`" in read(DOCS / "studies" / "crows_pairs.md")


def test_every_named_model_is_listed():
    assert all(f"`{name}`" in read(DOCS / "how-to" / "models.md") for name in WEIGHTS)


def test_every_kind_of_model_is_listed():
    assert all(f"| `{kind}` |" in read(DOCS / "how-to" / "models.md") for kind in known("models"))


def test_every_column_that_files_may_have_is_listed():
    assert all(f"`{name}`" in read(DOCS / "how-to" / "data.md") for name in GROUP_COLUMNS)


def test_every_check_of_pairs_is_listed_on_the_right_side():
    flagged, _, noted = section(
        DOCS / "studies" / "crows_pairs.md", "### Validity checks"
    ).partition("Three more")
    for check in {*CHECKS, "duplicate"}:
        assert f"| `{check}` |" in (flagged if check in SUSPICIOUS else noted)


def test_environment_variables_are_named():
    assert all(
        f"`{name}`" in read(DOCS / "how-to" / "data.md") for name in (places.DATA, places.CACHE)
    )


def test_every_dependency_is_justified_and_every_extra_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {*project["dependencies"]}
    for extra in ("hf", "gguf", "plots", "analysis", "people", "postgres"):
        wanted |= set(project["optional-dependencies"][extra])
        assert f"`[{extra}]`" in read(DOCS / "quickstart.md")
    table = section(DOCS / "extend" / "architecture.md", "## Dependencies")
    for requirement in wanted:
        name = re.match(r"[\w-]+", requirement)[0]
        assert name == project["name"] or re.search(rf"\b{name}\b", table), name


def test_the_version_is_the_same_everywhere():
    citation = read(ROOT / "CITATION.cff")
    assert f"\nversion: {__version__}\n" in citation
    (day,) = re.findall(r"^date-released: (.+)$", citation, re.MULTILINE)
    assert f"\n## {__version__} - {day}\n" in read(ROOT / "CHANGELOG.md")


# ── The command line ─────────────────────────────────────────────────────────────────────────────

COMMANDS = typer.main.get_command(app)


def leaves(command, path=()):
    """Every command that does something, with its path."""
    for name, one in getattr(command, "commands", {}).items():
        if hasattr(one, "commands"):
            yield from leaves(one, (*path, name))
        else:
            yield (*path, name), one.command


LEAVES = dict(leaves(COMMANDS))


def test_the_reference_of_commands_is_that_of_the_commands():
    """`python -m goldens.of_commands --write`, in `tests`, writes it anew."""
    if text := of_commands.changes():
        pytest.fail(text, pytrace=False)


def test_an_argument_of_several_has_one_ellipsis():
    assert "……" not in "".join(of_commands.pages().values())


def test_no_option_is_described_that_does_not_exist():
    there = {o for c in LEAVES.values() for p in c.params for o in (*p.opts, *p.secondary_opts)}
    there |= {o for p in COMMANDS.params for o in p.opts} | {"--help"}
    others = {
        "--extra-index-url",
        "--install-completion",
        "--show-completion",
        "--local-dir",
        "--write",
        "--constraints",
        "--from",
        "--rm",
        "--log_samples",  # of lm-evaluation-harness, as the next
        "--metadata",
        "--gen_kwargs",
        "--reasoning-effort",  # of inspect_ai
    }
    others |= {o for action in benchmarks._parser()._actions for o in action.option_strings}
    for page in PAGES:
        for span in re.findall(r"`([^`\n]+)`", prose(page)):
            for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span):
                assert option in there | others, (named(page), option)


def shell_examples():
    for page in PAGES:
        for block in blocks(page, "bash"):
            for line in re.split(r"\n|&&|\|| &$", block.replace("\\\n", " ")):
                words = shlex.split(line, comments=True)
                if words and Path(words[0]).name == "tiltmeter":
                    yield pytest.param(words[1:], id=f"{named(page)}: {shlex.join(words[1:])}")


@pytest.mark.parametrize("words", list(shell_examples()))
def test_shell_examples_are_understood(words):
    """They are parsed as they would be, and not run."""
    command = COMMANDS
    while hasattr(command, "commands"):
        name, *words = words
        assert name in command.commands
        command = command.commands[name]
    command.make_context(name, words)


def test_every_public_name_of_python_is_in_its_reference():
    listed = re.findall(
        r"^\.\. auto\w+:: tiltmeter\.([\w.]+)$",
        read(DOCS / "reference" / "python.md"),
        re.MULTILINE,
    )
    analyses = {f"analyse.{name}" for name in dir(tm.analyse)}
    assert {*tm.__all__} - {"analyse"} | analyses <= {*listed}
    assert len(listed) == len({*listed})


def test_examples_name_only_what_exists():
    names = {*STUDIES, "STUDY", "left_handed", "tidy_desks"}  # the last two are written on pages
    for example in shell_examples():
        (words,) = example.values
        if words[0] == "run":
            assert words[1] in names or words[1].endswith((".py", ".toml"))
        if words[0] == "import" and "--study" in words:
            assert words[words.index("--study") + 1] in {*names, "log"}
        if "--rule" in words:
            rules = {r.name for s in STUDIES.values() for r in s.rules}
            assert {*re.split("[+,]", words[words.index("--rule") + 1])} <= rules
        if "--convention" in words and words[:2] != ["analyse", "annotations"]:
            conventions = {c.name for s in STUDIES.values() for c in s.conventions}
            assert words[words.index("--convention") + 1] in conventions


MODEL_FILES = ("/", ".gguf", ".toml", "{")
"""What names of folders and files of models have, and of files that list some; documents make them."""
MADE_MODELS = {"cda", "my-small-bert", "stories260K"}
"""Folders that examples make or mean, without a slash."""


def test_examples_name_only_models_that_models_list_knows(tilt):  # noqa: F811
    listed = json.loads(tilt("models", "list", "--json")[1])
    names = {model["name"] for model in listed["models"]}
    kinds = {form["reference"].partition(":")[0] for form in listed["forms"]} | {*known("models")}
    kinds |= {Path(file).stem for wing in WINGS.values() for file in wing.code}  # may be taken off
    kinds |= {"unigram"}  # is written on a page
    for example in shell_examples():
        (words,) = example.values
        start = {"run": 2, "audit": 1, "score": 1}.get(words[0], len(words))
        for model in itertools.takewhile(lambda word: not word.startswith("-"), words[start:]):
            if " " in model or model.rstrip(".").isupper() or model in MADE_MODELS:
                continue
            kind, colon, _ = model.partition(":")
            if colon:
                assert kind in kinds, (words, model)
            else:
                assert model in names or any(mark in model for mark in MODEL_FILES), (words, model)


def test_the_check_script_finds_the_test_command():
    (line,) = [x for x in (ROOT / ".ci" / "run").read_text().splitlines() if x.startswith("tests=")]
    done = subprocess.run(
        ["bash", "-c", f'{line}; printf "%s" "$tests"'],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    after = read(README).partition(f"{MARKER}\n")[2]
    assert after.startswith("```bash\n")
    assert done.stdout == after.removeprefix("```bash\n").partition("\n```\n")[0]
    assert "pip install" in done.stdout
    assert "-m pytest" in done.stdout


def test_readme_installs_what_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    used = re.findall(r"'\.\[(\w+)\]'", read(README))
    assert used
    assert set(used) <= set(extras["optional-dependencies"])
    assert (ROOT / "constraints.txt").is_file()


# ── Examples run ─────────────────────────────────────────────────────────────────────────────────


def module_of(page, name, folder):
    """The page's first code block as a module of that name, and its entry point as if installed."""
    source, entry = blocks(page, "python")[0], blocks(page, "toml")[0]
    file = folder / f"{name}.py"
    file.write_text(source + "\n", encoding="utf-8")
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    groups = tomllib.loads(entry)["project"]["entry-points"]
    lines = [
        line
        for group, found in groups.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in found.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look themselves up there
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module


def started(folder, *words):
    """What the command line writes as JSON in a process of its own, where that module is installed."""
    path = os.pathsep.join([str(ROOT / "src"), str(folder)])
    done = subprocess.run(
        [sys.executable, "-m", "tiltmeter", *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path, "TILTMETER_CACHE": str(folder / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def tiltmeter(tilt, tmp_path, monkeypatch):  # noqa: F811
    """The command line in a folder in which that module is installed; gives what it prints."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)

    def call(*words):
        monkeypatch.syspath_prepend(str(tmp_path))
        code, out, err = tilt(*words)
        assert code == 0, err
        return out

    yield call
    for file in tmp_path.glob("*.py"):
        if file.stem not in before:
            sys.modules.pop(file.stem, None)


def test_the_example_of_a_study_runs(tiltmeter, tmp_path):
    module = module_of(DOCS / "extend" / "add-a-study.md", "left_handed", tmp_path)
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0
    found = json.loads(tiltmeter("run", "left_handed", "fake", "--json"))
    assert found["card"]["study"] == "left_handed"
    numbers = {(e["name"], *e["groups"].values()): e for e in found["estimates"]}
    assert numbers["stereotype_rate",]["n"] == 8
    assert {key[1] for key in numbers if len(key) > 1} == {"skill", "talent", "character"}
    margin = numbers["mean_margin",]
    assert margin["low"] < margin["value"] < margin["high"]
    assert "left_handed" in tiltmeter("ls")


KINDS_OF_STUDIES = {
    re.search(r'name="(\w+)"', block)[1]: block
    for block in blocks(DOCS / "extend" / "add-a-study.md", "python")
}


@pytest.fixture
def shown(tiltmeter, tmp_path, monkeypatch):
    """Runs a study of that page from its file; gives what it prints as JSON."""
    monkeypatch.setattr(finder, "_ADDED", {})

    def run(study, rule, *words):
        (tmp_path / f"{study}.py").write_text(KINDS_OF_STUDIES[study] + "\n", encoding="utf-8")
        file = f"./{study}.py"
        return json.loads(
            tiltmeter("run", file, "fake", "--rule", rule, "--allow-code", "--json", *words)
        )

    return run


@pytest.mark.parametrize(
    ("study", "rule", "measure", "counted"),
    [
        ("left_handed", "pll_shared", "stereotype_rate", 8),
        ("night_owls", "blank_logprob", "ss", 5),
        ("who_forgot", "choice", "score", 6),  # the six questions where nothing says who it was
        ("weather_talk", "pll_all", "bits_per_byte", 8),
    ],
)
def test_each_kind_of_study_is_shown_whole(shown, study, rule, measure, counted):
    assert len(KINDS_OF_STUDIES[study].splitlines()) < 60
    head = shown(study, rule)["estimates"][0]
    assert (head["name"], head["groups"], head["n"]) == (measure, {}, counted)
    assert head["low"] <= head["value"] <= head["high"]


def test_the_questions_of_the_example_have_roles_and_conditions(shown, tmp_path):
    score, lowest, highest, *_ = shown("who_forgot", "choice", "--jsonl")["estimates"]
    (file,) = tmp_path.rglob("records.jsonl")
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    named = ("target", "other", "unknown")
    shares = np.array([[record[f"score_{role}"] for role in named] for record in records])
    assert shares.sum(axis=1) == pytest.approx(1)
    said = [r["score_said"] for r in records if r["group_condition"] == "ambiguous"]
    lean = 100 * (said.count(0) - said.count(1)) / 6
    assert (
        lowest["value"] == score["value"] == highest["value"] == pytest.approx(lean)
    )  # all answer


def test_the_example_of_a_model_runs(tiltmeter, tmp_path):
    module = module_of(DOCS / "extend" / "add-a-model.md", "unigram", tmp_path)
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The cat saw the dog", encoding="utf-8")
    model = module.load(str(corpus))
    (tokens,) = model.encode(["The bird saw"])
    (found,) = model.continuation_logprobs([Continuation((), tokens.ids)])
    # 5 words and 4 + 1 kinds of them: the 2 + 1 times, bird 0 + 1, saw 1 + 1, of 10
    assert found.tolist() == pytest.approx([math.log(3 / 10), math.log(1 / 10), math.log(2 / 10)])
    result = json.loads(tiltmeter("run", "starter_pairs", f"unigram:{corpus}", "--json"))
    assert result["card"]["rule"] == "log_likelihood"
    assert result["card"]["model"]["words"] == 4
    assert result["card"]["model"]["fingerprint"] == model.fingerprint


def test_the_example_of_a_question_runs(tmp_path):
    """In processes of their own: questions are listed once for each process."""
    module_of(DOCS / "extend" / "add-a-question.md", "outright", tmp_path)
    runs = [started(tmp_path, "run", "outright", "shorter", "--json") for _ in range(2)]
    card = runs[0]["card"]
    assert card["rule"] == "asked_outright"
    pairs = STUDIES["starter_pairs"].load().items
    assert card["run"]["asked"] == 2 * len(pairs)
    assert runs[1]["card"]["run"]["recalled"] == 2 * len(pairs)
    (rate,) = [
        e for e in runs[0]["estimates"] if e["name"] == "stereotype_rate" and not e["groups"]
    ]
    lengths = [
        (len(pair.more) < len(pair.less), len(pair.more) == len(pair.less)) for pair in pairs
    ]
    right = sum(shorter + equal / 2 for shorter, equal in lengths)
    assert rate["value"] == pytest.approx(100 * right / len(pairs))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "pycon")], ids=named)
def test_interactive_examples_print_what_the_page_shows(page):
    examples = "\n".join(blocks(page, "pycon")) + "\n"
    test = doctest.DocTestParser().get_doctest(examples, {}, named(page), named(page), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_python_page_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(logging.getLogger("tiltmeter"), "level", logging.NOTSET)
    page = DOCS / "how-to" / "python.md"
    scope = {}
    for block in blocks(page, "python"):
        exec(compile(block, named(page), "exec"), scope)  # our own page
    assert "stereotype_rate" in capsys.readouterr().out
    assert len(scope["by_type"]) == 9


def test_sample_files_can_be_read(tiltmeter, tmp_path):
    (sample,) = [b for b in blocks(DOCS / "studies" / "pairs.md", "text") if "sent_more" in b]
    file = tmp_path / "mine.csv"
    file.write_text(sample + "\n", encoding="utf-8")
    data = read_pairs(file)
    assert [dict(p.groups)["region"] for p in data.items] == ["north", "south", "south", "north"]
    assert not data.notes
    found = json.loads(tiltmeter("run", "pairs", "fake", "--data", "mine.csv", "--json"))
    regions = {e["groups"]["region"]: e["n"] for e in found["estimates"] if "region" in e["groups"]}
    assert regions == {"north": 2, "south": 2}  # the axis of one's own has a result
    (line,) = blocks(DOCS / "how-to" / "data.md", "json")
    file = tmp_path / "mine.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    assert read_pairs(file).items[0].groups["bias_type"] == "age"


def test_sample_files_of_triples_can_be_read(tmp_path):
    page = DOCS / "studies" / "stereoset.md"
    (layout,) = blocks(page, "json")
    (table,) = [b for b in blocks(page, "text") if "anti_stereotype," in b]
    both = []
    for name, sample in (("mine.json", layout), ("mine.csv", table)):
        file = tmp_path / name
        file.write_text(sample + "\n", encoding="utf-8")
        both.append(read_triples(file))
    for data in both:
        within, between = data.items[:2]
        assert not data.invalid
        assert within.attributes == ("quiet", "loud", "square")
        assert within.sentences[2] == "The librarian was very square."
        assert between.task == "intersentence"
        assert between.sentences[1] == "She races motorbikes."
        assert {t.domain for t in data.items} == {"profession"}
    assert both[0].items[0].names[0] == "librarian-1a"
    assert [t.groups["place"] for t in both[1].items] == ["library", "home", "road"]
    assert both[1].items[2].attributes[1] == "slow and healthy"


def test_messages_are_what_is_printed(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(
        "id,sent_more,sent_less,direction\n"
        "1,She is late.,He is late.,stereo\n"
        "2,She sings.,,stereo\n"
        "2,Old men drive.,Young men drive.,sterio\n"
        "4,He ran.,He ran.,stereo\n"
    )
    with pytest.raises(BadItems) as found:
        read_pairs(file)
    assert str(found.value) in blocks(DOCS / "how-to" / "data.md", "text")


# ── Figures ──────────────────────────────────────────────────────────────────────────────────────


def test_effects_that_can_be_detected():
    pages = (DOCS / "explanation" / "results.md", DOCS / "studies" / "starter_pairs.md")
    for n, effect in ((30, 24.9), (270, 8.6)):
        assert round(100 * minimum_detectable_effect(n), 1) == effect
        assert all(f"{effect}" in read(page) for page in pages)


@published.needs("crows_pairs")
def test_figures_of_the_checks_of_pairs_are_those_of_this_version():
    items = load_pairs("crows_pairs", "crows_pairs").items
    found = [{flag.name for flag in flags} for flags in all_flags(items)]
    page = section(DOCS / "studies" / "crows_pairs.md", "### Validity checks")
    for name, count in re.findall(r"^\| `(\w+)` \|[^|]*\| (\d+) \|$", page, re.MULTILINE):
        assert sum(name in flags for flags in found) == int(count), name
    (flagged,) = re.findall(r"\*\*any of these\*\* \| \| \*\*(\d+)\*\*", page)
    assert sum(bool(flags & SUSPICIOUS) for flags in found) == int(flagged)


def test_figures_of_stereosets_sentiment_are_those_of_this_version():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    published.need("stereoset/dev_rebuilt.json")
    found = sentiment(STUDIES["stereoset"].load("stereoset_rebuilt").items)
    numbers = {(e.name, *sorted(e.groups.items())): e for e in found.estimates}
    page = section(
        DOCS / "studies" / "stereoset_data.md", "## Are stereotypes worded more negatively?"
    )
    rows = re.findall(r"^\| (\w+) \| ([\d./ ]+) \| ([\d./ ]+) \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) == 7
    for name, more, less, apart in rows:
        axis = "task" if name.endswith("sentence") else "domain"
        group = {} if name == "all" else {axis: name}
        for side, told in (("stereotype", more), ("anti_stereotype", less)):
            shares = [
                numbers[of.name, *sorted({"side": side, **group}.items())] for of in SHARES.values()
            ]
            assert told == " / ".join(f"{share.value:.1f}" for share in shares)
        one = numbers[DIFFERENCES["negative"].name, *sorted(group.items())]
        assert apart == f"{one.value:+.1f} ({one.low:+.1f} to {one.high:+.1f})"


def test_figures_of_odd_contexts_are_those_of_this_version():
    page = section(DOCS / "studies" / "stereoset.md", "### Odd contexts")
    rows = dict(re.findall(r"^\| ([\w ]+) \| (\d+) \|", page, re.MULTILINE))
    assert set(rows) == set(ODDITIES)
    published.need("stereoset/dev_rebuilt.json")
    items = STUDIES["stereoset"].load("stereoset_rebuilt").items
    counts = Counter(kind for triple in items for kind in odd_kinds(triple))
    assert {kind: counts[kind] for kind in ODDITIES} == {k: int(n) for k, n in rows.items()}


def test_figures_of_the_baselines_are_those_of_this_version():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    published.need("stereoset/dev_rebuilt.json")
    study = STUDIES["stereoset"]
    items = study.load("stereoset_rebuilt")
    page = section(DOCS / "studies" / "stereoset.md", "## Baselines")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)
    assert [name for name, *_ in rows] == ["ideal", "stereotyped", "random", "sentiment"]
    for name, *told in rows:
        where = resolve(name)
        chosen = choose(study, where.answers, model=name)
        result = measure(study, open_model(where), items, chosen=chosen)
        overall = {e.name: e for e in result.estimates if not e.groups}
        for said, measured in zip(told, ("lms", "ss", "icat"), strict=True):
            one = overall[measured]
            interval = "" if one.low is None else f" ({one.low:.1f} to {one.high:.1f})"
            assert said == f"{one.value:.1f}{interval}"


# ── Words, and the pages as a whole ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_words_that_promise_too_much_are_not_used(page):
    wrong = re.compile(
        r"\b(debiased|unbiased|bias-free|state.of.the.art|cutting.edge)\b", re.IGNORECASE
    )
    text = prose(page)
    if page.name == "glossary.md":
        text = text.replace(section(page, "## How we write about results"), "")
    assert not wrong.search(text)


@pytest.fixture(scope="module")
def built_pages(tmp_path_factory):
    """Sphinx's pages; a warning is an error.

    Without functions and classes in the contents beside each page, which take half of the time.
    """
    for library in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(library, reason="the extra [docs] is not installed")
    folder = tmp_path_factory.mktemp("pages")
    done = subprocess.run(
        [
            sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html",
            "-D", "toc_object_entries=0", DOCS, folder,
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_pages_build_without_a_warning(built_pages):
    page = (built_pages / "studies" / "rules.html").read_text("utf-8")
    assert 'id="pll-shared"' in page or 'id="pll_shared"' in page
    fetched = re.findall(r'<(?:script|link)[^>]+(?:src|href)="(https?:[^"]+)"', page)
    assert not fetched


SEARCHES = {
    "icat": "studies/stereoset",
    "is GPT-2 biased": "how-to/questions",
    "Prolific": "surveys/panels",
    "four fifths": "jobs/who-gets-chosen",
    "BBQ wrong": "studies/bbq",
    "CrowS-Pairs": "studies/crows_pairs",
    "WEAT": "studies/weat",
    "confidence interval": "explanation/results",
    "chat model API": "how-to/chat-models",
    "LaTeX table": "jobs/paper-table",
    "compare two models": "how-to/questions",
}
"""What people search for, and a page that answers it."""
FIRST = 4
"""How far down the list somebody looks."""


@pytest.mark.browser
def test_the_search_of_the_pages_finds_what_people_look_for(built_pages, browser):  # noqa: F811
    tab, missed = browser.new_page(), {}
    for words, page in SEARCHES.items():
        tab.goto(f"{(built_pages / 'search.html').as_uri()}?q={quote(words)}")
        tab.get_by_text("Search finished").wait_for()
        links = tab.locator("#search-results li > a").evaluate_all(
            "all => all.map(link => link.getAttribute('href'))"
        )
        if not any(link.startswith(f"{page}.html") for link in links[:FIRST]):
            missed[words] = links[: FIRST + 2]
    tab.close()
    assert not missed
