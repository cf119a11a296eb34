"""The public function that scores items without estimates, and what it returns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.api.items import Items, dataset_of_items
from tiltmeter.api.keywords import ScoreKeywords, options_made, takes
from tiltmeter.api.wrapped import WrappedModel, source_of
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Rule
from tiltmeter.core.study import Study
from tiltmeter.core.text import visible
from tiltmeter.models.opening.model_options import Options
from tiltmeter.report.document import Document
from tiltmeter.report.documents.scores import MOST_SENTENCES, scores_document
from tiltmeter.report.fragment import fragment
from tiltmeter.report.rows import Rows
from tiltmeter.run.files.records_table import row_of
from tiltmeter.run.measuring.scored_items import ScoredItems, items_of_sentences, score_only
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions


class ScoreResult(Rows[Record]):
    """One record an item, in order, and how they were scored.

    >>> import tiltmeter as tm
    >>> scores = tm.score(None, "fake:masked", ["The nurse was late.", "The pilot was late."])
    >>> scores.rule, len(scores)
    ('pll_shared', 1)
    """

    def __init__(self, scored: ScoredItems) -> None:
        super().__init__(scored.records, row_of)
        self.scored = scored
        """The same as plain data, with the rule, the convention and facts about the model."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.scored.rule.name

    def document(self) -> Document:
        """What a notebook shows, and `tiltmeter score` prints."""
        return scores_document(self.scored)

    def __repr__(self) -> str:
        name = visible(str(self.scored.model["name"]))
        first = self.document().paragraphs()[0].text
        return f"<scores of {name} by {self.rule}: {first}>"

    def _repr_html_(self) -> str:
        return fragment(self.document(), tables=1 + MOST_SENTENCES)


@takes(ScoreKeywords, RunOptions, Options)
def score(
    how: str | Rule[Any] | Study[Any] | None,
    model: str | Path | WrappedModel,
    items: str | Path | Items | Sequence[str],
    *,
    per_token: bool = False,
    monitor: Monitor | None = None,
    **options: Unpack[ScoreKeywords],
) -> ScoreResult:
    """Score items without estimates: one record each, in order.

    >>> import tiltmeter as tm
    >>> pairs = [("The nurse said that she was late.", "The nurse said that he was late.")]
    >>> scores = tm.score("pll_shared", "fake:masked", pairs)
    >>> scores[0].scores["more"] > scores[0].scores["less"]  # log-probabilities, in nats
    True

    Args:
        how: A study, whose first rule that the model can answer is taken, or a rule; or the name of
            either. Of plain sentences a rule's name, or None for the first rule that the model can
            answer.
        model: As of `run`.
        items: Pair objects, (more, less) tuples, rows or a table with the columns `sent_more` and
            `sent_less`, other items of `tiltmeter.core.data.items`, or what `run` takes as `data`. Or plain
            sentences, as of `tiltmeter score`: two are compared.
        per_token: Whether records say what each token adds (`record.tokens`), where the rule has that.
            Plain sentences always do.
        monitor: As of `run`.
        **options: Those of `run` that scores depend on.

    Raises:
        TiltmeterError: There is no such study, rule or model, or items cannot be scored.
    """
    study, rule, data = _what(how, items)
    opening = options_made(Options, options)
    chosen = options_made(RunOptions, options, rule=rule, data=data)
    source = source_of(model, opening, options.get("precision"))
    per_token = per_token or _are_sentences(items)
    scored = score_only(study, source, chosen, opening, monitor or Logged(), per_token=per_token)
    return ScoreResult(scored)


def _are_sentences(items: object) -> bool:
    return (
        isinstance(items, list | tuple) and bool(items) and all(isinstance(i, str) for i in items)
    )


def _what(
    how: str | Rule[Any] | Study[Any] | None, items: Any
) -> tuple[Study[Any], str | None, str | Path | Dataset[Any]]:
    """The study, the rule if one is named, and the items as the planning takes them."""
    if _are_sentences(items):
        if isinstance(how, Study) or (isinstance(how, str) and how in known("studies")):
            raise BadInput(
                "plain sentences are scored by a rule, not by a study",
                "name a rule such as pll_all, or None for the first that the model can answer",
            )
        rule = how.name if isinstance(how, Rule) else how
        study, data = items_of_sentences(items, rule)
        return study, rule, data
    if how is None:
        raise BadInput("nothing says how these items are scored", "name a study or a rule")
    given = items if isinstance(items, str | Path) else dataset_of_items(items)
    return *_study_and_rule(how), given


def _study_and_rule(how: str | Rule[Any] | Study[Any]) -> tuple[Study[Any], str | None]:
    """The study that a rule belongs to, and the rule's name; of a study all rules are open."""
    if isinstance(how, Study):
        return how, None
    if isinstance(how, str) and how in known("studies"):
        return study_named(how), None
    name = how if isinstance(how, str) else how.name
    rules: set[str] = set()
    for listed in known("studies"):
        study: Study[Any] = find("studies", listed, "STUDY")
        names = {rule.name for rule in study.rules}
        if set(name.split("+")) <= names and (
            isinstance(how, str) or any(rule is how for rule in study.rules)
        ):
            return study, name
        rules |= names
    raise UnknownName("study or rule", name, {*known("studies"), *rules})
