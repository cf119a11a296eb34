'use strict';
// The page over all results of a folder. Its data are files beside it that call tiltmeter.take(name, data);
// they are loaded as scripts, since a page opened from a disk may not fetch. A server gives JSON instead, which
// pages of other sites cannot run. What is shown, and by which
// filters, stands in the address: #index?study=bbq. Of very many results the page has main numbers only (index.slim);
// their parts are there where a server makes them (index.parts). Foreign text is only ever set as text; the one exception
// are the pieces of results' own pages, which Tiltmeter has escaped.
const tiltmeter = (() => {
  const main = document.getElementById('main');
  const ROWS = 100, ITEMS = 25, BESIDE = 3, MOST_COMPARED = 4, MOST_BOARDS = 12;
  const loads = new Map(), arrived = new Map();
  let index, byKey, picked = [];

  // ── Data ───────────────────────────────────────────────────────────────────────────────────────

  function take(name, text) {
    const data = JSON.parse(text);
    if (name === 'index') start(data);
    else arrived.get(name)?.(data);
  }

  const served = document.documentElement.dataset.served != null;

  async function fetched(name) {
    const answer = await fetch(`data/${encodeURIComponent(name)}.json`).catch(() => null);
    if (answer?.ok) return answer.json();
    loads.delete(name);
    throw new Error(answer ? `${name} is not in the folder.` : 'The server does not answer. Is tiltmeter view --serve still running?');
  }

  function load(name) {
    if (!loads.has(name) && served) loads.set(name, fetched(name));
    if (!loads.has(name)) {
      loads.set(name, new Promise((done, failed) => {
        arrived.set(name, done);
        const script = document.createElement('script');
        script.src = `data/${encodeURIComponent(name)}.js`;
        script.onerror = () => { loads.delete(name); failed(new Error(`${name} is not beside this page.`)); };
        document.head.append(script);
      }));
    }
    return loads.get(name);
  }

  // ── Elements ───────────────────────────────────────────────────────────────────────────────────

  function make(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, '');
      else if (value !== false && value != null) made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child != null));
    return made;
  }

  const link = (text, view, values) => make('a', { href: address(view, values) }, text);
  const short = (title) => title.split(': ')[0];
  const breakable = (text) => make('span', {}, text.split(/(?<=[_+/=.:])/).flatMap((part) => [make('wbr'), part]).slice(1));
  const note = (text) => make('p', { class: 'note' }, text);
  const count = (number) => number.toLocaleString('en');

  function piece(html, name) {
    const made = make('div', { class: 'piece' });
    made.innerHTML = html; // escaped where it was made
    // Pieces stand beside others: their landmarks have the name of what they are of.
    for (const section of made.querySelectorAll('section')) section.removeAttribute('aria-labelledby');
    for (const [at, region] of made.querySelectorAll('.scroll').entries()) region.setAttribute('aria-label', `${name}, table ${at + 1}`);
    for (const aside of made.querySelectorAll('aside')) aside.setAttribute('aria-label', `${name}, content warning`);
    return made;
  }

  // A table that narrow screens show as a list of cards, each cell after its heading.
  function table(caption, headings, rows) {
    const head = make('tr', {}, headings.map((text) => make('th', { scope: 'col', role: 'columnheader' }, text)));
    const body = rows.map(([first, ...cells]) => make('tr', { role: 'row' },
      make('th', { scope: 'row', role: 'rowheader', class: 'name' }, first),
      cells.map((cell, at) => {
        const inside = make('span', {}, cell);
        return make('td', { role: 'cell', 'data-heading': headings[at + 1], class: inside.textContent ? null : 'empty' }, inside);
      })));
    return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
      make('table', { class: 'cards', role: 'table' }, make('caption', { class: 'hidden' }, caption),
        make('thead', { role: 'rowgroup' }, head), make('tbody', { role: 'rowgroup' }, body)));
  }

  function choice(label, name, options, state, change) {
    const made = make('select', { name, onchange: () => change(name, made.value) },
      options.map(([value, text]) => make('option', { value, selected: value === (state.get(name) || '') }, text)));
    return make('label', {}, label, made);
  }

  function entry(label, name, type, state, change, suggestions = []) {
    const list = `list-${name}`;
    const made = make('input', {
      name, type, value: state.get(name) || '', list: suggestions.length ? list : null, autocomplete: 'off',
      oninput: () => change(name, made.value),
    });
    const listed = suggestions.length ? [make('datalist', { id: list }, suggestions.map((value) => make('option', { value })))] : [];
    return make('label', {}, label, made, listed);
  }

  // ── Addresses ──────────────────────────────────────────────────────────────────────────────────

  function address(view, values = {}) {
    const given = Object.entries(values).filter(([, value]) => value !== '' && value != null);
    return `#${view}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
  }

  function place() {
    const [view, values] = location.hash.slice(1).split(/\?(.*)/s);
    return [view || 'overview', new URLSearchParams(values || '')];
  }

  // Note a choice in the address, without a step in the history.
  function remember(view, state) {
    history.replaceState(null, '', address(view, Object.fromEntries(state)));
  }

  // ── Models × studies ──────────────────────────────────────────────────────────────────────────

  const FEW_MODELS = 4;
  const SVG = 'http://www.w3.org/2000/svg';
  const sense = { true: ['● ', 'significant'], false: ['○ ', 'not significant'] };

  function drawn(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // The results of each model and study, the newest first, as index.results has them.
  function runsByCell() {
    const cells = new Map();
    for (const result of index.results.filter((each) => each.run)) {
      if (!cells.has(result.model)) cells.set(result.model, new Map());
      const of = cells.get(result.model);
      of.set(result.study, [...(of.get(result.study) || []), result]);
    }
    return cells;
  }

  // From where to where the pictures of a study go: all its intervals with the neutral value, on one measure.
  function columnOf(study, cells) {
    const newest = [...cells.values()].flatMap((of) => (of.get(study) || []).slice(0, 1));
    const made = newest.map((result) => result.cell).filter(Boolean);
    const { measure, unit } = made.find((cell) => cell.value != null) || { measure: '', unit: '' };
    const alike = made.filter((cell) => cell.measure === measure && cell.unit === unit);
    const numbers = alike.flatMap((cell) => cell.at).filter((number) => number != null);
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    const room = (most - least) * 0.08 || 1;
    return { study, title: short(newest[0].title), measure, unit, from: least - room, to: most + room };
  }

  function interval({ at: [value, low, high, neutral] }, { from, to }) {
    const x = (number) => (100 * (number - from) / (to - from)).toFixed(1);
    const parts = [drawn('line', { x1: 0, x2: 100, y1: 7, y2: 7, class: 'axis' })];
    if (neutral != null) parts.push(drawn('line', { x1: x(neutral), x2: x(neutral), y1: 0, y2: 14, class: 'neutral' }));
    if (low != null && high != null) parts.push(drawn('line', { x1: x(low), x2: x(high), y1: 7, y2: 7, class: 'range' }));
    if (value != null) parts.push(drawn('circle', { cx: x(value), cy: 7, r: 3 }));
    return drawn('svg', { viewBox: '-3 0 106 14', 'aria-hidden': 'true', class: 'interval' }, ...parts);
  }

  function studyCell(runs, column) {
    if (!runs) return [make('span', { class: 'none', 'aria-hidden': 'true' }, '–'), make('span', { class: 'hidden' }, 'not measured')];
    const [result, ...others] = runs, cell = result.cell;
    const more = others.length ? [make('span', { class: 'more' }, link(`+${others.length}`, 'runs', { of: runs.map((each) => each.key).join(',') }))] : [];
    more.forEach((each) => each.firstChild.setAttribute('aria-label', `${others.length} other ${others.length === 1 ? 'run' : 'runs'} of ${result.model} on ${column.title}`));
    const open = (text) => link(text, 'result', { of: result.key });
    if (!cell) return [open('no overall number'), ...more];
    const n = `n = ${count(cell.n)} ${cell.counts}`;
    const other = cell.measure === column.measure && cell.unit === column.unit ? null : make('span', { class: 'small' }, cell.measure);
    if (cell.why || cell.at[0] == null) {
      return [open('undefined'), ...more, other, make('span', { class: 'small why', title: cell.why }, cell.why)];
    }
    const [mark, words] = sense[cell.sure] || ['', ''];
    const number = open(`${mark}${cell.value}`);
    number.title = [result.rule, words && `${words}${cell.p ? ` (p ${cell.p})` : ''}`, cell.span && `95 % interval ${cell.span}`, n].filter(Boolean).join(', ');
    return [number, ...more, other, other ? null : interval(cell, column),
      make('span', { class: 'small' }, cell.span ? make('span', { class: 'hidden' }, `interval ${cell.span}, `) : null, `n ${count(cell.n)}`)];
  }

  function matrix(cells, state, change) {
    const studies = [...new Set([...cells.values()].flatMap((of) => [...of.keys()]))];
    const columns = studies.map((study) => columnOf(study, cells)).sort((a, b) => a.title.localeCompare(b.title, 'en'));
    const by = columns.find((column) => column.study === state.get('by'));
    const value = (model) => cells.get(model).get(by.study)?.[0].cell?.at[0] ?? -Infinity;
    const models = [...cells.keys()].sort((a, b) => (by ? value(b) - value(a) : 0) || a.localeCompare(b, 'en', { numeric: true }));
    const heading = (column) => [make('span', { class: 'study' }, column.title),
      make('span', { class: 'small' }, column.measure)];
    const few = models.length <= FEW_MODELS;
    const head = few ? models.map((model) => make('th', { scope: 'col' }, breakable(model)))
      : columns.map((column) => make('th', { scope: 'col', 'aria-sort': column === by ? 'descending' : null }, make('button', {
        type: 'button', title: `Order models by ${column.title}`, onclick: () => change('by', column === by ? '' : column.study) }, heading(column))));
    const row = (title, of) => make('tr', {}, make('th', { scope: 'row' }, title), of.map(([name, content]) => make('td', { 'data-heading': name }, make('div', {}, content))));
    const rows = few
      ? columns.map((column) => row(heading(column), models.map((model) => [model, studyCell(cells.get(model).get(column.study), column)])))
      : models.map((model) => row(breakable(model), columns.map((column) => [[column.title, column.measure].filter(Boolean).join(', '), studyCell(cells.get(model).get(column.study), column)])));
    return make('div', { class: 'scroll matrix', tabindex: '0', role: 'region', 'aria-label': 'Models by studies' },
      make('table', { class: few ? 'few' : 'many' }, make('caption', { class: 'hidden' }, 'The main number of each study for each model'),
        make('thead', {}, make('tr', {}, make('td'), head)), make('tbody', {}, rows)));
  }

  function showOverview(state) {
    const holder = make('div'), said = make('p', { role: 'status', class: 'note' });
    const everything = runsByCell();
    const studies = [...new Map(index.results.filter((each) => each.run).map((each) => [each.study, short(each.title)]))].sort((a, b) => a[1].localeCompare(b[1], 'en'));
    const draw = () => {
      const model = (state.get('model') || '').toLowerCase(), study = state.get('study') || '';
      const cells = new Map([...everything].filter(([name]) => name.toLowerCase().includes(model))
        .map(([name, of]) => [name, new Map([...of].filter(([each]) => !study || each === study))]).filter(([, of]) => of.size));
      const shown = new Set([...cells.values()].flatMap((of) => [...of.keys()])).size;
      said.textContent = `${count(cells.size)} ${cells.size === 1 ? 'model' : 'models'}, ${count(shown)} ${shown === 1 ? 'study' : 'studies'}.`;
      holder.replaceChildren(...(cells.size ? [matrix(cells, state, change)] : []));
    };
    const change = (name, text) => {
      if (text) state.set(name, text); else state.delete(name);
      remember('overview', state);
      const held = document.activeElement?.title;
      draw();
      if (held) [...holder.querySelectorAll('button')].find((each) => each.title === held)?.focus();
    };
    const analyses = index.results.filter((each) => !each.run);
    const parts = [make('h2', { tabindex: '-1' }, everything.size ? 'Models by studies' : 'Audits and analyses'), ...index.notes.map(note)];
    if (everything.size) {
      if (everything.size > FEW_MODELS || studies.length > FEW_MODELS) {
        parts.push(make('form', { class: 'filters', onsubmit: (event) => event.preventDefault() },
          entry('Model', 'model', 'search', state, change, [...everything.keys()]), choice('Study', 'study', [['', 'all'], ...studies], state, change)));
      }
      parts.push(said, holder, note('Each study has its own measure and unit; numbers of different studies are not on one scale. The picture has the 95 % '
        + 'interval and, as an upright line, the neutral value. ● differs significantly from neutral (p < .05), ○ does not, no mark: not tested.'
        + `${[...everything.values()].some((of) => [...of.values()].some((runs) => runs.length > 1)) ? ' +1: further runs, by another rule or on other data; the newest is shown.' : ''}`));
      draw();
    }
    if (analyses.length) {
      parts.push(make('section', {}, everything.size ? make('h3', {}, 'Audits and analyses') : null, make('ul', { class: 'plain' }, analyses.map((each) => make('li', {},
        link(each.title, 'result', { of: each.key }), `${each.model ? `: ${each.model}` : ''}`, make('span', { class: 'small' }, ` ${each.finished.slice(0, 10)}`))))));
    }
    main.replaceChildren(...parts);
  }

  // Several runs of one model and study.
  function showRuns(state) {
    const runs = (state.get('of') || '').split(',').map((key) => byKey.get(key)).filter(Boolean);
    if (!runs.length) return showMissing();
    const cell = (result) => result.cell || { value: '', span: '', n: '', measure: '' };
    main.replaceChildren(make('h2', { tabindex: '-1' }, `${count(runs.length)} runs: ${called(runs[0])}`),
      table('Runs of the model on the study', ['Finished', 'Rule', 'Convention', 'Data', 'Measure', 'Value (interval)', 'n'], runs.map((result) => [
        link(result.finished || 'the run', 'result', { of: result.key }), breakable(result.rule), result.convention, breakable(result.data), cell(result).measure,
        `${cell(result).value}${cell(result).span ? ` (${cell(result).span})` : ''}`, String(cell(result).n)])));
  }

  // ── The list of numbers ────────────────────────────────────────────────────────────────────────

  const named = (result) => result.model || result.title;
  const called = (result) => `${short(result.title)}: ${named(result)}`;
  const measureOf = (row) => index.measures[row[1]];
  const subsetOf = (row) => index.subsets[row[2]];

  function matching(state) {
    const get = (name) => state.get(name) || '';
    const model = get('model').toLowerCase(), group = get('group').toLowerCase(), since = get('since');
    const kept = index.results.map((result) => (!get('study') || result.study === get('study'))
      && (!get('rule') || result.rule === get('rule')) && (!since || result.finished.slice(0, 10) >= since)
      && (!get('until') || result.finished.slice(0, 10) <= get('until'))
      && (!model || named(result).toLowerCase().includes(model)));
    const groups = index.subsets.map(([label]) => (group ? label.toLowerCase().includes(group) : true));
    const measures = index.measures.map(([, title]) => title === get('measure'));
    const one = get('measure') !== '' || group !== '';
    const significance = { yes: 1, no: 0 }[get('significant')];
    return index.numbers.filter((row) => kept[row[0]] && groups[row[2]]
      && (get('measure') === 'every' || (get('measure') ? measures[row[1]] : one || row[8]))
      && (significance === undefined || row[7] === significance));
  }

  function value(row) {
    const result = index.results[row[0]];
    const mark = { 1: '● ', 0: '○ ' }[row[7]] || '';
    if (!result.items || !index.parts) return `${mark}${row[3]}`;
    return make('a', {
      href: address('items', { of: result.key, measure: measureOf(row)[0], subset: subsetOf(row)[0] }),
      'aria-label': `${row[3]}, show its items`,
    }, `${mark}${row[3]}`);
  }

  const withInterval = (row) => make('span', {}, value(row), row[4] ? ` (${row[4]})` : '');

  function numberRow(row) {
    const result = index.results[row[0]];
    const box = make('input', {
      type: 'checkbox', 'aria-label': `Compare ${named(result)}, ${result.title}, ${result.rule}`,
      onchange: () => pick(result.key, box.checked),
    });
    box.checked = picked.includes(result.key);
    return [
      make('span', {}, box, ' ', link(named(result), 'result', { of: result.key })),
      short(result.title), breakable(result.rule), [measureOf(row)[1], subsetOf(row)[0]].filter(Boolean).join(', '),
      withInterval(row), row[5], count(row[6]), breakable(result.data), make('span', { class: 'whole' }, result.finished.slice(0, 10)),
    ];
  }

  function pick(key, on) {
    picked = picked.filter((other) => other !== key);
    if (on) picked = [...picked, key].slice(-MOST_COMPARED);
    for (const box of main.querySelectorAll('tbody input')) {
      const of = new URLSearchParams(box.nextElementSibling.hash.split('?')[1]).get('of');
      box.checked = picked.includes(of);
    }
    const [, state] = place();
    state.set('picked', picked.join(','));
    if (!picked.length) state.delete('picked');
    remember('index', state);
    showPicked();
  }

  function showPicked() {
    const bar = document.getElementById('picked');
    bar.replaceChildren(...(picked.length < 2
      ? [note(picked.length ? `${named(byKey.get(picked[0]))} is selected; select another result to compare them.`
        : `Select two results, or up to ${MOST_COMPARED}, to see them side by side.`)]
      : [make('p', {}, link(`Compare the ${picked.length} selected results`, 'compare', { of: picked.join(',') }))]));
  }

  function showIndex(state) {
    picked = (state.get('picked') || '').split(',').filter((key) => byKey.has(key));
    const different = (values) => [...new Set(values)].filter(Boolean).sort();
    const all = (values, text) => [['', text], ...values.map((each) => [each, each])];
    const rows = make('div'), said = make('p', { role: 'status', class: 'note' });
    let most = ROWS;
    const draw = () => {
      const matches = matching(state);
      const shown = matches.slice(0, most);
      said.textContent = `${count(matches.length)} ${matches.length === 1 ? 'number' : 'numbers'}`
        + `${shown.length < matches.length ? `, the first ${count(shown.length)} are shown` : ''}. `
        + '● differs significantly from neutral (p < .05), ○ does not.';
      const more = shown.length < matches.length
        ? [make('button', { type: 'button', onclick: () => { most += 5 * ROWS; draw(); } }, 'Show more')] : [];
      rows.replaceChildren(table('Numbers of the results',
        ['Model', 'Study', 'Rule', 'Number', 'Value (interval)', 'p', 'n', 'Data', 'Finished'],
        shown.map(numberRow)), ...more);
    };
    const change = (name, text) => {
      if (text) state.set(name, text); else state.delete(name);
      most = ROWS;
      remember('index', state);
      draw();
    };
    const titles = different(index.measures.map(([, title]) => title));
    main.replaceChildren(
      make('h2', { tabindex: '-1' }, 'Numbers'),
      ...index.notes.map(note),
      ...(index.slim ? [note('Main numbers only: these are very many results. Each result has its other numbers on its own page.')] : []),
      make('form', { class: 'filters', onsubmit: (event) => event.preventDefault() },
        choice('Study', 'study', all(different(index.results.map((r) => r.study)), 'all'), state, change),
        entry('Model', 'model', 'search', state, change, different(index.results.map(named))),
        choice('Rule', 'rule', all(different(index.results.map((r) => r.rule)), 'all'), state, change),
        entry('Group', 'group', 'search', state, change, different(index.subsets.map(([label]) => label)).slice(0, 500)),
        choice('Measure', 'measure', [['', 'main ones'], ['every', 'all'], ...titles.map((t) => [t, t])], state, change),
        choice('Significant', 'significant', [['', 'all'], ['yes', 'significant'], ['no', 'not significant']], state, change),
        entry('Finished since', 'since', 'date', state, change),
        entry('Until', 'until', 'date', state, change)),
      make('div', { id: 'picked' }), said, rows);
    draw();
    showPicked();
  }

  // ── One result, and several side by side ──────────────────────────────────────────────────────

  function about(result) {
    return [['Study', result.study], ['Model', result.model], ['Rule', result.rule], ['Convention', result.convention],
      ['Data', result.data], ['Items', result.items ? count(result.items) : ''], ['Finished', result.finished]]
      .filter(([, text]) => text).map(([name, text]) => make('div', {}, make('dt', {}, name), make('dd', {}, text)));
  }

  async function showResult(state) {
    const result = byKey.get(state.get('of'));
    if (!result) return showMissing();
    const html = index.parts ? await load(`result-${result.key}`) : null;
    const own = index.numbers.filter((row) => index.results[row[0]] === result);
    const links = [];
    if (result.items && index.parts) links.push(link('All items', 'items', { of: result.key }));
    if (result.page) links.push(links.length ? ' · ' : '', make('a', { href: result.page }, 'The page of this result'));
    main.replaceChildren(
      make('h2', { tabindex: '-1' }, called(result)),
      make('dl', { class: 'facts' }, about(result)), make('p', {}, links),
      make('details', { open: !html }, make('summary', {}, html ? `Its ${count(own.length)} numbers, each with its items` : 'Its main numbers'),
        table('Numbers of the result', ['Number', 'Value (interval)', 'p', 'n'],
          own.slice(0, 5 * ROWS).map((row) => [
            [measureOf(row)[1], subsetOf(row)[0]].filter(Boolean).join(', '), withInterval(row), row[5], count(row[6])]))),
      html ? piece(html, called(result)) : '');
  }

  async function showCompared(state) {
    const compared = (state.get('of') || '').split(',').map((key) => byKey.get(key)).filter(Boolean).slice(0, MOST_COMPARED);
    if (compared.length < 2) return showMissing();
    const parts = [make('h2', { tabindex: '-1' }, `${compared.map(named).join(' and ')} side by side`)];
    if (compared.length === 2 && index.parts) parts.push(...await difference(...compared));
    parts.push(sideBySide(compared));
    if (!index.parts) {
      parts.push(note(`Differences with tests: tiltmeter compare RUN RUN with the folders ${compared.map((each) => each.key).join(' and ')}.`));
      return main.replaceChildren(...parts);
    }
    const pieces = await Promise.all(compared.map((result) => load(`result-${result.key}`)));
    parts.push(make('div', { class: 'beside' }, compared.map((result, at) => make('section', { 'aria-label': `Result ${at + 1}, ${called(result)}` },
      make('p', {}, link(called(result), 'result', { of: result.key })), piece(pieces[at], `Result ${at + 1}`)))));
    main.replaceChildren(...parts);
  }

  // How far the first is from the second on their common items.
  async function difference(a, b) {
    for (const name of [`${a.key}~${b.key}`, `${b.key}~${a.key}`]) {
      if (index.pairs.includes(name)) return [piece(await load(`pair-${name}`), 'Comparison')];
    }
    const said = [];
    for (const [number, board] of (await load('leaderboard')).entries()) {
      const at = [a, b].map((result) => board.results.indexOf(index.results.indexOf(result)));
      if (at.includes(-1)) continue;
      for (const measure of await load(`board-${number}`)) {
        const apart = measure.apart?.find(([i, j]) => at.includes(i) && at.includes(j));
        if (!apart) continue;
        const [first, second] = apart[0] === at[0] ? [a, b] : [b, a];
        said.push(make('li', {}, `${measure.title}: ${named(first)} less ${named(second)} is ${apart[2]}, 95 % interval ${apart[3]} `
          + `(paired over the ${count(measure.n)} items that all models answered).`));
      }
    }
    if (said.length) {
      return [make('ul', {}, said), note(`Tests and categories: tiltmeter compare RUN RUN with the folders ${a.key} and ${b.key}.`)];
    }
    return [note('These two were not scored alike on the same items, so that their numbers are not compared.')];
  }

  function sideBySide(compared) {
    const rows = new Map();
    for (const row of index.numbers) {
      const at = compared.indexOf(index.results[row[0]]);
      if (at < 0) continue;
      const name = [measureOf(row)[1], subsetOf(row)[0]].filter(Boolean).join(', ');
      if (!rows.has(name)) rows.set(name, compared.map(() => ''));
      rows.get(name)[at] = withInterval(row);
    }
    const shared = [...rows].filter(([, cells]) => cells.filter(Boolean).length > 1).slice(0, 2 * ROWS);
    if (!shared.length) return note('They have no number of one name.');
    return table('Numbers side by side', ['Number', ...compared.map((result) => `${named(result)} (${result.rule || result.study})`)],
      shared.map(([name, cells]) => [name, ...cells]));
  }

  // ── Items ──────────────────────────────────────────────────────────────────────────────────────

  const own = (values, name) => (Object.hasOwn(values, name) ? values[name] : undefined); // names are foreign

  const meets = (items, name, wanted) => {
    const axis = own(items.axes, name), scores = own(items.scores, name);
    if (scores) return (i) => wanted.includes(scores[i]);
    if (!axis) return () => true;
    const codes = new Set(axis.labels.flatMap((label, code) => (
      wanted.some((each) => label === each || label.split('|').includes(String(each))) ? [code] : [])));
    return (i) => codes.has(axis.codes[i]);
  };

  // The places of the items behind a number.
  function behind(items, result, state) {
    const [, groups] = index.subsets.find(([label]) => label === (state.get('subset') || '')) || ['', {}];
    const counts = own(result.counts, state.get('measure')) || { reads: [], where: {} };
    const tests = Object.entries({ ...groups }).map(([name, label]) => meets(items, name, [label]));
    tests.push(...Object.entries(counts.where).map(([name, wanted]) => meets(items, name, [wanted].flat())));
    for (const name of counts.reads.filter((each) => own(items.scores, each))) tests.push((i) => items.scores[name][i] != null);
    const find = (state.get('find') || '').toLowerCase();
    if (find) tests.push((i) => items.ids[i].toLowerCase().includes(find));
    return items.ids.map((_, i) => i).filter((i) => tests.every((test) => test(i)));
  }

  const apart = (result, items) => {
    const [a, b] = Object.keys(result.sides || {}).map((side) => items.scores[side]);
    return a && b ? (i) => a[i] - b[i] : null;
  };

  function sorted(places, result, items, by) {
    if (!by) return places;
    const [name, way] = by.split(/:(up|down)$/);
    const key = name === '(difference)' ? apart(result, items) : (i) => own(items.scores, name)?.[i];
    if (!key) return places;
    const sign = way === 'up' ? 1 : -1;
    const keys = new Map(places.map((i) => [i, key(i) ?? -Infinity * sign]));
    return [...places].sort((i, j) => sign * (keys.get(i) - keys.get(j)) || i - j);
  }

  const shown = (number) => (number == null ? '' : String(Number(number.toPrecision(4))).replace('-', '−'));

  function answers(of, id, i) {
    const [{ result, items }] = of;
    const sides = Object.keys(result.sides || {}).filter((side) => items.scores[side]);
    const columns = sides.length > 1 ? sides : Object.keys(items.scores).filter((name) => items.scores[name][i] != null);
    const headings = ['Model', ...(sides.length > 1 ? ['Prefers'] : []), ...columns.map((name) => name.replaceAll('_', ' '))];
    const rows = of.map((each, at) => [each, at ? each.places.get(id) : i]).filter(([, j]) => j !== undefined).map(([each, j]) => {
      const scores = columns.map((name) => own(each.items.scores, name)?.[j]);
      const best = Math.max(...scores.map((score) => score ?? -Infinity));
      const first = scores.filter((score) => score === best).length > 1 ? 'neither' : result.sides?.[columns[scores.indexOf(best)]];
      return [named(each.result), ...(sides.length > 1 ? [first] : []), ...scores.map(shown)];
    });
    return table(`Answers to ${id}`, headings, rows);
  }

  async function texts(of, id, i) {
    const made = make('dl', { class: 'told' });
    const add = (name, text) => made.append(make('div', {}, make('dt', {}, name), make('dd', { dir: 'auto' }, text)));
    for (const [at, { result, items, places }] of of.entries()) {
      const j = at ? places.get(id) : i;
      if (j === undefined) continue;
      const read = async (what) => {
        const digest = items[what][Math.floor(j / items.at_once)];
        return digest ? (await load(`texts-${digest}`))[j % items.at_once] : null;
      };
      const own = await read('texts') || {};
      if (!at) for (const [name, text] of Object.entries(own)) add(result.sides?.[name] || name.replaceAll('_', ' '), text);
      const said = await read('said');
      if (said) add(`${named(result)} wrote`, said);
      const option = (own[result.options] || '').split('\n')[items.scores[result.reply]?.[j]];
      if (option) add(`Reply of ${named(result)}`, option);
    }
    if (!made.children.length) made.append(make('div', {}, make('dd', {}, 'It has no text.')));
    return made;
  }

  async function itemsOf(result) {
    const items = await load(`items-${result.key}`);
    const view = (kind) => items.views.find((each) => each.kind === kind);
    const [margins, tally] = [view('margins'), view('tally')];
    result.counts = items.counts;
    if (margins) result.sides = Object.fromEntries(margins.sides.map((side, at) => [side, margins.titles[at]]));
    if (tally) Object.assign(result, { reply: tally.columns, options: tally.options });
    return items;
  }

  async function showItems(state) {
    const result = byKey.get(state.get('of'));
    if (!result || !index.parts) return showMissing();
    const alike = new Map(index.results.filter((other) => other !== result && other.items && other.of === result.of && other.study === result.study
      && (other.model !== result.model || other.rule !== result.rule)).map((other) => [`${other.model} ${other.rule}`, other]));
    const others = [...alike.values()];
    const beside = state.has('with') ? others.filter((other) => state.get('with').split(',').includes(other.key)) : others.slice(0, BESIDE);
    const of = await Promise.all([result, ...beside].map(async (each) => ({ result: each, items: await itemsOf(each) })));
    for (const each of of.slice(1)) each.places = new Map(each.items.ids.map((id, i) => [id, i]));
    const { items } = of[0];
    const list = make('ol', { class: 'items' }), said = make('p', { role: 'status', class: 'note' }), pages = make('p');
    const change = (name, text) => {
      if (text) state.set(name, text); else state.delete(name);
      if (name !== 'page') state.delete('page');
      remember('items', state);
      draw();
    };
    let showers = [];
    const draw = () => {
      const places = sorted(behind(items, result, state), result, items, state.get('sort'));
      const from = Math.min(Number(state.get('page')) || 0, Math.floor(Math.max(places.length - 1, 0) / ITEMS));
      const now = places.slice(from * ITEMS, (from + 1) * ITEMS);
      said.textContent = places.length
        ? `Items ${count(from * ITEMS + 1)} to ${count(from * ITEMS + now.length)} of ${count(places.length)}.`
        : 'No item of these files belongs to this number alone.';
      if (items.ids.length < result.items) said.textContent += ` Only the first ${count(items.ids.length)} of ${count(result.items)} are in the files.`;
      showers = [];
      list.replaceChildren(...now.map((i) => {
        const id = items.ids[i];
        const groups = Object.entries(items.axes).filter(([, axis]) => axis.codes[i] >= 0).map(([name, axis]) => `${name.replaceAll('_', ' ')}: ${axis.labels[axis.codes[i]]}`);
        const text = make('div');
        const button = make('button', { type: 'button', 'aria-expanded': 'false' }, 'Show text', make('span', { class: 'hidden' }, ` of ${id}`));
        const show = async (on) => {
          button.setAttribute('aria-expanded', String(on));
          button.firstChild.data = on ? 'Hide text' : 'Show text';
          text.replaceChildren(...(on ? [await texts(of, id, i)] : []));
        };
        button.addEventListener('click', () => show(button.getAttribute('aria-expanded') === 'false'));
        showers.push(show);
        return make('li', { class: 'item' }, make('p', {}, make('bdi', { class: 'id' }, id), ' ', make('span', { class: 'groups' }, groups.join('; '))),
          answers(of, id, i), ...(index.texts ? [button] : []), text);
      }));
      const turn = (text, page) => make('button', { type: 'button', disabled: page < 0 || page * ITEMS >= places.length, onclick: () => change('page', String(page)) }, text);
      pages.replaceChildren(turn('Previous', from - 1), ' ', turn('Next', from + 1));
    };
    const orders = [['', 'as in the data'], ...(apart(result, items) ? [['(difference):down', 'difference, highest first'], ['(difference):up', 'difference, lowest first']] : []),
      ...Object.keys(items.scores).flatMap((name) => [[`${name}:down`, `${name}, highest first`], [`${name}:up`, `${name}, lowest first`]])];
    const label = state.get('subset') || '';
    const number = index.numbers.find((row) => index.results[row[0]] === result && measureOf(row)[0] === state.get('measure') && subsetOf(row)[0] === label);
    const all = make('input', { type: 'checkbox', id: 'all-texts', onchange: () => showers.forEach((show) => show(all.checked)) });
    main.replaceChildren(
      make('h2', { tabindex: '-1' }, number ? `Items behind ${number[3]}` : 'Items'),
      make('p', {}, link(called(result), 'result', { of: result.key }),
        number ? `. ${[measureOf(number)[1], label].filter(Boolean).join(', ')}: ${number[3]}${number[4] ? ` (${number[4]})` : ''}, n = ${count(number[6])}.` : ''),
      make('form', { class: 'filters', onsubmit: (event) => event.preventDefault() },
        choice('Order', 'sort', orders, state, change), entry('Id', 'find', 'search', state, change)),
      ...(others.length ? [make('details', { open: state.has('with') }, make('summary', {}, `Answers of ${beside.length} of ${others.length} other results on these items`),
        make('ul', { class: 'plain' }, others.map((other) => {
          const on = beside.includes(other);
          const keys = on ? beside.filter((each) => each !== other) : [...beside, other];
          const box = make('input', { type: 'checkbox', onchange: async () => {
            state.set('with', keys.map((each) => each.key).join(','));
            remember('items', state);
            await showItems(state);
            main.querySelectorAll('details input')[others.indexOf(other)].focus();
          } });
          box.checked = on;
          return make('li', {}, make('label', {}, box, ` ${named(other)} (${other.rule})`));
        })))] : []),
      index.texts ? make('p', { class: 'control' }, all, ' ', make('label', { for: 'all-texts' }, 'Show all texts on this page, which may be offensive'))
        : note('The texts of items were left out of this page.'),
      said, list, pages);
    draw();
  }

  // ── Leaderboard, changes ───────────────────────────────────────────────────────────────────────

  const measureAt = ({ name, title }) => index.measures.findIndex((each) => each[0] === name && each[1] === title);

  function board({ results, measures, limits }, number, state) {
    const of = results.map((at) => index.results[at]);
    const [{ title, data }] = of, by = `order-${number + 1}`;
    const caption = `${title}, ${data}: ${[...new Set(of.map((result) => result.rule))].join(' and ')}`;
    const ranked = measures.filter((measure) => measure.ranks);
    const holder = make('div');
    const change = (name, text) => {
      state.set(name, text);
      remember('leaderboard', state);
      draw(ranked.find((measure) => measure.title === text));
    };
    const order = choice('Order by ', by, ranked.map((measure) => [measure.title, measure.title]), state, change);
    order.className = 'order';
    const draw = (by) => {
      const rank = (at) => by?.ranks[at] || [Infinity, Infinity];
      const places = results.map((_, at) => at).sort((i, j) => rank(i)[0] + rank(i)[1] - rank(j)[0] - rank(j)[1] || i - j);
      holder.replaceChildren(table(`${caption}, table ${number + 1}`, ['Model', 'Rule', ...measures.map((measure) => measure.title)],
        places.map((at) => {
          const result = index.results[results[at]];
          return [link(named(result), 'result', { of: result.key }), breakable(result.rule), ...measures.map((measure) => {
            const row = index.numbers.find((each) => each[0] === results[at] && each[1] === measureAt(measure) && !subsetOf(each)[0]);
            const ranks = measure.ranks?.[at];
            const rank = ranks ? make('span', { class: 'whole' }, `rank ${ranks[0]} to ${ranks[1]} of ${Object.keys(measure.ranks).length}`) : null;
            return make('span', {}, row ? withInterval(row) : '', rank && make('br'), rank);
          })];
        })));
    };
    draw(ranked.find((measure) => measure.title === state.get(by)) || ranked[0]);
    const explained = measures.map((measure) => note(measure.ranks
      ? `${measure.title}: rank 1 is ${measure.first}. Each two models are compared over the ${count(measure.n)} items that all models answered; a range ends where others differ significantly (95 %, adjusted for the number of pairs).`
      : `${measure.title}: not ranked, ${measure.why}.`));
    return make('section', {}, make('h3', {}, caption), limits ? note(limits) : null, ranked.length > 1 ? order : null, holder, explained);
  }

  async function showLeaderboard(state) {
    if (!index.parts) return main.replaceChildren(make('h2', { tabindex: '-1' }, 'Leaderboard'), make('p', {}, 'These are very many results: tiltmeter view --serve ranks the models of a study when you look at them, tiltmeter view --all of all.'));
    const boards = (await load('leaderboard')).map((each, number) => [number, each]).filter(([, each]) => each.results.length > 1);
    const many = boards.length > MOST_BOARDS;
    const whole = many ? [] : await Promise.all(boards.map(([number]) => load(`board-${number}`)));
    const folded = ([number, each], at) => {
      const { title, data } = index.results[each.results[0]];
      const made = make('details', { ontoggle: async () => {
        if (made.open && made.children.length === 1) made.append(board({ ...each, measures: await load(`board-${number}`) }, at, state));
      } }, make('summary', {}, `${title}, ${data}: ${count(each.results.length)} models`));
      return made;
    };
    main.replaceChildren(make('h2', { tabindex: '-1' }, 'Leaderboard'),
      note('Models scored alike on the same items. A rank has a range: where two ranges overlap, the order of these models may be chance. '
        + 'First does not mean fair: a number says little about what a model does elsewhere.'),
      ...boards.map((each, at) => (many ? folded(each, at) : board({ ...each[1], measures: whole[at] }, at, state))),
      ...(boards.length ? [] : [make('p', {}, 'No two models were scored alike on the same items.')]));
  }

  async function showChanges() {
    if (!index.parts) return main.replaceChildren(make('h2', { tabindex: '-1' }, 'What changed since an earlier audit'), make('p', {}, 'These are very many results: tiltmeter view --serve or --all compares audits.'));
    const changes = await load('changes');
    main.replaceChildren(make('h2', { tabindex: '-1' }, 'What changed since an earlier audit'),
      ...(changes.length ? changes.map(({ earlier, later, html }) => make('section', {},
        make('p', {}, link(`${named(byKey.get(later))}, ${byKey.get(later).finished}`, 'result', { of: later }), ' compared with ',
          link(`${named(byKey.get(earlier))}, ${byKey.get(earlier).finished}`, 'result', { of: earlier })), piece(html, `Changes of ${later}`)))
        : [make('p', {}, 'This folder has no two audits of one profile. Make them with tiltmeter audit and another --out for each.')]));
  }

  function showMissing() {
    main.replaceChildren(make('h2', { tabindex: '-1' }, 'Not in this folder'), make('p', {}, 'The address names a result that this page does not have. ', link('All results', 'overview')));
  }

  // ── The page ───────────────────────────────────────────────────────────────────────────────────

  const VIEWS = { overview: showOverview, runs: showRuns, index: showIndex, result: showResult, compare: showCompared, items: showItems, leaderboard: showLeaderboard, changes: showChanges };

  async function show(moved) {
    const [view, state] = place();
    if (!index) return;
    for (const tab of document.querySelectorAll('.tabs a')) {
      if (tab.hash === `#${view}`) tab.setAttribute('aria-current', 'page'); else tab.removeAttribute('aria-current');
    }
    main.setAttribute('aria-busy', 'true');
    const waiting = setTimeout(() => main.replaceChildren(make('p', { role: 'status' }, 'Loading …')), 400);
    try {
      await (own(VIEWS, view) || showMissing)(state);
    } catch (error) {
      main.replaceChildren(make('h2', { tabindex: '-1' }, 'Not loaded'), make('p', {}, error.message));
    }
    clearTimeout(waiting);
    main.removeAttribute('aria-busy');
    performance.mark('shown');
    if (moved) { scrollTo(0, 0); main.querySelector('h2')?.focus({ preventScroll: true }); }
  }

  function start(data) {
    index = data;
    byKey = new Map(index.results.map((result) => [result.key, result]));
    addEventListener('hashchange', () => show(true));
    document.querySelector('[data-skip]').addEventListener('click', (event) => { event.preventDefault(); main.focus(); });
    show(false);
  }

  if (served) {
    load('index').then(start, (error) => main.replaceChildren(make('h2', {}, 'Not loaded'), make('p', {}, error.message)));
  }
  return { take };
})();
