"""What is said of the effect minus placebo: over all edits, then which axes and models differ from it."""

from collections.abc import Callable, Sequence

from tiltmeter.analyses.placebo.effects import AXIS, EFFECT, LESS, PLACEBO_EFFECT, SHARE
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted, listed, visible
from tiltmeter.report.text import number_of, p_text, span, value_with_unit


def words(numbers: Numbers) -> list[Paragraph]:
    """The effect minus placebo, what placebo explains, and the axes and models that differ from placebo."""
    data, less = numbers.card.data, _whole(numbers, LESS.name)
    models = f" by {counted(len(data['models']), 'models')}" if len(data["models"]) > 1 else ""
    over = f"{counted(less.n, 'group edits')} of {counted(data['texts'], 'texts')}{models}"
    if less.value is None:
        return [Paragraph(f"There is no effect minus placebo: {less.why}.", "headline")]
    effect, placebo = (_whole(numbers, name) for name in (EFFECT.name, PLACEBO_EFFECT.name))
    sizes = " on average, against ".join(number_of(e, e.value or 0) for e in (effect, placebo))
    if less.significant:
        how = "more" if less.value > 0 else "less"
        head = f"Group edits change the score {number_of(less, abs(less.value))} {how} than placebo edits do"
    else:
        head = "Group edits do not change the score significantly more or less than placebo edits"
    inside = f" [{span(less)}]" if less.low is not None else ""
    shown = inside if less.significant else f" ({number_of(less, less.value)}{inside})"
    said = [Paragraph(f"{head}{shown}: by {sizes}, over {over}.", "headline")]
    share = _whole(numbers, SHARE.name)
    if share.value is not None:
        inside = f" [{span(share)}]" if share.low is not None else ""
        said.append(
            Paragraph(
                f"{value_with_unit(share)} of that{inside} also occurs with placebo edits, so it "
                "is not about groups."
            )
        )
    of_axes = [e for e in numbers.all(LESS) if AXIS in e.groups and e.model == less.model]
    said += _differing(of_axes, lambda e: e.groups[AXIS], "axes")
    of_models = [e for e in numbers.all(LESS) if not e.groups and e.model != less.model]
    return said + _differing(of_models, lambda e: e.model, "models")


def _whole(numbers: Numbers, name: str) -> Estimate:
    return next(e for e in numbers.estimates if e.name == name and not e.groups)


def _differing(
    estimates: Sequence[Estimate], name: Callable[[Estimate], str], counts: str
) -> list[Paragraph]:
    """Which of them change more than placebo, and which less."""
    if len(estimates) < 2:  # noqa: PLR2004
        return []
    sides = [
        [e for e in estimates if e.significant and e.value is not None and (e.value > 0) is above]
        for above in (True, False)
    ]
    if not any(sides):
        return [
            Paragraph(
                f"None of {counted(len(estimates), counts)} differs significantly from placebo."
            )
        ]
    parts = [
        f"significantly {how} than placebo in {listed([_with_number(e, name(e)) for e in side])}"
        for how, side in zip(("more", "less"), sides, strict=True)
        if side
    ]
    text = f"Of {counted(len(estimates), counts)}, {', and '.join(parts)}."
    return [Paragraph(text)]


def _with_number(e: Estimate, name: str) -> str:
    p = e.p if e.p_adjusted is None else e.p_adjusted
    tested = "" if p is None else f", p = {p_text(p)}"
    return f"{visible(name)} ({number_of(e, e.value or 0)}{tested})"
