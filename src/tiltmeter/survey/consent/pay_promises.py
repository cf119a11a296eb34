"""What a form's own texts promise to people who stop: whether it is kept, the outcomes say."""

import re

from tiltmeter.survey.form import Form

_PAID = re.compile(
    r"\b(?:be|are|get|gets|is) paid\b|\bpayment\b|bezahl|vergüt|rémunér|indemnis|\bpag[ao]\b|remunera"
    r"|оплат|заплат|вознагражд|报酬|付款|भुगतान|पारिश्रमिक|أجر|مقابل مالي",
    re.IGNORECASE,
)
"""Words for being paid, in the languages that Tiltmeter comes with."""


def mentions_pay(form: Form) -> bool:
    """Whether the consent, or what it says of declining and stopping, speaks of being paid.

    >>> from tiltmeter.survey.form_file import read_form
    >>> mentions_pay(read_form("label_text"))
    False
    """
    texts = (*form.consent.values(), *form.study.voluntary.values())
    return any(_PAID.search(text) for text in texts)
