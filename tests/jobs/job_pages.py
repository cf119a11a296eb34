"""A page of docs/jobs as a program: its files are written, its commands run, its outputs compared.

- A code block with a caption is the file of that name: written, or compared where a command has made it.
  One of `diff` changes the file: the lines without a plus must occur in it once, and become what it has
  without a minus.
- A block of `bash` is commands; `# exit code 3` at the end of one says how it leaves, if not with 0, and ` &`
  that it goes on while the next ones run.
- A block of `text` is what the command before it printed. `...` in it stands for whatever is there.
"""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"(?::\w[\w-]*:[^\n]*\n)*?:caption: ([^\n]+)\n(?::\w[\w-]*:[^\n]*\n)*\n?")
CODE = re.compile(r"\s+# exit code (\d+)$")
EXAMPLES = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Job:
    """A page that is run in a folder."""

    name: str
    folder: Path
    tilt: object
    """Runs a command of ours: gives exit code, standard output, standard error."""
    swaps: dict[str, str] = field(default_factory=dict)
    """What the page says and what stands for it here: the address of a server."""
    said: dict[str, str] = field(default_factory=dict)
    """What each command printed, by the command."""
    behind: list[subprocess.Popen] = field(default_factory=list)

    def run(self, page=None):
        """From top to bottom, beside the files of the page, which lies in docs/jobs; gives the job."""
        if (files := DOCS / "jobs" / "files" / self.name).is_dir():
            shutil.copytree(files, self.folder, dirs_exist_ok=True)
        page = (page or DOCS / "jobs" / f"{self.name}.md").read_text("utf-8")
        printed = None
        try:
            for match in FENCE.finditer(page):
                kind, body = match[1].strip(), match[2]
                if caption := CAPTION.match(body):
                    write = self.change if kind.endswith("diff") else self.file
                    write(caption[1].strip(), body[caption.end() :])
                elif kind == "bash":
                    printed = self.commands(body)
                elif kind == "text":
                    assert printed is not None, "an output without a command"
                    self.agrees(body, printed, "the output")
        finally:
            for process in self.behind:
                process.terminate()
                process.wait(20)
                process.stdout.close()
        return self

    def file(self, name, body):
        path = self.folder / name
        if path.exists():
            self.agrees(body, path.read_text("utf-8"), name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, "utf-8")

    def change(self, name, body):
        path, lines = self.folder / name, body.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
        text = path.read_text("utf-8")
        assert text.count(before) == 1, (
            f"{self.name}: {name} does not have these lines once:\n{before}"
        )
        path.write_text(text.replace(before, after), "utf-8")

    def commands(self, body):
        lines = re.sub(r"\\\n\s*", "", body).splitlines()
        return "".join(self.command(line) for line in lines if line and not line.startswith("#"))

    def command(self, line):
        code = int(found[1]) if (found := CODE.search(line)) else 0
        shown = CODE.sub("", line)
        for said, here in self.swaps.items():
            shown = shown.replace(said, here)
        words = shlex.split(shown, comments=True)
        target = words.pop() if len(words) > 1 and words[-2] == ">" else None
        if target:
            words.pop()
        if words[-1] == "&":
            self.go_on(words[:-1])
            return ""
        out = self.outcome([w for word in words for w in self.expanded(word)], code)
        self.said[line] = out
        if target:
            (self.folder / target).write_text(out, "utf-8")
            return ""
        return out

    def expanded(self, word):
        if "*" not in word:
            return [word]
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.glob(word)) or [word]

    def outcome(self, words, code):
        if words[0] == "python":
            command = [sys.executable, *words[1:]]
            made = subprocess.run(
                command, cwd=self.folder, capture_output=True, text=True, check=False
            )
            assert made.returncode == code, made.stderr
            return made.stdout
        assert words[0] == "tiltmeter", words
        left, out, err = self.tilt(*words[1:])
        assert left == code, f"{shlex.join(words)} left with {left}, not {code}:\n{out}{err}"
        assert "Traceback" not in out + err
        return out + (err if code else "")

    def go_on(self, words):
        assert words[0] == "tiltmeter"
        command = [sys.executable, "-m", *words]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)  # fmt: skip
        self.behind.append(process)
        while process.poll() is None and "http" not in (process.stdout.readline()):
            time.sleep(0.05)
        assert process.poll() is None, "it ended"

    def agrees(self, wanted, got, what):
        got = got.replace(str(self.folder), "...")
        for said, here in self.swaps.items():
            got = got.replace(here, said)
        wanted = re.sub(r"^…$", "...", wanted, flags=re.MULTILINE)
        if not EXAMPLES.check_output(wanted, got, FLAGS):
            example = doctest.Example("", wanted)
            differing = EXAMPLES.output_difference(example, got, doctest.REPORT_NDIFF)
            raise AssertionError(f"{self.name}: {what} is not as the page has it\n{differing}")
