"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="First-person fairness: whether users get replies of another quality or with a "
    "stereotype for their name or group (Eloundou et al. 2024).",
    confounds="Chance between two replies to one request, which is large: only the difference between "
    "groups counts. A name says more than gender or race.",
    items="Requests by the authors of Tiltmeter, in everyday words; they are no sample of real "
    "ones. People judge the pairs; that is the validation.",
    reuse="After the paper, whose data are private conversations.",
    contamination="Requests without right answers, public with Tiltmeter's source code.",
    statistics="The interval covers requests, the people who judged, and a judge's errors. The names "
    "stand for their groups and are held fixed.",
    errors="Both replies side by side, in which people see the difference; refusals and empty "
    "replies apart, with bounds.",
    argument="People who do not know who asked compare what users would get: close to the harm "
    "itself. What they find better need not be so for those who ask.",
)
