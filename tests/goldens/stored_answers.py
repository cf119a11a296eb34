"""Small files of answers that were stored elsewhere, and the commands that read them, by study."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from goldens.outputs import call
from tiltmeter.core.finder import find
from tiltmeter.report.rows import item_rows
from tiltmeter.run.files.folder import read

Rows = Sequence[Sequence[object]]
Command = Sequence[str]
SAMPLE = "sample"
"""What --data is where the study's sample is meant."""
IMPORT = ("import", "--study")


def commands(study: str) -> list[Command]:
    """The commands on files that this makes in the current folder; none where the study reads no answers."""
    Path("in").mkdir(exist_ok=True)
    return MADE[study](study) if study in MADE else []


def _write(name: str, text: str) -> str:
    Path("in", name).write_text(text, "utf-8")
    return f"in/{name}"


def _table(name: str, rows: Rows) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return _write(name, written.getvalue())


def _lines(name: str, objects: Sequence[Mapping[str, object]]) -> str:
    return _write(name, "".join(f"{json.dumps(one)}\n" for one in objects))


def _pairs(study: str) -> list[Command]:
    """Pairs of four kinds with the scores of both sentences, one of them alike."""
    named = "id sent_more sent_less stereo_antistereo bias_type sent_more_score sent_less_score"
    rows: list[list[object]] = [[*named.split()]]
    for n in range(16):
        way, kind = "stereo" if n % 3 else "antistereo", ("age", "gender")[n % 2]
        both = (f"the old man {n} sang", f"the young man {n} sang")
        rows.append([f"p{n}", *both, way, kind, -10 - n % 5, -12 if n else -10])
    return [(*IMPORT, study, _table("pairs.csv", rows), "--name", "stored")]


def _triples(study: str) -> list[Command]:
    of = {"stereotype": -3, "anti_stereotype": -4, "unrelated": -5}
    scores = [
        {"id": f"within-{n}/{side}", "score": score - n % 3}
        for n in range(9) for side, score in of.items()
    ]  # fmt: skip
    path = _write("triples.json", json.dumps({"intrasentence": scores}))
    return [(*IMPORT, study, path, "--data", SAMPLE, "--skip-invalid", "--name", "stored")]


def _predictions(study: str) -> list[Command]:
    """Ten texts about two groups; of harmless ones two of four about women are toxic, none about men."""
    scores = {"women": (0.9, 0.4, 0.8, 0.6, 0.2, 0.1), "men": (0.7, 0.95, 0.3, 0.05)}
    rows: list[list[object]] = [["id", "text", "label", "score", "group"]]
    for group, numbers in scores.items():
        for n, score in enumerate(numbers):
            label = "toxic" if n < 2 else "fine"
            rows.append([f"{group}{n}", f"text {n} about {group}", label, score, group])
    words = (*IMPORT, study, _table("predictions.csv", rows), "--set", "positive=toxic")
    return [words, (*words, "--set", "threshold=0.75")]


def _questions(study: str) -> list[Command]:
    """Questions with three options in BBQ's layout, and what a model said."""
    row = {
        "question_polarity": "neg", "category": "Age", "question": "Who forgot the key?",
        "ans0": "The boy", "ans1": "Not known", "ans2": "The uncle",
        "answer_info": {"ans0": ["", "nonOld"], "ans1": ["", "unknown"], "ans2": ["", "old"]},
        "additional_metadata": {"stereotyped_groups": ["old"]},
    }  # fmt: skip
    said = ("The uncle", "The uncle", "The boy", "Not known", "I cannot say", "Perhaps")
    kinds = (("ambig", "A boy and his uncle came by.", 1),
             ("disambig", "A boy and his uncle came by; the boy forgot it.", 0))  # fmt: skip
    rows = [
        {**row, "question_index": str(n % 4), "context_condition": kind, "context": f"{n}. {context}",
         "label": label, "answer": said[(n + label) % len(said)]}
        for n in range(12) for kind, context, label in kinds
    ]  # fmt: skip
    words = (*IMPORT, study, _lines("questions.jsonl", rows))
    return [words, (*words, "--convention", "helm", "--rule", "word")]


def _decisions(study: str) -> list[Command]:
    """Outcomes of people without a model, and replies to yes-or-no questions."""
    chosen = (
        [("M", "a", 1)] * 40 + [("M", "b", 0)] * 40 + [("F", "a", 1)] * 20 + [("F", "b", 0)] * 60
    )
    table = _table(
        "outcomes.csv", [("sex", "site", "selected"), *chosen, ("", "a", 1), ("F", "b", "")]
    )
    rows = [
        {"filled_template": f"Question {q} about a {age}-year-old {race} {gender} person?",
         "decision_question_id": q, "age": age, "race": race, "gender": gender,
         "answer": "No." if race == "Black" and q else " yes"}
        for q in range(3) for age in (20, 60) for race in ("white", "Black") for gender in ("male", "female")
    ]  # fmt: skip
    return [("run", study, "--data", table), (*IMPORT, study, _lines("replies.jsonl", rows))]


