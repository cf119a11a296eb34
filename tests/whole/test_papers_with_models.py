"""Every paper with a small random model of the same architecture in the place of each of its models.

What is measured are the made-up items that come with each study, so that no data are needed. Nothing may fail
but what says why: a document is written, and every number of it is there or has its reason.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from servers.hub_fixtures import client, hub
from support import published
from support.architectures import build
from support.command_line import own_cache, tilt
from support.next_heads import by_topic, reading_pairs
from tiltmeter.data.memory.samples import sampled
from tiltmeter.mitigate.fit import FitConfig, fit
from tiltmeter.papers.cells import NOTHING
from tiltmeter.papers.paper_file import papers, read_paper
from tiltmeter.run.files.folder import read
from tiltmeter.run.sweeps import sweep_jobs
from tiltmeter.train.next_sentence import NextSentenceConfig, train

__all__ = ["client", "hub", "own_cache", "tilt"]

KINDS = {
    ("sentiment",): "fake:classifier",
    ("davinci", "chatgpt", "gpt-3.5"): "fake:writer",
    ("mt5",): "mt5",
    ("unifiedqa", "comet", "mnli", "snli"): "t5",
    ("xlm-roberta",): "xlmr",
    ("roberta",): "roberta",
    ("albert",): "albert",
    ("electra",): "electra",
    ("xlnet",): "xlnet",
    ("gpt2",): "gpt2",
    ("pythia",): "gptneox",
    ("phi", "mistral", "llama"): "llama",
    ("bert",): "bert",
}
"""The architecture of a model by parts of its name."""
MITIGATED = "mitigated:"
TEXT = [f"{who} saw {i} cars." for i in range(6) for who in ("She", "He")]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A small model of an architecture, made once."""
    made = {}

    def of(kind):
        if kind.startswith("fake:"):
            return kind
        if kind not in made:
            folder = tmp_path_factory.mktemp("models") / kind.removeprefix(MITIGATED)
            if kind.startswith(MITIGATED):
                plain = of(kind.removeprefix(MITIGATED))
                text = folder.with_name("text.txt")
                text.write_text("\n\n".join(TEXT))
                config = FitConfig(
                    "sentence_debias", plain, "gender", str(text), str(folder), device="cpu"
                )
                made[kind] = f"{MITIGATED}{fit(config)}"
            else:
                reads = kind in {"bert", "roberta", "xlnet", "albert"}
                made[kind] = str((reading_pairs if reads else build)(kind, folder))
        return made[kind]

    return of


@pytest.fixture(scope="module")
def heads(tiny, tmp_path_factory):
    """A folder with next-sentence heads of the architectures in StereoSet's papers."""
    folder = tmp_path_factory.mktemp("heads")
    text = by_topic(folder / "text.txt", documents=20)
    for kind in ("bert", "roberta", "xlnet", "gpt2"):
        out = str(folder / kind)  # by which it is that of each model in the folder of that name
        train(NextSentenceConfig(tiny(kind), str(text), out, epochs=1, pairs=20, device="cpu"))
    return folder


def _kind(called):
    return next(kind for words, kind in KINDS.items() if any(w in called.lower() for w in words))


@pytest.fixture
def sample_items(monkeypatch):
    """Each study is run on its made-up items, under the name of its usual data."""

    def load_items(study, options, _):
        sample = study.sample()
        usual = str(options.data or (*study.data, study.name)[0])
        set_to = {value.strip() for text in options.settings.values() for value in text.split(",")}
        meant = [item for item in sample.items if set_to & {*item.groups.values()}]
        items = replace(sample, name=usual, items=meant or sample.items)
        return sampled(items, options.limit, seed=options.seed)

    monkeypatch.setattr(sweep_jobs, "load_items", load_items)


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Puts the stored outputs of a paper into a folder of data; none of them can be read."""
    monkeypatch.setenv("TILTMETER_MIRROR", (tmp_path / "none").as_uri())  # nothing is fetched
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path / "data"))

    def put(paper):
        (tmp_path / "data").mkdir()
        names = [n for run in paper.runs for output in run.stored for n in output.file.split(",")]
        for path in (tmp_path / "data" / n for n in names if not n.startswith("ensemble:")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    return put


def _models(paper, tiny):
    """Each model of the paper as a small one."""
    takes = [run for run in paper.runs if not run.why]
    for model in paper.models:
        if model.free or not any(model.name in (run.models or [model.name]) for run in takes):
            continue
        if "ensemble" in model.called.lower() or "+" in model.called:
            yield f"{model.name}=ensemble:{tiny('bert')}+{tiny('gpt2')}"
        else:
            kind = _kind(model.called)
            mitigated = MITIGATED if model.name.endswith("_sos") else ""
            yield f"{model.name}={tiny(mitigated + kind)}"
    if any(run.own for run in takes):
        yield tiny("bert")  # the user's own, beside the paper's


@pytest.fixture
def replicate(tilt, tmp_path, heads):
    """The cells of a paper with small models in the place of its own, on a sample of the data."""

    def call(paper, *named):
        models = ["--models", ",".join(named)] if named else []
        more = ["--heads", heads] if paper.name.startswith("nadeem") else []
        words = (
            "replicate",
            paper.name,
            "--limit",
            12,
            "--skip-invalid",
            "--out",
            tmp_path / "paper",
        )
        code, _, err = tilt(*words, *models, *more, "--json")
        assert code in {0, 1}, err
        items = {item.name for item in paper.items if item.rows}
        return [r for r in read(tmp_path / "paper").records if r.kind in items], err

    return call


def bare(cells):
    """The cells without a number of ours that do not say why."""
    whys = [(c, c.groups.get("why", NOTHING)) for c in cells if "value" not in c.scores]
    return [(c.item, c.groups) for c, why in whys if why == NOTHING]


@pytest.mark.usefixtures("sample_items")
@pytest.mark.parametrize("name", papers())
def test_every_number_is_there_or_says_why(replicate, stored, tiny, name):
    paper = read_paper(name)
    stored(paper)
    cells, err = replicate(paper, *_models(paper, tiny))
    assert cells and not bare(cells), err


@pytest.mark.slow
@published.needs("crows_pairs")
@pytest.mark.parametrize("name", papers())
def test_every_number_of_the_published_data_is_there_or_says_why(
    replicate, tiny, monkeypatch, name
):
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    paper = read_paper(name)
    cells, err = replicate(paper, *_models(paper, tiny))
    assert cells and not bare(cells), err


@pytest.mark.usefixtures("sample_items", "client")
@pytest.mark.parametrize("name", [
    "nangia2020",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("elsafoury2023", "nadeem2021", "pikuliak2024")),
])  # fmt: skip
def test_all_models_of_a_paper_come_from_the_hub_and_one_may_be_gone(
    replicate, stored, hub, tiny, name
):
    paper = read_paper(name)
    stored(paper)
    there = [m for m in paper.models if m.reference and not m.free]
    for model in there[1:]:
        files = {file.name: file.read_bytes() for file in Path(tiny(_kind(model.called))).iterdir()}
        hub.repo("models", model.reference).commit(files, "main")
    cells, err = replicate(paper, "all")
    assert not bare(cells), err
    gone = [c for c in cells if "is private" in c.groups.get("why", "")]
    assert gone and {c.groups.get("model", there[0].called) for c in gone} == {there[0].called}
    assert f"Not all was run on {there[0].name}: the document says why." in err
    filled = {c.groups.get("model") or c.groups.get("base") for c in cells if "value" in c.scores}
    assert filled >= {model.called for model in there[1:]}
