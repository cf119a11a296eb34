"""Drawing primitives. Everything that is text goes through escaping; colours are CSS classes."""

from markupsafe import Markup, escape

from tiltmeter.report.wording import visible


def element(name: str, *inside: str, **attributes: str | float) -> Markup:
    """An SVG element. `cls` is the class; "_" in an attribute's name stands for "-".

    Strings inside are escaped unless they are Markup already.

    >>> print(element("text", "a < b", x=4.0, text_anchor="end", cls="label"))
    <text x="4" text-anchor="end" class="label">a &lt; b</text>
    """
    named = {"class" if k == "cls" else k.replace("_", "-"): v for k, v in attributes.items()}
    shown = Markup("").join(Markup(' {}="{}"').format(k, _attribute(v)) for k, v in named.items())
    body = Markup("").join(escape(i if isinstance(i, Markup) else visible(i)) for i in inside)
    return Markup("<{0}{1}>{2}</{0}>").format(name, shown, body)


def line(x1: float, y1: float, x2: float, y2: float, cls: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, cls=cls)


def text(words: str, x: float, y: float, cls: str = "", anchor: str = "start") -> Markup:
    """One line of text; `anchor` is start, middle or end."""
    return element("text", words, x=x, y=y, text_anchor=anchor, cls=cls)


def figure(name: str, title: str, desc: str, size: tuple[float, float], *inside: Markup) -> Markup:
    """A whole picture that scales with its place and says in words what it shows."""
    width, height = size
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", desc, id=f"{name}-desc"),
        *inside,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def shortened(label: str, longest: int) -> str:
    """Cut in the middle, where names of models differ least.

    >>> shortened("a-laboratory/a-model-2.7B", 15)
    'a-labor…el-2.7B'
    """
    if len(label) <= longest:
        return label
    tail = (longest - 1) // 2
    return f"{label[: longest - 1 - tail]}…{label[len(label) - tail :]}"


def _attribute(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"
