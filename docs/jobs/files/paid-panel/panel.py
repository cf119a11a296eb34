"""In place of a panel: twelve people come with their ids. One is 17, two do not read the instructions."""

import sys
import time
from dataclasses import dataclass

import httpx2

from tiltmeter.survey.web.bots import Fields, FormPage, fill_in, random_answers


@dataclass
class Member:
    """A member of the panel."""

    number: int

    def __post_init__(self) -> None:
        self.at_random = random_answers(self.number)

    def answers(self, page: FormPage) -> Fields:
        """What they say to a page; to the replies, anything."""
        said = self.at_random(page)
        if page.name == "age":
            return said | {"q0": "no" if self.number == 0 else "yes"}
        if page.name == "careful":
            return said | {"q0": "often" if self.number in {1, 2} else "never"}
        return said


def wait_for(address: str) -> None:
    """Wait until the survey is open, for at most a minute."""
    for second in range(60):
        try:
            httpx2.get(address)
        except httpx2.TransportError:
            if second == 0:
                sys.stderr.write(f"waiting for the survey at {address}, for at most a minute\n")
            time.sleep(1)
        else:
            return
    sys.exit(f"nothing answers at {address}: start the survey first")


wait_for(sys.argv[1])
for number in range(12):
    ids = f"PROLIFIC_PID=5f{number:022}&STUDY_ID=64a0&SESSION_ID=66{number:022}"
    with httpx2.Client(timeout=60) as browser:
        fill_in(browser, f"{sys.argv[1]}/?{ids}", Member(number).answers)
    sys.stderr.write(f"{number + 1} of 12 people have left\n")
