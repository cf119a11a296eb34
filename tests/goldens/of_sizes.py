"""How many items, requests and tokens each study has on its usual data: data/study_sizes.toml. In `tests`,

    python -m goldens.of_sizes [NAME…]
    python -m goldens.of_sizes --write [NAME…]

shows which lines are others than the file's, or writes them anew. Data are looked for where a run looks for
them; a study whose data cannot be had keeps its line.
"""

import sys
from collections.abc import Mapping, Sequence
from unittest import mock

from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.finder import find, ours
from tiltmeter.data.downloads import places, registry
from tiltmeter.data.study_sizes import UsualSize, study_sizes
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.run.asking.request_plan import plan_requests
from tiltmeter.run.jobs import plan_jobs, session
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions

FILE = places.package_file("study_sizes.toml")
ASKED = ("fake:causal", "fake:classifier", "fake:vectors")
"""The first of these that can answer a study is asked."""
HEADING = """\
# How large studies are on their usual data, as `python -m goldens.of_sizes --write` (in `tests`) counts it:
# items, distinct requests by the usual rule of a causal model (or a classifier, or word vectors), tokens that
# are read and at most written, and the registered data sets that the items come from.

"""


def size_of(name: str) -> UsualSize | None:
    """The size of a study; None where its data cannot be had."""
    study, used = find("studies", name, "STUDY"), []
    located = registry._locate_file

    def noted(known: registry.DataSet, *rest: object) -> object:
        used.append(known.name)
        return located(known, *rest)

    able = [m for m in ASKED if {r.needs for r in study.rules} & {*resolve(m).answers}]
    with mock.patch.object(registry, "_locate_file", noted):
        try:
            (job,) = plan_jobs(study, able[:1], RunOptions(), Options(), Logged())
        except TiltmeterError:
            return None
    with session(Logged(), keep=False) as asking:
        (plan,) = plan_requests(job, asking)
    data = tuple(dict.fromkeys(used))
    return UsualSize(len(job.items.items), plan.requests, plan.read, plan.written, data)


def line(name: str, size: UsualSize) -> str:
    """The line of a study in the file."""
    data = ", ".join(f'"{data}"' for data in size.data)
    numbers = f"items = {size.items}, requests = {size.requests}, read = {size.read}"
    return f"{name} = {{ {numbers}, written = {size.written}, data = [{data}] }}"


def text_of(sizes: Mapping[str, UsualSize]) -> str:
    """The whole file."""
    return HEADING + "".join(f"{line(*row)}\n" for row in sorted(sizes.items()))


def main(words: Sequence[str]) -> int:
    """Compare the file with what is counted, or write it; 1 where it differs."""
    names = [word for word in words if word != "--write"] or ours("studies")
    kept = study_sizes() if FILE.is_file() else {}
    counted = {name: size for name in names if (size := size_of(name))}
    text = text_of({**kept, **counted})
    if "--write" in words:
        FILE.write_text(text, "utf-8")
        return 0
    changed = [line(name, size) for name, size in counted.items() if kept.get(name) != size]
    print("\n".join(changed) or "Nothing differs.")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
