// Sends every answer at once, and keeps it in localStorage until the server has acknowledged it.
"use strict";
(() => {
  const form = document.querySelector("form[data-screen]");
  if (!form) return;
  const { screen, page, queue, apart } = form.dataset;
  const assignment = form.dataset.assignment ? Number(form.dataset.assignment) : null;
  const state = document.getElementById("state"), place = `tiltmeter.survey.${queue}`;
  const number = (question) => Number(question.querySelector("[name^=k]").name.slice(1));
  const questions = [...form.querySelectorAll("fieldset[data-question]")] // as in the form: conditions name earlier ones
    .sort((one, other) => number(one) - number(other));
  const sent = new Map(); // by question: the value, as JSON, that was queued last
  let memory = []; // where the browser has no localStorage
  let sending = false, wait = 0, timer = 0, gathering = 0, typing = 0, refused = false;
  let leaving = false, left = -Infinity; // wants to go on to the next page; when the form was submitted

  // ---- The queue
  const load = () => {
    try { return JSON.parse(localStorage.getItem(place) || "[]"); } catch { return memory; }
  };
  const keep = (entries) => {
    memory = entries;
    try { localStorage.setItem(place, JSON.stringify(entries)); } catch { /* memory has them */ }
  };
  const newKey = () => { // UUIDv7
    const bytes = crypto.getRandomValues(new Uint8Array(10)), time = Date.now().toString(16).padStart(12, "0");
    [bytes[0], bytes[2]] = [(bytes[0] & 0x0f) | 0x70, (bytes[2] & 0x3f) | 0x80];
    const hex = time + [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const away = () => performance.now() - left < 10000; // later the person has stopped it, or no reply will come
  const leave = () => { // once: a second submission would abort the first
    leaving = false;
    if (away()) return;
    left = performance.now();
    form.submit();
  };
  const waiting = () => load().length > 0 || typing > 0;
  const show = () => {
    if (apart) return;
    const kind = refused ? "refused" : waiting() ? "waiting" : "saved";
    state.className = kind;
    const text = sent.size || waiting() || refused ? form.dataset[kind] : ""; // nothing before the first answer
    if (state.textContent !== text) state.textContent = text;
  };
  const add = (kind, body) => { // what changes within 100 ms is sent together
    keep([...load(), { kind, body }]);
    show();
    if (document.hidden) send(); else gathering ||= setTimeout(send, 100);
  };
  const post = async (entries) => {
    const bodies = (kind) => entries.filter((one) => one.kind === kind).map((one) => one.body);
    const body = JSON.stringify({ answers: bodies("answers"), events: bodies("events") });
    const headers = { "content-type": "application/json", "x-csrf-token": form.elements.csrf.value };
    const keepalive = document.hidden && body.length < 60000; // goes on when the page is closed
    return fetch("/api/answers", { method: "POST", headers, body, keepalive, signal: AbortSignal.timeout(20000) });
  };
  const storable = (text) => (text.toWellFormed?.() ?? text).replaceAll("\0", "\ufffd"); // as forms send it
  const drop = (keys) => keep(load().filter((one) => !keys.includes(one.body.key)));
  const send = async () => {
    [timer, gathering].forEach(clearTimeout);
    gathering = 0;
    if (away() && !document.hidden) { // what changes now is sent after the form, which has the answer before it
      timer = setTimeout(send, 10000);
      return;
    }
    if (sending && !document.hidden) return; // a page that is closed cannot wait for what is under way
    sending = true;
    let some = 20;
    try {
      for (let entries = load(); entries.length; entries = load()) {
        const few = entries.slice(0, some);
        const reply = await post(few);
        if (reply.ok) {
          drop((await reply.json()).stored);
          [wait, some] = [0, 20];
        } else if (reply.status >= 500 || reply.status === 429) {
          throw new Error(reply.status);
        } else if (few.length > 1) {
          some = 1; // one of them is refused: find out which
        } else {
          refused = true;
          if (reply.status === 403) break; // the session ended: the queue stays
          drop([few[0].body.key]);
        }
        show();
      }
    } catch { // offline, or the server is down: again, later and later
      wait = Math.min(30000, wait ? 2 * wait : 1000);
      timer = setTimeout(send, wait * (0.75 + Math.random() / 2));
    }
    sending = false;
    show();
    if (leaving && load().length === 0) leave();
  };

  // ---- Questions
  const value = (question) => { // null where there is no answer, or the question is not asked
    const texts = [...question.querySelectorAll("[name^=q]")].map((one) => storable(one.value));
    if (question.hidden) return null;
    const without = question.querySelector("[name$='.opt_out']:checked");
    if (without) return without.value;
    if (question.querySelector("[data-touch]")) return texts[0] === "" ? null : Number(texts[0]);
    const parts = [...question.querySelectorAll("[data-part]")].map((one, at) => [one.dataset.part, texts[at]]);
    if (parts.length) return texts.every((text) => text.trim()) ? Object.fromEntries(parts) : null;
    const boxes = [...question.querySelectorAll("[type=radio], [type=checkbox]")];
    const chosen = boxes.filter((one) => one.checked).map((one) => one.value);
    if (boxes.length) return boxes[0].type === "checkbox" && chosen.length ? chosen : chosen[0] ?? null;
    return texts[0].trim() ? texts[0] : null;
  };
  const queued = (question) => { // an answer that changed; null withdraws the last one
    const now = value(question), text = JSON.stringify(now), last = question.querySelector("[name^=l]");
    if (apart || text === (sent.get(question) ?? "null")) return;
    const key = newKey(), supersedes = last.value || null;
    sent.set(question, text);
    last.value = key;
    add("answers", { key, page, question: question.dataset.question, value: now, time: Date.now(), assignment, supersedes });
  };
  const settle = (question) => { // what was missing or wrong is no longer marked
    const fault = question.querySelector(".needed");
    if (!fault || value(question) === null || !question.matches(":valid")) return;
    for (const one of [question, ...question.querySelectorAll("[aria-invalid]")]) {
      ["aria-invalid", "aria-describedby"].forEach((name) => one.removeAttribute(name));
    }
    question.classList.remove("missing");
    fault.remove();
  };
  const changed = () => { // skip logic: what is no longer asked is withdrawn
    clearTimeout(typing);
    typing = 0;
    const answers = {};
    for (const question of questions) {
      const when = Object.entries(JSON.parse(question.dataset.when));
      question.hidden = !when.every(([name, values]) => [answers[name]].flat().some((one) => values.includes(String(one))));
      answers[question.dataset.question] = value(question);
      queued(question);
    }
    show();
  };
  const slider = (question) => { // a range in place of the number, without a value until it is touched
    const number = question.querySelector("[data-low]"), [low, high] = [number.dataset.low, number.dataset.high].map(Number);
    const range = document.createElement("input"), shown = document.createElement("output");
    if (!(Number(number.value) >= low && Number(number.value) <= high)) number.value = ""; // such as "many"
    range.type = "range";
    [range.min, range.max] = [low, high];
    range.step = high - low >= 20 ? 1 : "any";
    range.value = number.value === "" ? (low + high) / 2 : number.value;
    for (const name of ["aria-label", "aria-invalid", "aria-describedby"]) {
      if (number.hasAttribute(name)) range.setAttribute(name, number.getAttribute(name));
      number.removeAttribute(name);
    }
    const end = (side) => question.querySelector(`.${side}`).textContent;
    range.setAttribute("aria-label", `${end("left")} (${low}) – ${end("right")} (${high})`);
    const swapped = number.dataset.swapped; // its high end is where lines begin; numbers still rise with the line
    if (swapped) range.dir = getComputedStyle(form).direction === "rtl" ? "ltr" : "rtl";
    const seen = () => swapped ? low + high - number.value : Number(number.value);
    number.type = "hidden";
    const paint = () => {
      const touched = number.value !== "";
      range.classList.toggle("untouched", !touched);
      shown.textContent = touched ? Math.round(seen() * 10) / 10 : number.dataset.untouched;
      range.setAttribute("aria-valuetext", touched ? shown.textContent : number.dataset.touch);
    };
    const without = question.querySelector("[name$='.opt_out']"); // a box for not answering
    const touch = () => { number.value = range.value; if (without) without.checked = false; paint(); };
    without?.addEventListener("change", () => { number.value = ""; paint(); });
    range.addEventListener("input", touch);
    range.addEventListener("click", () => { touch(); changed(); settle(question); }); // also on the resting place
    range.addEventListener("keydown", (event) => {
      if (event.key === " " || event.key === "Enter") { event.preventDefault(); touch(); changed(); settle(question); }
    });
    question.querySelector(".typed").replaceWith(number, range, shown);
    question.paint = () => { if (number.value !== "") range.value = number.value; paint(); };
    paint();
  };
  const fill = (question, given) => { // an answer from the queue that the server does not have yet
    for (const field of question.querySelectorAll("[name^=q]")) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = [given].flat().includes(field.value);
      else if (given === "OPTED_OUT" && question.querySelector("[name$='.opt_out']")) field.value = "";
      else field.value = (field.dataset.part ? given?.[field.dataset.part] : given) ?? "";
    }
    if (question.paint) question.paint();
  };
  const distance = (one, two) => { // Levenshtein
    let row = Array.from({ length: two.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i++) {
      const next = [i];
      for (let j = 1; j <= two.length; j++) next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (one[i - 1] !== two[j - 1]));
      row = next;
    }
    return row[two.length];
  };
  const warn = (question) => {
    const note = question.querySelector("[data-distance]");
    const now = note && value(question);
    if (note) note.hidden = !now || distance(now.first, now.second) <= Number(note.dataset.distance);
  };

  // ---- Start
  for (const question of questions) {
    if (question.querySelector("[data-touch]")) slider(question);
    const last = question.querySelector("[name^=l]");
    if (last.value) sent.set(question, JSON.stringify(value(question)));
    const unsent = load().filter(({ kind, body }) => kind === "answers" && body.page === page
      && body.assignment === assignment && body.question === question.dataset.question).pop();
    if (unsent) {
      fill(question, unsent.body.value);
      sent.set(question, JSON.stringify(unsent.body.value));
      last.value = unsent.body.key;
    }
    question.addEventListener("change", () => { changed(); warn(question); settle(question); });
    question.addEventListener("input", (event) => {
      if (event.target.type === "range") return;
      clearTimeout(typing);
      typing = setTimeout(changed, 700);
      show();
    });
  }
  if (form.elements.shown_at) form.elements.shown_at.value = Date.now();
  form.addEventListener("submit", (event) => {
    form.elements.submitted_at.value = Date.now();
    if (apart && away()) event.preventDefault(); else if (apart) left = performance.now();
    if (apart) return;
    event.preventDefault();
    changed();
    leaving = true;
    wait = 0;
    if (load().length) send(); else leave();
  });
  if (!apart) document.addEventListener("visibilitychange", () => {
    changed();
    add("events", { key: newKey(), screen, kind: document.hidden ? "hidden" : "visible", time: Date.now(), assignment });
  });
  addEventListener("beforeunload", (event) => { // what changes after the submission, the next page sends
    if (!apart && !refused && !away() && waiting()) event.preventDefault();
  });
  addEventListener("pageshow", (event) => { // back from the browser's cache of pages, as it was left
    if (!event.persisted) return;
    [leaving, left] = [false, -Infinity];
    send();
  });
  addEventListener("online", () => { wait = 0; send(); });
  changed();
  send();
})();
