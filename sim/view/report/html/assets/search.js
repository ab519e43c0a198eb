// Search: pods, states, revisions and reasons, and the steps between them.

const found = { text: "", hits: [], at: -1, pods: new Set() };
const MOST_HITS = 5000;

// search looks for a text. Each of its words has to stand in the pod's name or in what is said of one of its bars.
function search(text) {
  Object.assign(found, { text: text.trim().toLowerCase(), hits: [], at: -1, pods: new Set() });
  const asked = found.text.split(/\s+/).filter(Boolean);
  if (asked.length) {
    const terms = asked.map(termOf);
    data.runs.forEach((run, r) => {
      searchSteps(run, r, asked);
      run.sets.forEach((set, s) => set.pods.forEach((pod, n) => searchPod({ run: r, set: s, pod: n }, pod, terms)));
    });
    found.hits.sort((a, b) => a.run - b.run || a.order - b.order);
  }
  found.of = found.hits.length > MOST_HITS ? MOST_HITS + "+" : String(found.hits.length);
  said();
  redraw();
}

function searchSteps(run, r, asked) {
  run.steps.forEach((step) => {
    const title = step.title.toLowerCase();
    if (asked.every((word) => title.includes(word))) {
      found.hits.push({ run: r, set: -1, pod: -1, stop: step.stop, order: step.stop });
    }
  });
}

// termOf is a word that is looked for: in which of the texts and states it stands, and the revision that it is.
function termOf(word) {
  found.texts ||= data.words.map((it) => it.toLowerCase());
  const states_ = data.states.map((it) => it.toLowerCase());
  return {
    word,
    texts: Uint8Array.from(found.texts, (it) => it.includes(word)),
    states: states_.map((it) => it === word || (word.length > 3 && it.startsWith(word))),
    template: /^@\d+$/.test(word) ? Number(word.slice(1)) : -1,
  };
}

// searchPod adds the pod where its name is meant, else each of its bars that is.
function searchPod(where, pod, terms) {
  if (found.hits.length > MOST_HITS) return;
  const lower = (pod.lower ??= pod.name.toLowerCase());
  const rest = terms.filter((term) => !lower.includes(term.word));
  if (!rest.length) {
    // The name itself comes first, then those that only contain it.
    found.hits.push({ ...where, stop: -1, order: lower === found.text ? -2 : -1 });
    found.pods.add(keyOfPod(where));
    return;
  }
  const b = pod.bars;
  for (let i = 0; i < b.length; i += BAR) {
    if (!rest.every((term) => isIn(term, b, i))) continue;
    found.hits.push({ ...where, stop: b[i], order: b[i] });
    found.pods.add(keyOfPod(where));
  }
}

function keyOfPod({ run, set, pod }) {
  return run + "/" + set + "/" + pod;
}

// isIn says whether a term stands in what is said of a bar.
function isIn(term, b, i) {
  return (
    term.texts[b[i + B_STATUS]] || term.texts[b[i + B_WHY]] || term.states[b[i + B_STATE]] || term.template === b[i + B_TEMPLATE]
  );
}

// said writes how many there are, and which of them the reader is at.
function said() {
  const n = found.hits.length;
  const all = found.of + (n === 1 ? " hit" : " hits");
  $("hits").textContent = !found.text ? "" : !n ? "nothing" : found.at < 0 ? all : found.at + 1 + " of " + found.of;
}

// nextHit goes to the next thing that was found, or with -1 to the one before.
function nextHit(by) {
  const n = found.hits.length;
  if (!n) return;
  found.at = found.at < 0 ? (by > 0 ? 0 : n - 1) : (found.at + by + n) % n;
  const hit = found.hits[found.at];
  const to = { run: hit.run };
  if (hit.pod >= 0) Object.assign(to, { set: hit.set, pod: hit.pod });
  if (hit.stop >= 0) to.stop = data.runs[hit.run].at[hit.stop];
  stopPlaying();
  go(to);
  const p = chosenPlot();
  if (p) p.figure.scrollIntoView({ block: "nearest" });
  said();
}

function listenToSearch() {
  const box = $("search");
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => search(box.value), 60);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (found.text !== box.value.trim().toLowerCase()) search(box.value);
      nextHit(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      box.value = "";
      search("");
      box.blur();
    }
  });
  $("before").addEventListener("click", () => nextHit(-1));
  $("after").addEventListener("click", () => nextHit(1));
}
