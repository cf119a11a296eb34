// The control that has the focus, and whether a person can see that.
() => {
  const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const question = one.closest('fieldset[data-question]'), form = one.closest('form[data-screen]');
  return {
    tag: one.tagName, type: one.type ?? '', name: one.name ?? '', value: one.value ?? '',
    min: one.min ?? '', max: one.max ?? '', checked: !!one.checked, part: one.dataset.part ?? '',
    language: one.hreflang ?? '', primary: one.matches('button:not(.quiet), a.button:not(.quiet)'),
    visible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
      && box.bottom > 0 && box.top < innerHeight && box.left >= 0 && box.right <= innerWidth,
    question: question?.dataset.question ?? '', kind: question?.dataset.kind ?? '',
    several: !!question?.querySelector('[type=checkbox]'), page: form?.dataset.page ?? '',
    assignment: form?.dataset.assignment ?? '', apart: !!form?.dataset.apart,
    options: question ? [...question.querySelectorAll('.option input')].map((input) => input.value) : [],
  };
}
