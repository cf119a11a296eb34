// What is ugly on a page: it scrolls sideways, or texts are cut, broken, hidden or over each other.
() => {
  const faults = [], seen = [];
  const clipped = (one) => one && (getComputedStyle(one).clipPath !== 'none' || clipped(one.parentElement));
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`scrolls by ${wide} px`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest('script, textarea')) continue;
    if (!holder.checkVisibility() || clipped(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (!box.width) continue;
      const text = node.data.trim().slice(0, 30);
      if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`cut: ${text}`);
      for (const [other, rest] of seen) {
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        const much = 0.35 * Math.min(box.height, other.height);
        if (across > 1 && down > much) faults.push(`overlap: ${text} / ${rest}`);
      }
      seen.push([box, text]);
    }
    for (const word of node.data.matchAll(/\p{L}+/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1 && !/\p{sc=Han}/u.test(word[0])) faults.push(`broken: ${word[0]}`);
    }
  }
  for (const one of document.querySelectorAll('main *')) {
    const style = getComputedStyle(one);
    if (one.matches('textarea, progress') || !one.checkVisibility() || clipped(one)) continue;
    const hides = style.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1;
    if (hides) faults.push(`hidden: ${one.textContent.slice(0, 30)}`);
  }
  return faults;
}
