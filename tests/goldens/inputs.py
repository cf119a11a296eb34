"""Tiny inputs of the commands whose output is kept, each made when a case needs it."""

import csv
import json
import random
from collections.abc import Sequence
from contextlib import chdir
from functools import cached_property
from itertools import product
from pathlib import Path

from goldens.outputs import call
from support import audits, leakage_runs, published
from support.shown_orders import simulated
from tiltmeter.analyses.annotations.hypothesis_judgments import QUESTIONS
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.run.files import folder as folders

OFFENSIVE, VOTES = "popquorn/offensiveness.csv", ("user_id", "instance_id", "offensiveness")

LANGUAGES = ("en", "ru", "zh", "hi")
GROUPS, MASKED = "woman, man, teenager, veteran", ("fake:masked", "fake:level")
LISTS = """
nouns = { one = "person" }
pairs = [
  { left = "slow", right = "quick", dimension = "pace" },
  { left = "gloomy", right = "cheerful", dimension = "mood" },
  { left = "shy", right = "bold", dimension = "mood" },
  { left = "untidy", right = "tidy", dimension = "order" },
]
templates = [{ text = ["The {group} is {trait}.", "That {group} is {trait}.", "One {group} is {trait}."] }]
groups = [
  { name = "baker", domain = "trade", one = "baker", adjective = "baking" },
  { name = "sailor", domain = "trade", one = "sailor", adjective = "sailing" },
  { name = "tall", domain = "height <b>", one = "tall person", adjective = "tall" },
  { name = "short", domain = "height <b>", one = "short person", adjective = "short" },
]
"""
FINDINGS = """
[[findings]]
group = "tall baker"
dimension = "mood"
direction = "high"
[[findings]]
group = "tall baker"
trait = "slow"
"""
PASSING = """
[[threshold]]
study = "starter_pairs"
fail_if = "stereotype_rate > 100"
title = "Never above 100"

[[threshold]]
study = "starter_pairs"
fail_if = "stereotype_rate >= 0"
level = "warning"
reason = "To see a warning"
"""


