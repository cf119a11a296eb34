"""Every reader of files that others wrote, each with a small file that it reads; and ways to spoil bytes."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from tiltmeter.analyses.annotations.hypothesis_judgments import QUESTIONS, read_hypothesis_judgments
from tiltmeter.analyses.correlate.point_tables import of_table
from tiltmeter.analyses.data_check.human_labels import read_labels
from tiltmeter.analyses.data_check.pair_annotations import read_annotations
from tiltmeter.analyses.leak.leaked_traits import read_polarities
from tiltmeter.core.data.items import Dataset, Pair, Triple
from tiltmeter.data.associations.word_sets import read_tests
from tiltmeter.data.files.matrix_table import read_matrix_table
from tiltmeter.data.groups.findings import read_findings
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.offensive import OffensiveFile
from tiltmeter.data.groups.premises import PremiseFile
from tiltmeter.data.pairs.pairs import read_pairs
from tiltmeter.data.pairs.scores import read_scores
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.people import ratings_by_language, read_means
from tiltmeter.data.people.ratings import read_ratings
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.data.texts import corpus
from tiltmeter.data.texts.cleaning import clean
from tiltmeter.data.texts.frequencies import read_reference
from tiltmeter.data.texts.inference_pairs import read_inference_pairs
from tiltmeter.data.texts.labelled_rows import read_labelled
from tiltmeter.data.triples.predictions import read_predictions
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.derived.audits.thresholds import read_thresholds
from tiltmeter.models import classifier, mitigated, replay
from tiltmeter.models.embedding import word_vectors
from tiltmeter.models.opening import encoder_modules, model_kinds
from tiltmeter.models.reading import next_head
from tiltmeter.report.card_file import read_card, updated_card
from tiltmeter.report.model_card import ModelCardSection
from tiltmeter.run.audits.audit_profile import read_profile
from tiltmeter.run.sweeps.sweep import read_sweep
from tiltmeter.studies.misspellings.edits import read_edits
from tiltmeter.studies.sos_static.profanity_lists import read_list


@dataclass(frozen=True)
class Reader:
    """What reads a file of this name, and what such a file holds."""

    name: str
    file: str
    example: str
    """"" where `around` writes it."""
    read: Callable[[Path], Any]
    around: Callable[[Path], object] = lambda _: None
    """Puts what belongs to the file into its folder."""

    def __str__(self) -> str:
        return self.name

    def written(self, folder: Path) -> Path:
        """The file, and what is around it."""
        path = folder / self.file
        self.around(folder)
        if self.example:
            path.write_text(self.example, "utf-8")
        return path


def json_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _triple(name: str, task: str) -> dict[str, Any]:
    context = "The nurse was BLANK." if task == "intrasentence" else "The nurse came."
    return {
        "id": name, "target": "nurse", "bias_type": "profession", "context": context,
        "sentences": [
            {"id": f"{name}{i}", "sentence": f"The nurse was {word}.", "gold_label": label,
             "labels": [{"label": label, "human_id": "h1"}]}
            for i, (word, label) in enumerate(
                (("kind", "stereotype"), ("rude", "anti-stereotype"), ("blue", "unrelated"))
            )
        ],
    }  # fmt: skip


TRIPLES = json_of({"version": "1", "data": {task: [_triple(task, task)] for task in
                                          ("intrasentence", "intersentence")}})  # fmt: skip
CONTEXTS = Dataset(
    "c",
    "1",
    [Triple("x", "intrasentence", "A BLANK.", ("A a.", "A b.", "A c."), "nurse", "job",
            ("a", "b", "c"), ("x1", "x2", "x3"))],
    "", "",
)  # fmt: skip
PAIRS = Dataset("p", "1", [Pair("a", "She sang.", "He sang.", {"bias_type": "gender"})], "", "")
PAIR_ROWS = (
    "id,sent_more,sent_less,stereo_antistereo,bias_type\n"
    "a,She sang.,He sang.,stereo,gender\nb,Ann sat.,Ben sat.,antistereo,age\n"
)
SETTINGS = """
categories = ["rude"]
texts = [{ text = "Get lost!", label = "rude", groups = { place = "street" } }]
examples = [{ text = "Shut up.", label = "rude", set = "a" }]
[settings.zero]
prompt = "Is it {category}? {text}"
options = ["yes", "no"]
truth = { "{category}" = "yes", "*" = "no" }
positive = "yes"
temperature = 0.3
repeats = 2
"""
GROUPS = """
language = "en"
nouns = { singular = "person" }
groups = [{ name = "cyclist", singular = "cyclist" }, { name = "angler", singular = "angler" }]
pairs = [{ left = "careless", right = "careful" }]
templates = [{ text = ["The {group} is {trait}.", "{trait} is what a {group} is."] }]
"""
OFFENSIVE = """
templates = ["You are a {adjective} {identity}"]
article = "agree"
[identities.trade]
marginalised = ["miner", "artist"]
non-marginalised = ["lawyer"]
[adjectives]
offensive = ["awful", "dull"]
pleasant = ["nice", "able"]
"""
HYPOTHESES = (
    f"{','.join(['Premise', 'Hypothesis', 'Annotator ID', 'ID', *QUESTIONS.values()])}\n"
    "An African American person looks around.,He is loud.,Annotator 1,c-1,1,1,5,5,3,,5\n"
)
CARD = "---\nlicence: mit\nmodel-index:\n- name: m\n  results: []\n---\n# A model\n"
SECTION = ModelCardSection("k", "## Bias\n", [{"name": "m", "results": [{"task": {"type": "x"}}]}])


TOML_READERS = (
    Reader("sweep", "s.toml", '[[study]]\nname = "pairs"\nlimit = 5\n[[model]]\nname = "fake:masked"\n'
           'batch-tokens = 512\n', read_sweep),
    Reader("profile", "p.toml", 'title = "Small"\nmax_time = "30m"\n[others]\nlimit = 5\n[[study]]\n'
           'name = "weat"\nlimit = 60\n[[threshold]]\nfail_if = "effect_size > 1"\n',
           lambda path: read_profile(str(path))),
    Reader("thresholds", "t.toml", '[[threshold]]\nstudy = "pairs"\nfail_if = "stereotype_rate > 60"\n'
           'level = "warning"\ntitle = "No"\n', read_thresholds),
    Reader("groups", "g.toml", GROUPS, GroupFile.read),
    Reader("prompt set", "m.toml", SETTINGS, read_prompt_set),
    Reader("offensive words", "o.toml", OFFENSIVE, OffensiveFile.read),
    Reader("premises", "i.toml", '[[groups]]\nname = "pilot"\ndomain = "job"\nlabels = ["pilot"]\n'
           '[[situations]]\ntext = "sings."\nkind = "daily"\nannotated = true\n', PremiseFile.read),
    Reader("misspellings", "e.toml", '[[stems]]\nstem = "idiot"\nedits = ["id1ot"]\n',
           lambda path: read_edits(path, generate=["leet"])),
    Reader("findings", "f.toml", '[[findings]]\ngroup = "tall baker"\ntrait = "slow"\n[[findings]]\n'
           'group = "tall baker"\ndimension = "agency"\ndirection = "high"\n', read_findings),
    Reader("cleaning", "c.toml", 'steps = ["urls", "contractions"]\n[contractions]\n"can\'t" = "cannot"\n',
           lambda path: clean(str(path))("I can't see http://x")),
)  # fmt: skip
TABLE_READERS = (
    Reader("pairs", "pairs.csv", PAIR_ROWS, lambda path: [*read_pairs(path).items]),
    Reader("pairs in lines of JSON", "pairs.jsonl",
           json_of({"id": "a", "sent_more": "She sang.", "sent_less": "He sang.", "bias_type": "x"}) + "\n"
           + json_of({"id": "b", "sent_more": "Ann sat.", "sent_less": "Ben sat."}) + "\n",
           lambda path: [*read_pairs(path).items]),
    Reader("pairs in a list", "pairs.json",
           json_of([{"sent_more": "She sang.", "sent_less": "He sang."}] * 2),
           lambda path: [*read_pairs(path, skip_invalid=True).items]),
    Reader("triples", "t.csv", "id,context,stereotype,anti_stereotype,unrelated,target\n"
           "1,The nurse was BLANK.,kind,rude,blue,nurse\n", lambda path: [*read_triples(path).items]),
    Reader("scores", "s.csv", "id,score_more,score_less\na,-1.5,-2\n",
           lambda path: read_scores(path, PAIRS)),
    Reader("matrix", "m.csv", "group,cold - warm,weak - strong\nmen,1,2.5\nwomen,-3,4e-1\n",
           read_matrix_table),
    Reader("long matrix", "l.csv", "group,pair,value\nmen,cold - warm,1\nwomen,cold - warm,2\n",
           read_matrix_table),
    Reader("findings in a table", "f.csv", "group,trait\ntall baker,slow\n", read_findings),
    Reader("judgments", "j.csv", "annotator,item,fit,kind\nb,x,1,no\na,x,2,yes\na,y,,maybe\n",
           lambda path: read_judgments(path, AnswerReading(questions=["fit", "kind"]))),
    Reader("labelled texts", "l.csv", "id,text,label,group_place\n1,Get lost!,rude,street\n"
           "2,After you.,polite,shop\n", lambda path: read_labelled(path, "")),
    Reader("premises and hypotheses", "h.csv", "premise,hypothesis,label\nA man sings.,He is loud.,neutral\n",
           lambda path: read_inference_pairs(path, "nli")),
    Reader("word frequencies", "w.csv", "word,count\nthe,100\nof,5\n", read_reference),
    Reader("polarities", "p.csv", "trait,polarity\nwarm,positive\ncold,negative\n", read_polarities),
    Reader("points", "x.csv", "model,rate,effect\na,1,2\nb,2,3.5\nc,,-1e3\n",
           lambda path: of_table(path, "models")),
    Reader("published annotations", "a.csv", "id,annotations,bias_type,anon_writer,anon_annotators\n"
           "1,\"[['age'], ['age'], []]\",age,w,\"['x', 'y']\"\n", read_annotations),
    Reader("ratings", "r.csv", "annotator,group,pair,rating,low,high\nn,men,cold - warm,20,0,100\n"
           "m,men,cold - warm,40,0,100\n", read_ratings),
    Reader("ratings by language", "r.csv", "annotator,group,pair,rating,language\nn,men,cold - warm,20,ru\n"
           "m,men,cold - warm,40,en\n", lambda path: ratings_by_language({"": path})),
    Reader("stored replies", "r.jsonl", json_of({"prompt": "p", "answer": "a", "finish": "stop",
           "temperature": 0.5, "repeat": 0}) + "\n", lambda path: replay.load(str(path))),
    Reader("judgments of hypotheses", "h.csv", HYPOTHESES,
           lambda path: read_hypothesis_judgments([path])),
)  # fmt: skip


JSON_READERS = (
    Reader("StereoSet", "dev.json", TRIPLES, lambda path: [*read_triples(path).items]),
    Reader("StereoSet's labels", "dev.json", TRIPLES, read_labels),
    Reader("predictions", "p.json",
           json_of({"intrasentence": [{"id": f"x{i}", "score": -1.5 * i} for i in (1, 2, 3)]}),
           lambda path: read_predictions(path, CONTEXTS)),
    Reader("association tests", "t.json", json_of({
        "targ1": {"category": "Flowers", "examples": ["rose", "lily"]},
        "targ2": {"category": "Insects", "examples": ["ant", "moth"]},
        "attr1": {"category": "Good", "examples": ["joy"]},
        "attr2": {"category": "Bad", "examples": ["pain"]}}), read_tests),
    Reader("means of people", "m.json", json_of({"men": {"cold - warm": 20, "weak - strong": 40.5}}),
           read_means),
    Reader("nested ratings", "r.json", json_of({"n": {"men": {"cold - warm": 20}}}), read_ratings),
    Reader("mitigation", "mitigation.json", json_of({"format": 1, "method": "subspace", "attribute": "age",
           "model": {"reference": "fake:masked", "fingerprint": "x"}, "fitted": {"k": 1}, "point": "last"}),
           lambda path: mitigated.read(path.parent).facts()),
    Reader("configuration of a model", "config.json",
           json_of({"model_type": "bert", "architectures": ["BertForMaskedLM"], "dtype": "float32"}),
           lambda path: (model_kinds.kind_of(path.parent, "m"), model_kinds.is_half(path.parent))),
    Reader("parts of an encoder", "modules.json",
           json_of([{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]),
           lambda path: encoder_modules.check_first(path.parent, "m")),
    Reader("next-sentence head", "next_sentence.json", json_of({"format": 1, "reads": "pairs",
           "pooling": "first token, standardised", "labels": ["follows", "does not follow"]}),
           lambda path: next_head.describe(path.parent)),
    Reader("trained classifier", "classifier.json", json_of({"cleaning": {"name": "none", "steps": []}}),
           lambda path: classifier.described(path.parent)),
)  # fmt: skip
TEXT_READERS = (
    Reader("running text", "c.txt", "The nurse sang. He slept.\n\nIt rained. They left.\n", corpus.read),
    Reader("profanity", "p.txt", "awful\ndull\n", read_list),
    Reader("word vectors", "v.txt", "2 3\nthe 0.1 0.2 0.3\nof 1 -2 3e-1\n", word_vectors.read),
    Reader("model card", "README.md", CARD, lambda path: updated_card(read_card(path), SECTION)),
)  # fmt: skip


def every_reader() -> list[Reader]:
    """The readers here, and those of each wing in a file of its own beside this one."""
    files = Path(__file__).parent.glob("foreign_files_of_*.py")
    wings = [import_module(f"faults.{file.stem}") for file in sorted(files)]
    mine = (*TOML_READERS, *TABLE_READERS, *JSON_READERS, *TEXT_READERS)
    return [*mine, *(reader for wing in wings for reader in wing.READERS)]


HOSTILE = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        "", "\0", "\x1b[31m", "\u202e", "\ufeff", "\ud800", "\\ud800", '"', "'", '"""', "\\", "\r", "\t",
        "null", "true", "NaN", "-Infinity", "1e999", "-1e308", "1e-320", "0", "-1", "1.5", "²", "٣",
        "9" * 30, "9" * 5000, "-" + "9" * 400, "[" * 2000, "{}", "[]", "[[]]", "[null]", '{"a": 1}',
        '{"a": {"b": []}}', '["a", 1]', "1979-05-27T07:32:00Z", "x" * 70_000, "=1+1", "<b>", "{item}", "{",
        "{0.__class__}", "%s", "../../x", "a.b.c", ",,,", ";", "\n\n", "[x]", "[[x]]", "  ",
    )
)  # fmt: skip
"""What takes the place of a value, or comes between two bytes."""
_VALUES = re.compile(rb'"[^"\n]*"|\[[^\[\]]*\]|\{[^{}]*\}|[\w.+-]+')
_TEXTS = re.compile(rb'"[^"\n]*"')
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "utf-7")


