"""Someone who fills in a survey in a browser with the keyboard only, and looks at every page on the way."""

import random
from dataclasses import dataclass, field
from pathlib import Path

TYPED = {
    "en": "calm & <quiet>", "ru": "спокойные — ёж", "zh": "安静的人", "hi": "शांत और स्नेही",
}  # fmt: skip
STOPS = 200
"""Elements that Tab reaches on one page, at most."""
LOOK = (Path(__file__).parents[1] / "page_faults.js").read_text("utf-8")
FOCUSED = (Path(__file__).parents[1] / "focused_control.js").read_text("utf-8")


@dataclass
class KeyboardPerson:
    """Answers at random, and keeps what it typed."""

    page: object
    language: str
    seed: int
    code: str = ""
    """Shown on the last page, and on none before it."""
    typed: dict = field(default_factory=dict)
    """By assignment, page and question, as the database should have it."""
    apart: dict = field(default_factory=dict)
    """Demographics that are stored without the person."""
    faults: list = field(default_factory=list)

    def __post_init__(self):
        self.rng = random.Random(self.seed)
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def fill_in(self, address, after_page=None):
        """Go from the first page to the code; gives the number of pages."""
        await self.page.goto(address)
        earlier = []
        for number in range(STOPS):
            if after_page:
                await after_page(self.page, number)
            path = self.page.url.split("/", 3)[3]
            self.faults += [f"/{path}: {fault}" for fault in await self.page.evaluate(LOOK)]
            if await self.page.locator("#code").count():
                self.code = await self.page.inner_text("#code")
                assert self.code and not any(self.code in text for text in earlier)
                return number
            earlier.append(await self.page.content())
            await self._page()
        raise AssertionError("the survey never ends")

    async def _page(self):
        """Answer everything on a page and go on."""
        last = None
        for _ in range(STOPS):
            await self.page.keyboard.press("Tab")
            at = await self.page.evaluate(FOCUSED)
            if not at["visible"]:
                self.faults.append(f"focus is not visible on {at['tag']} {at['name']}")
            switch = at["language"] == self.language != await self._spoken()
            if switch or at["primary"]:
                async with self.page.expect_navigation():
                    await self.page.keyboard.press("Enter")
                return
            if at["question"] and (at["question"] != last or at["several"] or at["part"]):
                await self._answer(at)
            last = at["question"]
        raise AssertionError(f"no way on from {self.page.url}")

    async def _spoken(self):
        return await self.page.evaluate("document.documentElement.lang")

    async def _answer(self, at):
        """One control; what Tab reaches again within a group of options is left."""
        answer = {"range": self._slide, "radio": self._choose, "checkbox": self._mark}
        value = await answer.get(at["type"], self._write)(at)
        where = int(at["assignment"]) if at["assignment"] else None
        place = (where, at["page"], at["question"])
        if at["part"]:
            value = self.typed.get(place, {}) | {at["part"]: value}
        if at["apart"]:
            self.apart[at["question"]] = value
        else:
            self.typed[place] = value

    async def _press(self, key, times=1):
        for _ in range(times):
            await self.page.keyboard.press(key)

    async def _slide(self, at):
        middle = (float(at["min"]) + float(at["max"])) / 2
        key, value = self.rng.choice(
            [("Space", middle), ("Home", float(at["min"])), ("End", float(at["max"])),
             ("ArrowRight", middle + 1), ("ArrowLeft", middle - 1)]
        )  # fmt: skip
        await self._press(key)
        return value

    async def _choose(self, at):
        number = self.rng.randrange(len(at["options"]))
        await self._press("Space")
        await self._press("ArrowDown", number)
        return at["options"][number]

    async def _mark(self, at):
        """Every second option."""
        where = (int(at["assignment"]) if at["assignment"] else None, at["page"], at["question"])
        marked = self.apart.get(at["question"]) if at["apart"] else self.typed.get(where)
        marked = marked or []
        if at["options"].index(at["value"]) % 2 == 0:
            await self._press("Space")
            return [*marked, at["value"]]
        return marked

    async def _write(self, at):
        text = f"{TYPED[self.language]} {at['part']} {self.rng.randrange(100)}"
        await self.page.keyboard.insert_text(text)
        return text
