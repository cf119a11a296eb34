"""What pages in a real browser show if a text became more than text."""

from tiltmeter.survey.web.static_files import style

PLAIN = {
    "html", "head", "meta", "title", "link", "body", "main", "nav", "section", "progress", "form",
    "input", "h1", "h2", "p", "div", "span", "blockquote", "fieldset", "legend", "label", "textarea",
    "strong", "button", "footer", "a", "script", "details", "summary", "output", "dl", "dt", "dd",
    "bdi", "em", "ul", "ol", "li", "hr", "br", "h3", "h4", "h5", "h6",
}  # fmt: skip
"""Elements of the pages for people who take part."""
FOR_ACCOUNTS = PLAIN - {"script"} | {
    "header", "table", "caption", "thead", "tbody", "tr", "th", "td", "ol", "code", "br", "select",
    "option", "datalist",
}  # fmt: skip
"""Elements of the pages for people with an account."""
MADE = r"""
([plain, style]) => {
  const found = [];
  if (window.broken) found.push('a script ran');
  for (const one of document.querySelectorAll('*')) {
    const name = one.localName;
    const ours = name === 'style' && one.parentNode === document.head && one.textContent === style;
    if (!ours && !plain.includes(name)) found.push(name);
    for (const { name: key, value } of one.attributes) {
      if (key.startsWith('on') || (key === 'style' && name !== 'input')) found.push(`${name} ${key}`);
      const link = ['href', 'src', 'action'].includes(key) && !/^(\/|#question\d+$)/.test(value);
      const prose = one.closest('.prose, .study') && /^(https:|mailto:)/.test(value);
      if (link && !prose && !/^https:..(platform.test|doi.org)./.test(value)) found.push(`${key} ${value}`);
    }
  }
  return found;
}
"""


def made(tab, plain=PLAIN):
    """What is on a page besides plain elements with links to our own pages, and our style sheet."""
    return tab.evaluate(MADE, [[*plain], str(style())])


def watched(context, faults):
    """A tab that notes dialogs, errors, violations of the policy, and requests to elsewhere."""
    tab = context.new_page()
    tab.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: faults.append(said.text) if "Security" in said.text else None)
    tab.on("request", lambda sent: faults.append(sent.url) if "127.0.0.1" not in sent.url else None)
    return tab
