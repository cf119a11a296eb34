"""Who takes part in a simulated study, what each of them does, and how each must leave."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from support.survey.simulated.browser import Browser, StudyPage
from support.survey.simulated.ledger import Ledger
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE

PAGES = 200
"""After which a participant would never reach an end."""
SHARES = {
    "drops": 0.10, "returns": 0.05, "screened out": 0.05, "declines": 0.05, "stops": 0.04,
    "withdraws": 0.04, "fails": 0.06, "twice": 0.04, "second device": 0.05, "two tabs": 0.05,
    "reloads": 0.05,
}  # fmt: skip
"""Shares of people by what they do; the others just finish."""
LEAVE_AS = {
    "drops": "timed_out", "screened out": "screened_out", "declines": "declined",
    "stops": "stopped", "withdraws": "withdrew", "fails": "failed_checks",
}  # fmt: skip
"""How those leave who do not finish."""
STOP = {"stops": "keep", "withdraws": "erase"}
"""The button on the page that asks whether somebody wants to stop."""
ADULT, CARE = "adult", "care"
"""Questions of the form: who answers "no" is screened out; whoever reads the other one answers "blue"."""


@dataclass(frozen=True)
class Plan:
    """What one participant does."""

    name: str
    """The id on the platform."""
    does: str = ""
    script: bool = True
    """Whether the browser runs JavaScript."""
    slow: bool = False
    leaves_after: int = 1
    """Pages about items after which they do what is special about them."""

    @property
    def outcome(self) -> str:
        """How they must leave, if they find a place."""
        return LEAVE_AS.get(self.does, "finished")


def crowd(people: int, seed: int) -> list[Plan]:
    """So many people, with everything that people do in the shares that the table says."""
    rng = random.Random(seed)
    kinds = [kind for kind, share in SHARES.items() for _ in range(max(1, round(share * people)))]
    kinds += [""] * (people - len(kinds))
    rng.shuffle(kinds)
    return [
        Plan(f"P{seed}{number:04}", kind, script=kind in {"twice", "two tabs"} or rng.random() < 0.6,
             slow=rng.random() < 0.15, leaves_after=rng.randint(0, 2))
        for number, kind in enumerate(kinds)
    ]  # fmt: skip


class Participant:
    """One person on the way from the link to an end."""

    def __init__(self, plan: Plan, address: str, ledger: Ledger) -> None:
        self.plan, self.address, self.ledger = plan, address, ledger
        self.rng = random.Random(plan.name)
        self.about = 0
        """Pages about items that were answered."""

    async def take_part(self, *, again: bool = False) -> None:
        """Go to the end, or as far as the plan says; `again` after having been away, on another device."""
        async with self._browser() as browser:
            page = await self._begun(browser)
            if self.plan.does == "twice":
                async with self._browser() as other:
                    await asyncio.gather(
                        self._to_the_end(browser, page),
                        self._to_the_end(other, await self._begun(other)),
                    )
            elif not again and self.plan.does in {"drops", "returns"}:
                await self._to_the_end(browser, page, until=self.plan.leaves_after)
                self.ledger.outcomes[self.plan.name] = "timed_out"  # what nobody is shown
            elif self.plan.does in STOP:
                await self._to_the_end(browser, page, until=self.plan.leaves_after)
                await self._stop(browser, STOP[self.plan.does])
            elif self.plan.does == "second device":
                await self._to_the_end(browser, page, until=self.plan.leaves_after)
                async with self._browser() as device:
                    await self._to_the_end(device, await self._begun(device))
            else:
                await self._to_the_end(browser, page)
            self.ledger.again += browser.again

    def _browser(self) -> Browser:
        return Browser(self.address, self.rng, script=self.plan.script, slow=self.plan.slow)

    async def _begun(self, browser: Browser) -> StudyPage:
        """The first page after consent, or where they were."""
        link = f"/?PROLIFIC_PID={self.plan.name}&STUDY_ID=s&SESSION_ID=s"
        page = await browser.open(link)
        while not page.outcome and not page.submit_key:
            if page.action == "/consent":
                agrees = "no" if self.plan.does == "declines" else "yes"
                page, _ = await browser.submit(page, {"agree": agrees})
            elif page.action:
                values = {question: self.value(page, question) for question in page.asked}
                page, _ = await browser.submit(page, _fields(page, values))
            else:
                page = await browser.open(page.link or link)
        return page

    async def _to_the_end(self, browser: Browser, page: StudyPage, until: int = PAGES) -> None:
        """Answer page after page; stop after so many about items."""
        for _ in range(PAGES):
            if page.outcome:
                await self._left(browser, page)
                return
            if page.assignment is not None:
                if self.about >= until:
                    return
                self.about += 1
            page = await self._next(browser, page)
        raise AssertionError(f"{self.plan}: no end after {PAGES} pages")

    async def _next(self, browser: Browser, page: StudyPage) -> StudyPage:
        """The page after this one."""
        if not page.action:
            return await browser.open(page.link)
        if self.plan.does == "reloads" and self.rng.random() < 0.5 and page.name:
            page = await browser.open(page.action)
        values = {question: self.value(page, question) for question in page.asked}
        if page.name == DEMOGRAPHICS_PAGE:
            following, accepted = await browser.submit(page, _fields(page, values))
            if accepted and following.name != DEMOGRAPHICS_PAGE:
                self.ledger.about[self.plan.name] = tuple(sorted(values.items()))
            return following
        if self.plan.does == "two tabs" and self.rng.random() < 0.5 and page.name:
            await self._in_other_tab(browser, page)
        if browser.script:
            for question, value in values.items():
                await self._given(browser, page, question, value)
        following, accepted = await browser.submit(page, _fields(page, values))
        if accepted:
            self.ledger.keep(self.plan.name, page, values)
        return following

    async def _given(self, browser: Browser, page: StudyPage, question: str, value: object) -> None:
        """Answer one question; some people first give another answer."""
        key = None
        for said in [self.other(page, question), value] if self.rng.random() < 0.1 else [value]:
            key = await browser.post(page, question, said, key)
            if key:
                self.ledger.keep(self.plan.name, page, {question: said})

    async def _in_other_tab(self, browser: Browser, page: StudyPage) -> None:
        """The same page in a second tab, where one answer is another one and the first tab's comes later."""
        tab = await browser.open(page.action)
        question = next(iter(tab.asked), "")
        if question and tab.action == page.action:
            await self._given(browser, tab, question, self.other(tab, question))

    async def _stop(self, browser: Browser, how: str) -> None:
        page, _ = await browser.submit(await browser.open("/stop"), {"how": how})
        if how == "erase":
            self.ledger.forget(self.plan.name)
        await self._left(browser, page)

    async def _left(self, browser: Browser, page: StudyPage) -> None:
        """Note the last page, and go back to the panel, if its button leads there."""
        self.ledger.outcomes[self.plan.name] = page.outcome
        if page.link.startswith(self.ledger.panel or "nowhere"):
            await browser.client.get(page.link)

    # ---- Answers

    def value(self, page: StudyPage, question: str) -> object:
        """What this person thinks: always the same of one question about one item."""
        if question == ADULT:
            return "no" if self.plan.does == "screened out" else "yes"
        if question == CARE:
            return "red" if self.plan.does == "fails" else "blue"
        return self._drawn(page, question, 0)

    def other(self, page: StudyPage, question: str) -> object:
        """Another answer than `value`, as far as there is one."""
        return self._drawn(page, question, 1)

    def _drawn(self, page: StudyPage, question: str, further: int) -> object:
        number = random.Random(f"{self.plan.name} {page.shown} {question}").randrange(100) + further
        if options := page.asked[question]:
            return options[number % len(options)]
        if question in page.bounds:
            low, high = page.bounds[question]
            return float(low + number % int(high - low + 1))
        return f"words {number}"


def _fields(page: StudyPage, values: dict[str, object]) -> dict[str, str]:
    """A form's fields, with the first button."""
    button = dict(islice(page.buttons, 1))
    typed = {
        page.questions[question]: f"{value:g}" if isinstance(value, float) else str(value)
        for question, value in values.items()
    }
    return button | typed


async def all_take_part(
    people: Sequence[Plan], address: str, ledger: Ledger, *, at_once: int, again: bool = False
) -> None:
    """Let people take part, so many at the same time."""
    places = asyncio.Semaphore(at_once)

    async def one(plan: Plan) -> None:
        async with places:
            await Participant(plan, address, ledger).take_part(again=again)

    async with asyncio.TaskGroup() as group:
        for plan in people:
            group.create_task(one(plan))