class Inputs:
    """Files and folders that cases share, made once in a workspace; paths are relative to it."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        (workspace / "in").mkdir()

    def text(self, name: str, content: str) -> str:
        """A file of this content."""
        (self.workspace / "in" / name).write_text(content, "utf-8")
        return f"in/{name}"

    def run(self, name: str, *words: str, command: str = "run") -> str:
        """The folder of a run, in/NAME; it is made once."""
        if not (self.workspace / "in" / name).exists():
            with chdir(self.workspace):
                code, _, errors = call([command, *words, "--out", f"in/making-{name}", "--json"])
                assert code == 0, errors
                (made,) = Path(f"in/making-{name}").glob("*/card.json")
                made.parent.rename(f"in/{name}")
        return f"in/{name}"

    # Leakage between languages.

    def language_run(self, language: str, model: str = "fake") -> str:
        """A run of few groups in a language."""
        folder = self.workspace / "in" / f"{model}-{language}"
        if not folder.exists():
            leakage_runs.write_run(folder, language, model=model)
        return f"in/{folder.name}"

    @cached_property
    def languages(self) -> list[str]:
        return [self.language_run(language) for language in LANGUAGES]

    def ratings(self, language: str = "") -> str:
        """Ratings of people of all countries, or of one."""
        path = self.workspace / "in" / f"ratings{language}.csv"
        if language:
            leakage_runs.write_ratings(path, languages=[language])
        else:
            leakage_runs.write_ratings(path, unknown=[("hi", "veteran")])
        return f"in/{path.name}"

    @cached_property
    def ratings_like_scores(self) -> str:
        """People of en rate as the model scores in ru, people of ru as it scores in en."""
        rng = random.Random(5)
        rows = [["annotator", "group", "pair", "rating", "language"]]
        for people, scored in (("en", "ru"), ("ru", "en")):
            sums: dict[tuple[str, str], list[float]] = {}
            for record in folders.read(self.workspace / self.language_run(scored)).records:
                value = record.scores["right"] - record.scores["left"]
                sums.setdefault((record.groups["group"], record.groups["pair"]), []).append(value)
            for (group, pair), values in sums.items():
                mean = sum(values) / len(values)
                for rater in range(5):
                    rating = max(-50, min(50, round(10 * mean + rng.gauss(0, 3))))
                    rows.append([f"{people}{rater}", group, pair, rating, people])
        return self.text("like-scores.csv", _csv(rows))

    @cached_property
    def polarity(self) -> str:
        return self.text("polarity.csv", "trait,polarity\nreligious,negative\nwarm,positive\n")

    @cached_property
    def shown_in_orders(self) -> str:
        """Answers of 40 people, who often take the first option and move sliders to one side."""
        path = self.workspace / "in" / "shown.csv"
        path.parent.mkdir(exist_ok=True)
        simulated(path, side=12.0, lazy=0.4)
        return f"in/{path.name}"

    # Edits beside placebo edits.

    @cached_property
    def edit_scores(self) -> str:
        """Scores of two models for ten texts and their edits; a third has no placebo edits."""
        rng = random.Random(3)
        sizes = {"baseline": 0.0, "placebo_rain": 1.0, "placebo_tuesday": 1.0, "name_ann": 2.5,
                 "name_bo": 2.0, "school_mit": 1.0}  # fmt: skip
        rows = [["model", "text", "edit", "run", "score"]]
        for model in ("a", "b", "c"):
            for text in range(10):
                for edit, size in sizes.items():
                    moved = 5 + size * rng.choice((-1, 1)) * rng.uniform(0.5, 1.5)
                    for run in range(1, 4 if edit.startswith("name") else 3):
                        if model != "c" or not edit.startswith("placebo"):
                            score = round(moved + rng.gauss(0, 0.5), 1)
                            rows.append([model, f"text {text}", edit, run, score])
        return self.text("edit-scores.csv", _csv(rows))

    # Correlations.

    @cached_property
    def pair_runs(self) -> list[str]:
        """Three runs of the built-in pairs, of two rules and two models."""
        return [
            self.run(f"pairs-{rule}", "starter_pairs", model, "--rule", rule)
            for model, rule in (
                ("fake:causal", "log_likelihood"), ("fake:masked", "pll_shared"), ("fake:masked", "pll_all"),
            )
        ]  # fmt: skip

    @cached_property
    def several_models(self) -> list[str]:
        """Three runs of the built-in pairs by rules that mean the same."""
        return [
            self.run(f"several-{model.replace(':', '-')}", "starter_pairs", model, "--rule", rule)
            for model, rule in (
                ("fake:causal", "log_likelihood"), ("fake:masked", "pll_shared"),
                ("fake:level", "pll_shared"),
            )
        ]  # fmt: skip

    def numbers(self, seed: int, names: str = "a b c d e f") -> str:
        """A table of three measures of six models or groups, the first two alike."""
        rng = random.Random(seed)
        rows: list[list[object]] = [["model", "skill", "loss", "size"]]
        for name in names.split():
            skill = rng.gauss(0, 1)
            rows.append(
                [name, *(f"{v:.3f}" for v in (skill, rng.gauss(-skill, 0.1), rng.uniform(1, 9)))]
            )
        return self.text(f"numbers{seed}.csv", _csv(rows))

    @cached_property
    def pairs(self) -> str:
        """A table of forty pairs of four kinds."""
        rows = [["id", "sent_more", "sent_less", "stereo_antistereo", "bias_type"]]
        for n in range(40):
            way = "stereo" if n % 3 else "antistereo"
            kind = ("age", "gender", "race", "religion")[n % 4]
            rows.append([f"p{n}", f"the old man {n} sang", f"the young man {n} sang", way, kind])
        return self.text("pairs.csv", _csv(rows))

    # Matrices and people.

    def matrix_run(self, model: str, groups: str = GROUPS, rule: str = "set") -> str:
        """Groups × traits of a made-up model, in three templates."""
        templates = "The [group] is [trait].;All [group] are [trait].;[group] are [trait]."
        chosen = ("--set", f"templates={templates}", "--set", f"groups={groups}")
        name = f"matrix-{model.replace(':', '-')}-{groups.count(',')}-{rule}"
        return self.run(name, "group_traits", model, "--rule", rule, *chosen)

    @cached_property
    def rated(self) -> dict[str, str]:
        """A matrix, another of noise, and what eight people say."""
        rng = random.Random(0)
        groups, pairs = (
            ("sailors", "bakers", "pianists", "farmers"),
            [f"low{i} - high{i}" for i in range(6)],
        )
        mine, noise = [["group", "pair", "value"]], [["group", "pair", "value"]]
        people = [["annotator", "group", "pair", "rating", "region", "age"]]
        for group in groups:
            for pair in pairs:
                truth = rng.uniform(20, 80)
                ratings = [max(0, min(100, round(rng.gauss(truth, 10)))) for _ in range(8)]
                mine.append([group, pair, f"{truth - 50:.3f}"])
                noise.append([group, pair, f"{rng.gauss(0, 1):.3f}"])
                people += [
                    [
                        f"a{i}",
                        group,
                        pair,
                        rating,
                        "north" if i < 4 else "south",
                        "old" if i % 2 else "young",
                    ]
                    for i, rating in enumerate(ratings)
                ]
        return {
            "mine": self.text("mine.csv", _csv(mine)),
            "noise": self.text("noise.csv", _csv(noise)),
            "people": self.text("people.csv", _csv(people)),
        }

    @cached_property
    def rated_like_run(self) -> str:
        """Ratings of groups of the built-in lists by six people, some of groups without scores."""
        rng = random.Random(1)
        records = folders.read(self.workspace / self.matrix_run("fake:masked")).records
        pairs = dict.fromkeys(record.groups["pair"] for record in records)
        raw = {
            f"a{i}": {
                group: {pair: rng.randint(0, 100) for pair in pairs}
                for group in ("women", "men", "teenagers", "farmers")
            }
            for i in range(6)
        }
        return self.text("raw.json", json.dumps(raw))

    # Annotators.

    @cached_property
    def judged_by_groups(self) -> str:
        """Labels of 40 texts by four older and four younger people, and of a judge."""
        rng = random.Random(4)
        rows: list[list[object]] = [["annotator", "item", "age", "label"]]
        for item in range(40):
            truth = rng.random() < 0.5
            for who in range(8):
                label = truth if rng.random() < (0.9 if who < 4 else 0.7) else not truth
                age = "older" if who < 4 else "younger"
                rows.append([f"p{who}", f"i{item}", age, "rude" if label else "fine"])
            rows.append(["gpt", f"i{item}", "", "rude" if truth else "fine"])
        return self.text("judged.csv", _csv(rows))

    @cached_property
    def answers(self) -> str:
        """Four questions at four levels; <b>cy has the scale of tone reversed, and some cells are empty."""
        rng = random.Random(1)
        rows: list[list[object]] = [["annotator", "item", "tone", "fits", "kind", "score"]]
        for item in range(40):
            truth = rng.randint(1, 5)
            for who in ("ann", "bo", "<b>cy", "di"):
                level = min(5, max(1, truth + rng.choice((-1, 0, 0, 0, 1))))
                kind = rng.choice(("a", "b", "c")) if rng.random() < 0.2 else "abcab"[truth - 1]
                tone = 6 - level if who == "<b>cy" else level
                score = "" if rng.random() < 0.1 else f"{truth * 10 + rng.gauss(0, 3):.2f}"
                rows.append([who, f"i{item}", tone, "yes" if truth > 2 else "no", kind, score])
        return self.text("answers.csv", _csv(rows))

    @cached_property
    def survey(self) -> str:
        """Answers of a survey: choices of two labels in which p0 is careless, and written ones."""
        rng = random.Random(2)
        rows: list[list[object]] = [
            ["person", "item", "round", "page", "question", "kind", "value"]
        ]
        for item in range(30):
            truth = rng.choice("ab")
            rows += [
                [
                    f"p{n}",
                    f"i{item}",
                    1,
                    "judge",
                    "label",
                    "choice",
                    truth if n or item % 5 else "a",
                ]
                for n in range(3)
            ]
            rows.append(["p0", f"i{item}", 1, "judge", "why", "text", "because"])
            rows.append(["p0", f"i{item}", 2, "judge", "label", "choice", "c"])
        return self.text("survey.csv", _csv([*rows, ["", "", 1, "end", "age", "choice", "60+"]]))

    def judged(self, reversed_by: int = 3) -> str:
        """Four annotators judge thirty hypotheses; one has the scale of sentiment reversed."""
        rng = random.Random(2)
        groups = ("Cuban person", "Irish person", "man", "woman", "poor person", "refugee")
        rows: list[list[object]] = [
            ["", "Premise", "Hypothesis", *QUESTIONS.values(), "Annotator ID", "ID"]
        ]
        for item in range(30):
            mood = rng.randint(1, 5)
            for who in (1, 2, 3, 4):
                felt = min(5, max(1, mood + rng.choice((-1, 0, 0, 1))))
                felt, last = (6 - felt, [2, 3]) if who == reversed_by else (felt, [5, 5])
                rows.append(
                    ["", f"A {groups[item % 6]} needs help.", f"<b>It {item}", 1, rng.choice((1, 1, 5)),
                     rng.choice((1, 5)), 1, felt, *last, f"Annotator {who}", f"SNLI{item}"]
                )  # fmt: skip
        return self.text(f"judged{reversed_by}.csv", _csv(rows))

    def validated(self) -> str:
        """Five people judge eight pairs; one of them answers as nobody else does."""
        rng = random.Random(3)
        directions = ("stereo", "antistereo", "neither")
        rows: list[list[object]] = [["annotator", "item", "sentence_1", "sentence_2", "minimal"]]
        for item in range(8):
            usual = directions[item % 3]
            for who in range(5):
                first = usual if who else rng.choice(directions)
                rows.append(
                    [f"p{who}", f"pair {item}", first, "neither", rng.choice(("yes", "yes", "no"))]
                )
        return self.text("validated.csv", _csv(rows))

    @cached_property
    def offensive(self) -> str:
        """What people said of the first items of a published set; most saw one of these only."""
        with published.need(OFFENSIVE).open(encoding="utf-8", newline="") as file:
            rows = [[row[name] for name in VOTES] for row in csv.DictReader(file)]
        return self.text("offensive.csv", _csv([VOTES, *(row for row in rows if int(row[1]) < 12)]))

    # Intersectional groups.

    def crossed(self, cross: str, *, templates: str = "") -> str:
        """A run on lists of four groups in three templates, with their intersections or without."""
        self.text("lists.toml", LISTS)
        more = ("--set", f"templates={templates}") if templates else ()
        words = (
            "group_traits",
            "fake:masked",
            "--data",
            "in/lists.toml",
            "--set",
            f"cross={cross}",
        )
        return self.run(f"crossed-{cross}-{len(templates)}", *words, *more)

    @cached_property
    def findings(self) -> str:
        return self.text("findings.toml", FINDINGS)

    # Before and after.

    def studied(self, model: str) -> list[str]:
        """Runs of a model: two studies of bias, and one of what a mitigation costs."""
        label = model.partition(":")[2]
        return [
            self.run(f"before-{label}-pairs", "starter_pairs", model),
            self.run(f"before-{label}-weat", "sos", model, "--limit", "60"),
            self.run(
                f"before-{label}-text", "perplexity", model, "--data", "starter_text",
                "--set", "sentences=20",
            ),
        ]  # fmt: skip

    # Classifiers of several seeds.

    @cached_property
    def seeded(self) -> list[str]:
        """Runs of two models that were trained on two sets of texts with five seeds."""
        made = []
        for base, trained, seed in product(("bert", "gpt2"), ("edos", "ethos"), range(5)):
            model = {
                "name": f"{base}-{trained}-{seed}", "fingerprint": f"{base}{trained}{seed}",
                "trained from": base, "trained on": trained, "training seed": seed,
            }  # fmt: skip
            data = {"name": f"{trained}-test.jsonl", "sha256": trained}
            value = 50.0 + 10 * (base == "bert") + 5 * (trained == "ethos") + seed * (seed + 1)
            rates = [
                Estimate(
                    name, value / part, value / part - 4, value / part + 3, None, 300, None, "%",
                    study="classification",
                )
                for name, part in (("f1_macro", 1), ("accuracy", 2))
            ]  # fmt: skip
            card = Card("classification", "1", model, data, counts={"scored": 0})
            folder = self.workspace / "in" / "seeded" / str(model["name"])
            folders.write(Result(card, [], rates), folder, page="")
            made.append(f"in/seeded/{folder.name}")
        return made

    # Active learning.

    def votes(self, name: str, both: int) -> str:
        """Ten items with two votes; of the last ones three, which do not agree."""
        rows = [(n, "no") for n in range(10 - both) for _ in range(2)]
        rows += [(n, label) for n in range(10 - both, 10) for label in ("yes", "no", "yes")]
        lines = [f"i{n},text {n},,{label}" for n, label in rows]
        return self.text(name, "\n".join(["item,text,annotator,label", *lines]))

    def learned(self, name: str, **scales: int) -> str:
        """A folder of made-up runs of these strategies."""
        from support import active_runs

        folder = self.workspace / "in" / "learned" / name
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            active_runs.written(
                folder, scales, seeds=3, disagreement=0.6 if name != "calm" else 0.3
            )
        return f"in/learned/{name}"

    # Logs of other programs.

    def quiz(self, model: str) -> str:
        """A log of a task of its own."""
        from support import evaluation_logs

        samples = [
            evaluation_logs.inspect_sample(
                f"q{n}", value=[0.25, 0.5, 1.5][(n + len(model)) % 3], metadata={"topic": "xyz"[n // 4]}
            )
            for n in range(12)
        ]  # fmt: skip
        log = evaluation_logs.inspect_log(samples, model=f"openai/{model}")
        return self.text(f"quiz-{model}.json", json.dumps(log))

    # Audits.

    @cached_property
    def profile(self) -> str:
        return self.text("small.toml", audits.PROFILE)

    @cached_property
    def earlier_audit(self) -> str:
        """The folder of an audit of another model."""
        with chdir(self.workspace):
            code, _, errors = call(
                ["audit", "fake:level", "--profile", self.profile, "--out", "in/earlier"]
            )
        assert code == 0, errors
        return "in/earlier"


def _csv(rows: Sequence[Sequence[object]]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in rows)
