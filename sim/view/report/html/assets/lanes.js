// The lanes of pods: the states of each, one after the other, and what was decided about it on top of them.

// span is where a bar stands on the axis. What is left at the end of a run stays; seen is how much of it is in view and
// not faded.
function span(p, pod, i) {
  const from = x(p.run.at[pod.bars[i]]);
  const last = i + BAR >= pod.bars.length;
  const to = last ? area.right + 4 : x(p.run.at[pod.bars[i + BAR]]);
  const left = Math.max(from, area.left - 8),
    right = Math.min(to, area.right + 8);
  return { x: left, w: right - left, seen: Math.min(last ? endOf(p.run) : to, area.right) - left, last };
}

// In lanes thinner than this, in pixels, a single pod in trouble would be lost among its neighbours.
const THIN = 4;

function trouble(g, p, pod, y) {
  g.fillStyle = palette.bad;
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const state = data.states[pod.bars[i + B_STATE]];
    if (state !== "Failed" && state !== "Unready") continue;
    const box = span(p, pod, i);
    if (box.w > 0) g.fillRect(box.x, Math.round(y), Math.max(1, box.w), 2);
  }
}

function lane(g, p, n, { y, row }) {
  const pod = p.set.pods[n];
  const gap = row > 10 ? 2.5 : row > 7 ? 0.5 : 0;
  const box = { y: y + gap, h: row - 2 * gap };
  // Thin lanes end on whole pixels: there must be no seams between them.
  if (row <= 7) Object.assign(box, { y: Math.round(y), h: Math.max(1, Math.round(y + row) - Math.round(y)) });
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const state = data.states[pod.bars[i + B_STATE]];
    if (state === "Gone") continue;
    Object.assign(box, span(p, pod, i));
    if (box.w <= 0) continue;
    bar(g, box, state, palette.template(pod.bars[i + B_TEMPLATE]), palette);
    const veiled = pod.bars[i + B_BARE] || guessed(p, pod.bars[i]);
    if (veiled && row >= 7) veil(g, box, palette);
    const solid = state === "Ready" && !veiled;
    const ever = box.last && endless(p.run) && state !== "Ready";
    if (row >= 15) caption(g, { ...box, w: box.seen }, words(pod, i, { state, ever }), solid, palette);
  }
  if (row >= 14) decisions(g, p, pod, box);
  if (row > 7) awaited(g, p, pod, box);
  if (found.text && !found.pods.has(keyOfPod({ run: p.r, set: p.s, pod: n }))) dim(g, y, row);
}

// guessed reports whether what begins at a stop only follows from what is assumed of a set.
function guessed(p, stop) {
  return p.set.assumed && +p.run.times[stop] > 0;
}

// dim takes back a lane that a search is not about.
function dim(g, y, row) {
  g.globalAlpha = 0.75;
  g.fillStyle = palette.bg;
  g.fillRect(area.left - 6, y, area.width, row);
  g.globalAlpha = 1;
}

// awaited marks a pod while the controller waits for it: in red where it waits for ever.
function awaited(g, p, pod, box) {
  const w = p.set.waits;
  for (const i of p.awaited.get(pod.name) || []) {
    const from = Math.max(area.left - 8, x(p.run.at[w[i + W_FROM]]));
    const ever = w[i + W_TO] < 0;
    const to = Math.min(area.right + 8, ever ? endOf(p.run) : x(p.run.at[w[i + W_TO]]));
    if (to - from < 3 || !ever) continue;
    g.strokeStyle = palette.bad;
    g.lineWidth = 2.5;
    g.strokeRect(from + 1, box.y - 0.5, to - from + 8, box.h + 1);
  }
}

// The words of kubectl that say no more than a state does; any other one is the better word.
const SHOWN = { Pending: "ContainerCreating", Running: "Running", Unready: "Running" };

function words(pod, i, { state, ever }) {
  const template = "@" + pod.bars[i + B_TEMPLATE];
  const status = data.words[pod.bars[i + B_STATUS]];
  const text = SHOWN[state] && SHOWN[state] !== status ? status : state;
  const times = pod.bars[i + B_CHANGES];
  // Many changes at one instant are what a livelock looks like.
  if (times > 8) return [times + " changes at once", "×" + times];
  const whose = pod.bars[i + B_BARE] ? template + " " + text + ", no owner" : "";
  const lasts = ever ? [template + " for ever: " + text, template + " " + text + " ∞", text + " ∞"] : [];
  return [...lasts, whose, template + " " + text, state === "Ready" ? template : text, template];
}

function decisions(g, p, pod, box) {
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const at = x(p.run.at[pod.bars[i]]);
    if (!inView(at)) continue;
    const actor = pod.bars[i + B_ACTOR],
      state = pod.bars[i + B_STATE];
    const made = state === PENDING && actor === CONTROLLER && pod.bars[i + B_BORN] === pod.bars[i];
    const deleted = state === TERMINATING && (actor === CONTROLLER || actor === USER);
    if (made || deleted) decision(g, at, box.y, box.h, made, actor === USER, palette);
    const bare = pod.bars[i + B_BARE];
    if (i && bare !== pod.bars[i - BAR + B_BARE]) ring(g, at, box.y + box.h / 2, !bare, palette);
  }
}

function states(pod) {
  const all = [];
  for (let i = 0; i < pod.bars.length; i += BAR) all.push(data.states[pod.bars[i + B_STATE]]);
  return all;
}