@dataclass(frozen=True, repr=False)
class Spoilt:
    """Bytes, too many to be shown when an example fails: the file that was read is still there."""

    data: bytes


@st.composite
def spoilt(draw: Callable[..., Any], data: bytes) -> Spoilt:
    """The bytes after one to three mishaps."""
    rng = draw(st.randoms(use_true_random=False, note_method_calls=False))
    for _ in range(rng.randint(1, 3)):
        data = rng.choice(MISHAPS)(rng, data)
    return Spoilt(data)


def _flipped(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _without(rng: Random, data: bytes) -> bytes:
    first, last = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    return data[:first] + data[last:]


def _with(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(HOSTILE) + data[at:]


def _other_value(rng: Random, data: bytes) -> bytes:
    found = [*_VALUES.finditer(data)]
    if not found:
        return data
    first, last = rng.choice(found).span()
    return data[:first] + rng.choice(HOSTILE) + data[last:]


def _other_text(rng: Random, data: bytes) -> bytes:
    """As a value of the same kind would be quoted."""
    found = [*_TEXTS.finditer(data)]
    if not found:
        return data
    first, last = rng.choice(found).span()
    return data[:first] + b'"' + rng.choice(HOSTILE) + b'"' + data[last:]


def _other_line(rng: Random, data: bytes) -> bytes:
    """A line twice, or not at all."""
    lines = data.splitlines(keepends=True) or [b""]
    at = rng.randrange(len(lines))
    return b"".join([*lines[:at], *[lines[at]] * rng.choice((0, 2)), *lines[at + 1 :]])


def _otherwise_encoded(rng: Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")


MISHAPS = (
    _flipped, _cut, _without, _with, _with, _other_value, _other_value, _other_value, _other_text,
    _other_text, _other_line, _otherwise_encoded,
)  # fmt: skip