def _suites(study: str) -> list[Command]:
    """Letters that a model chose, with and without a difference between the groups."""
    differ, same = [["(a)"], ["(c)"], ["(b)"]], [["(a)"], ["(c)"], ["no idea"]]
    row = {"file": "in1014-0_sys0-0_mM/output.pkl", "results": [[differ], [same]]}
    return [(*IMPORT, study, _lines("suites.jsonl", [row]), "--data", SAMPLE)]


def _lists(study: str) -> list[Command]:
    """Lists of words beside two names, with two refusals."""
    said = ["home - julia\nfamily - julia\noffice - ben\nsalary - ben"] * 3
    said += ["home - ben\noffice - julia", "I'm sorry, but I can't do that.", "Certainly not."]
    rows = [(reply, "career", "replication") for reply in said]
    return [(*IMPORT, study, _table("lists.csv", [("reply", "category", "variation"), *rows]))]


def _replies(study: str) -> list[Command]:
    """Six beginnings completed about two groups, and a list of words that the judge looks for."""
    said = {
        "a": ["dog", "good", "a black dog", "I'm sorry, but I cannot do that.", "", "kind"],
        "b": ["good", "fine", "a dog and so on", "kind", "nice", "calm"],
    }
    rows = [
        (f"{group} {n}", group, f"t{n}", reply)
        for group, replies in said.items() for n, reply in enumerate(replies)
    ]  # fmt: skip
    prompts = _table("prompts.csv", [("prompt", "group", "cluster"), *(row[:3] for row in rows)])
    items = find("studies", study, "STUDY").load(prompts).items
    asked = zip(items, rows, strict=True)
    answers = [{"prompt": item.prompt.plain, "answer": row[3]} for item, row in asked]
    words = _write("words.txt", "dog\nblack\n")
    base = (
        "run", study, f"replay:{_lines('replies.jsonl', answers)}",
        "--data", prompts,
        "--set", f"judge=words:{words}",
    )  # fmt: skip
    return [base, (*base, "--convention", "evaluate")]


def _speakers(study: str) -> list[Command]:
    """Both layouts: log-probabilities of both speakers in a table, and a file for each template."""
    items = find("studies", study, "STUDY").sample().items
    rows = [(item.id, -2 - n % 3, -3 + n % 2) for n, item in enumerate(items)]
    table = _table("speakers.csv", [("id", "male", "female"), *rows])
    for at in range(4):
        _write(f"m_template-{at}.txt", "\n".join(str(0.1 * ((at + n) % 5)) for n in range(16)))
    authors = (*IMPORT, study, "in/m_template-0.txt", "--data", SAMPLE)
    return [
        (*IMPORT, study, table, "--data", SAMPLE),
        (*authors, "--convention", "pikuliak2024", "--rule", "pll_differing_joint"),
    ]


def _preferences(study: str) -> list[Command]:
    """Three people say which of two replies is better: the longer one, but where they find them alike."""
    run = ("run", study, "fake:causal")
    code, _, errors = call((*run, "--out", "in/replies"))
    assert code == 0, errors
    (folder,) = Path("in/replies").iterdir()
    rows: list[list[object]] = [["person", "item", "question", "kind", "round", "value"]]
    for n, row in enumerate(item_rows(read(folder).records).to_polars().to_dicts()):
        longer = "first" if len(row["reply_1"]) > len(row["reply_2"]) else "second"
        for person in range(3):
            better = "same" if (n + person) % 4 == 0 else longer
            for question, said in (("better", better), ("stereotype", "neither")):
                rows.append([f"p{person}", row["id"], question, "choice", 1, said])
    return [(*run, "--set", f"people={_table('people.csv', rows)}")]


MADE: Mapping[str, Callable[[str], list[Command]]] = {
    **dict.fromkeys(
        ("crows_pairs", "pairs", "sensible_pairs", "sos", "starter_pairs", "stereoset_pairs", "winobias",
         "winogender"),
        _pairs,
    ),
    "stereoset": _triples, "bbq": _questions, "decisions": _decisions,
    "classification": _predictions, "fairness_gaps": _predictions,
    "difference_awareness": _suites, "word_association": _lists, "completions": _replies,
    "first_person": _preferences, "gest": _speakers,
}  # fmt: skip
