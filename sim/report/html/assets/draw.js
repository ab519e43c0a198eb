// Drawing the page.

function drawAll() {
  palette = colours();
  area = measure();
  legend();
  for (const p of plots) draw(p);
  cursors();
}

function onPaper() {
  return document.documentElement.classList.contains("paper");
}

const FIT = 480; // No picture of lanes is higher than this, in pixels.

function draw(p) {
  const n = Math.max(1, p.set.pods.length);
  // Paper does not scroll: there everything has to fit.
  p.row = n <= 16 ? 26 : n <= 32 ? 15 : p.full && !onPaper() ? 20 : FIT / n;
  p.space.style.height = n * p.row + "px";
  drawTop(p);
  drawLanes(p);
  drawBottom(p);
}

// drawTop draws the axis and the flags of the steps.
function drawTop(p) {
  const faults = p.run.steps.some((step) => step.fault);
  const height = faults ? 56 : 40;
  const g = fitted(p.top, area.width, height);
  g.font = "11px " + SANS;
  g.textBaseline = "alphabetic";
  g.fillStyle = palette.muted;
  g.textAlign = "center";
  for (const [at, text] of axis()) {
    g.fillText(text, Math.max(at, area.left + 8), height - 6);
    g.fillRect(at, height - 4, 1, 4);
  }
  g.textAlign = "left";
  g.fillText(reader.axis === "time" ? "time" : "tick", 2, height - 6);
  let free = -1;
  for (const step of p.run.steps) {
    if (step.fault) continue;
    // Flags of one place are put beside each other.
    const at = Math.max(x(step.at), free);
    Object.assign(step, { x: at, y: 0 });
    flag(g, at, String(step.number), step.refusal ? palette.bad : palette.accent);
    free = at + 19;
  }
  drawFaults(g, p);
}

// drawFaults draws the faults, in a row of their own. Those of one place are one mark with their number.
function drawFaults(g, p) {
  const marks = [];
  for (const fault of p.run.steps.filter((step) => step.fault)) {
    const at = x(fault.at) - 8;
    const last = marks.at(-1);
    if (last && at - last.x < (last.n > 1 ? 34 : 17)) last.n++;
    else marks.push({ x: at, n: 1 });
    Object.assign(fault, { x: marks.at(-1).x, y: 20 });
  }
  for (const mark of marks) {
    warning(g, mark.x, 20, palette);
    if (mark.n === 1) continue;
    g.font = "700 11px " + SANS;
    g.textAlign = "left";
    g.fillStyle = palette.bad;
    g.fillText("×" + mark.n, mark.x + 18, 34);
  }
}

// marksAt are the step, or the faults, whose mark is at a place of the axis.
function marksAt(p, left, y) {
  return p.run.steps.filter((s) => left >= s.x - 2 && left <= s.x + 18 && y >= s.y && y < s.y + 20);
}

function flag(g, at, text, colour) {
  g.fillStyle = colour;
  g.fillRect(at - 1, 2, 18, 16);
  g.fillStyle = palette.bg;
  g.font = "700 11px " + SANS;
  g.textAlign = "center";
  g.fillText(text, at + 8, 14);
}

// axis lists the marks of the axis: place and text.
function axis() {
  if (reader.axis === "time") return marks(longest, area.right - area.left).map((t) => [xOf(t), clock(t)]);
  const widest = 7 * Math.max(...stops.slice(-200).map(([t]) => clock(t).length)) + 14;
  const every = Math.max(1, Math.ceil(stops.length / Math.max(1, (area.right - area.left) / Math.max(60, widest))));
  const all = [];
  for (let i = 0; i < stops.length; i += every) all.push([x(i), clock(stops[i][0])]);
  return all;
}

// verticals draws what goes through all panels: the grid, and where the user acted or something failed.
function verticals(g, p, height) {
  g.fillStyle = palette.grid;
  for (const [at] of axis()) g.fillRect(Math.round(at), 0, 1, height);
  g.lineWidth = 1.2;
  for (const fault of [false, true]) {
    g.strokeStyle = fault ? palette.bad : palette.accent;
    g.setLineDash(fault ? [1, 3] : [4, 3]);
    g.beginPath();
    for (const step of p.run.steps) {
      if (!step.fault === fault) continue;
      g.moveTo(x(step.at), 0);
      g.lineTo(x(step.at), height);
    }
    g.stroke();
  }
  g.setLineDash([]);
}

// drawLanes draws the lanes that can be seen. The canvas stays in view while its parent scrolls.
function drawLanes(p) {
  const total = Math.ceil(p.set.pods.length * p.row);
  const height = Math.max(1, onPaper() ? total : Math.min(total, 520));
  const g = fitted(p.lanes, area.width, height);
  const top = p.scroller.scrollTop;
  verticals(g, p, height);
  const first = Math.max(0, Math.floor(top / p.row)),
    last = Math.min(p.set.pods.length, Math.ceil((top + height) / p.row));
  g.save();
  g.beginPath();
  g.rect(area.left - 6, 0, area.width - area.left + 6, height);
  g.clip();
  for (let i = first; i < last; i++) lane(g, p, p.set.pods[i], i * p.row - top);
  if (p.row < THIN) for (let i = first; i < last; i++) trouble(g, p, p.set.pods[i], i * p.row - top);
  over(g, p, height);
  g.restore();
  names(g, p, { first, last, top, height });
}

// names writes as many names of pods as there is room for.
function names(g, p, { first, last, top, height }) {
  const every = Math.max(1, Math.ceil(15 / p.row));
  const chosen = reader.run === p.r && reader.set === p.s ? reader.pod : -1;
  g.textBaseline = "middle";
  g.textAlign = "left";
  const middle = (i) => Math.min(Math.max((i + 0.5) * p.row - top, 7), height - 7);
  for (let i = first; i < last; i++) {
    const y = (i + 0.5) * p.row - top;
    if (i === chosen) {
      g.fillStyle = palette.accent;
      g.fillRect(0, y - Math.max(p.row, 3) / 2, 3, Math.max(p.row, 3));
    }
    const crowded = chosen >= 0 && i !== chosen && Math.abs(middle(i) - middle(chosen)) < 14;
    const hidden = every === 1 && (y < 6 || y > height - 6);
    if (hidden || (i !== chosen && (i % every !== 0 || crowded))) continue;
    g.font = (i === chosen ? "700 " : "") + "12px " + SANS;
    g.fillStyle = i === chosen ? palette.accent : palette.ink;
    clipped(g, p.set.pods[i].name, 7, middle(i), area.left - 14);
  }
}

// span is where a bar stands on the axis. What is left at the end of a run stays; seen is how much of it is not faded.
function span(p, pod, i) {
  const from = x(p.run.at[pod.bars[i]]);
  if (i + BAR < pod.bars.length) {
    const w = x(p.run.at[pod.bars[i + BAR]]) - from;
    return { x: from, w, seen: w };
  }
  const end = x(p.run.at[p.run.times.length - 1]) + area.tail - 6;
  return { x: from, w: area.right + area.tail - 6 - from, seen: end - from };
}

// over fades what lies after the end of a run that is shorter than the others: nothing changes there any more.
function over(g, p, height) {
  const end = x(p.run.at[p.run.times.length - 1]) + area.tail - 6;
  if (end >= area.right) return;
  g.globalAlpha = 0.72;
  g.fillStyle = palette.bg;
  g.fillRect(end, 0, area.width - end, height);
  g.globalAlpha = 1;
}

// In lanes thinner than this, in pixels, a single pod in trouble would be lost among its neighbours.
const THIN = 4;

function trouble(g, p, pod, y) {
  g.fillStyle = palette.bad;
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const state = data.states[pod.bars[i + B_STATE]];
    if (state !== "Failed" && state !== "Unready") continue;
    const box = span(p, pod, i);
    g.fillRect(box.x, Math.round(y), Math.max(1, box.w), 2);
  }
}

// lane draws a pod's states, one after the other, and what was decided about it on top of them.
function lane(g, p, pod, y) {
  const gap = p.row > 10 ? 2.5 : p.row > 7 ? 0.5 : 0;
  const box = { y: y + gap, h: p.row - 2 * gap };
  // Thin lanes end on whole pixels: there must be no seams between them.
  if (p.row <= 7) Object.assign(box, { y: Math.round(y), h: Math.max(1, Math.round(y + p.row) - Math.round(y)) });
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const state = data.states[pod.bars[i + B_STATE]];
    if (state === "Gone") continue;
    Object.assign(box, span(p, pod, i));
    if (box.w <= 0) continue;
    bar(g, box, state, palette.template(pod.bars[i + B_TEMPLATE]), palette);
    if (pod.bars[i + B_BARE] && p.row >= 7) veil(g, box, palette);
    const solid = state === "Ready" && !pod.bars[i + B_BARE];
    if (p.row >= 14) caption(g, { ...box, w: box.seen }, words(pod, i, state), solid, palette);
  }
  if (p.row >= 14) decisions(g, p, pod, box);
}

// The words of kubectl that say no more than a state does; any other one is the better word.
const SHOWN = { Pending: "ContainerCreating", Running: "Running", Unready: "Running" };

function words(pod, i, state) {
  const template = "@" + pod.bars[i + B_TEMPLATE];
  const status = data.words[pod.bars[i + B_STATUS]];
  const text = SHOWN[state] && SHOWN[state] !== status ? status : state;
  const times = pod.bars[i + B_CHANGES];
  // Many changes at one instant are what a livelock looks like.
  if (times > 8) return [times + " changes at once", "×" + times];
  const whose = pod.bars[i + B_BARE] ? template + " " + text + ", no owner" : "";
  return [whose, template + " " + text, state === "Ready" ? template : text, template];
}

function decisions(g, p, pod, box) {
  for (let i = 0; i < pod.bars.length; i += BAR) {
    const actor = pod.bars[i + B_ACTOR],
      state = pod.bars[i + B_STATE];
    const made = state === PENDING && actor === CONTROLLER && pod.bars[i + B_BORN] === pod.bars[i];
    const deleted = state === TERMINATING && (actor === CONTROLLER || actor === USER);
    if (made || deleted) decision(g, x(p.run.at[pod.bars[i]]), box.y, box.h, made, actor === USER, palette);
    const bare = pod.bars[i + B_BARE];
    if (i && bare !== pod.bars[i - BAR + B_BARE]) ring(g, x(p.run.at[pod.bars[i]]), box.y + box.h / 2, !bare, palette);
  }
}

// rows packs the waits so that none overlaps: a row number each. What rests by the spec is not held up and comes last.
function rows(p) {
  const ends = [];
  p.waits = [];
  const w = p.set.waits;
  for (let i = 0; i < w.length; i += WAIT) {
    const from = x(p.run.at[w[i]]);
    const to = w[i + 1] < 0 ? area.right + area.tail - 6 : x(p.run.at[w[i + 1]]);
    if (to <= from) continue;
    let row = ends.findIndex((end) => end <= from + 0.5);
    if (row < 0) row = ends.length;
    ends[row] = to;
    p.waits.push({ i, from, to, row });
  }
  return Math.min(ends.length, MAX_WAITS);
}

const MAX_WAITS = 6,
  WAIT_ROW = 19,
  CHART = 84;

function drawBottom(p) {
  const count = rows(p);
  p.waitsAt = p.bands.length * WAIT_ROW + (p.bands.length ? 6 : 0);
  p.chart = p.waitsAt + count * WAIT_ROW + (count ? 8 : 2);
  const height = p.chart + CHART;
  const g = fitted(p.bottom, area.width, height);
  verticals(g, p, height);
  g.font = "12px " + SANS;
  g.textBaseline = "middle";
  g.fillStyle = palette.muted;
  if (count) clipped(g, "waits", 7, p.waitsAt + WAIT_ROW / 2 + 4, area.left - 12);
  p.bands.forEach((thing, row) => drawBand(g, p, thing, row * WAIT_ROW + 4));
  for (const wait of p.waits) {
    if (wait.row < count) drawWait(g, p, wait);
  }
  drawCounts(g, p, p.chart);
  over(g, p, height);
}

function drawWait(g, p, wait) {
  const w = p.set.waits;
  const resting = w[wait.i + 4] === 1;
  const y = p.waitsAt + wait.row * WAIT_ROW + 4;
  const box = { x: wait.from, y, w: Math.max(1, wait.to - wait.from), h: WAIT_ROW - 4 };
  g.globalAlpha = 0.18;
  g.fillStyle = resting ? palette.rest : palette.warn;
  g.fillRect(box.x, box.y, box.w, box.h);
  g.globalAlpha = 1;
  // Where waits are dense, their beginnings would hide them.
  if (box.w >= 5) g.fillRect(box.x, box.y, 1.5, box.h);
  const text = data.words[w[wait.i + 2]];
  const [code, pod] = text.split(" ");
  const texts = [text, pod ? "… " + pod : code, pod];
  g.font = "11px " + SANS;
  g.fillStyle = palette.ink;
  const fits = texts.find((t) => t && g.measureText(t).width + 8 <= box.w);
  if (fits) g.fillText(fits, box.x + 5, box.y + box.h / 2 + 0.5);
}

// bandsOf are the nodes that change and on which the set has pods, and the processes that have the names of its pods and
// are no pods. A node without pods stands beside the first set.
function bandsOf(run, set, s) {
  const on = (of, thing) => (of.nodes || []).includes(thing.name);
  const bare = (thing) => s === 0 && !run.sets.some((of) => on(of, thing));
  const mine = (thing) => thing.kind === "process" && set.pods.some((pod) => pod.name === thing.name);
  const shown = (run.things || []).filter((thing) =>
    thing.kind === "node" ? on(set, thing) || bare(thing) : mine(thing),
  );
  return shown.sort((a, b) => (a.kind < b.kind) - (a.kind > b.kind)).slice(0, MAX_BANDS);
}

const MAX_BANDS = 10;

// drawBand draws what becomes of a node, or of a process without a pod. A line is a node that is well.
function drawBand(g, p, thing, y) {
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.font = "12px " + SANS;
  g.fillStyle = palette.ink;
  clipped(g, thing.name + (thing.kind === "process" ? " process" : ""), 7, y + WAIT_ROW / 2 - 2, area.left - 12);
  const c = thing.changes;
  const end = area.right + area.tail - 6;
  if (thing.kind === "node") healthy(g, area.left, x(p.run.at[c[0]]), y);
  for (let i = 0; i < c.length; i += CHANGE) {
    const from = x(p.run.at[c[i]]);
    const to = i + CHANGE < c.length ? x(p.run.at[c[i + CHANGE]]) : end;
    const text = data.words[c[i + 1]],
      tone = data.tones[c[i + 2]];
    if (text && tone === "plain") healthy(g, from, to, y);
    else if (text) ill(g, { x: from, y, w: Math.max(2, to - from), h: WAIT_ROW - 4 }, text, thing, tone);
  }
}

function healthy(g, from, to, y) {
  g.fillStyle = palette.rest;
  g.fillRect(from, y + WAIT_ROW / 2 - 3, to - from, 1.5);
}

function ill(g, box, text, thing, tone) {
  // Two processes of one identity are what must not be: nothing else on the page is filled with red.
  const solid = thing.kind === "process" && tone === "wrong";
  g.fillStyle = tone === "wrong" ? palette.bad : palette.warn;
  g.globalAlpha = solid ? 1 : 0.2;
  g.fillRect(box.x, box.y, box.w, box.h);
  g.globalAlpha = 1;
  if (box.w >= 5) g.fillRect(box.x, box.y, 1.5, box.h);
  g.font = (solid ? "700 " : "") + "11px " + SANS;
  g.fillStyle = solid ? palette.bg : palette.ink;
  const parts = text.split(", ");
  const texts = [...parts.map((_, k) => parts.slice(0, parts.length - k).join(", ")), solid ? "×2" : ""];
  const fits = texts.find((t) => t && g.measureText(t).width + 8 <= box.w);
  if (fits) g.fillText(fits, box.x + 5, box.y + box.h / 2 + 0.5);
}

// The counts are told apart by their dashes as well as by their colours.
const LINES = [
  [1, "desired", "muted", [2, 3], 1.5],
  [2, "ready", "t1", [], 2.4],
  [3, "available", "good", [7, 3], 2],
  [4, "updated", "t2", [2, 2, 7, 2], 2],
];

function drawCounts(g, p, top) {
  const c = p.set.counts;
  let most = 1;
  for (let i = 0; i < c.length; i++) if (i % COUNT) most = Math.max(most, c[i]);
  const y = (n) => top + CHART - 8 - ((CHART - 20) * n) / most;
  g.font = "11px " + SANS;
  g.fillStyle = palette.muted;
  g.textAlign = "right";
  g.fillText(String(most), area.left - 5, y(most));
  g.fillText("0", area.left - 5, y(0));
  g.fillRect(area.left, y(0), area.width - area.left, 1);
  const style = getComputedStyle(document.documentElement);
  LINES.forEach(([field, name, colour, dash, width], n) => {
    g.strokeStyle = g.fillStyle = style.getPropertyValue("--" + colour).trim();
    g.textAlign = "left";
    line(g, p, field, y, dash, width);
    const middle = top + 12 + n * 15;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(7, middle + 8);
    g.lineTo(23, middle + 8);
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = palette.ink;
    clipped(g, name, 27, middle + 8, Math.max(30, area.left - 48));
  });
}

function line(g, p, field, y, dash, width) {
  const c = p.set.counts;
  g.lineWidth = width;
  g.setLineDash(dash);
  g.beginPath();
  let before = null;
  for (let i = 0; i < c.length; i += COUNT) {
    const at = x(p.run.at[c[i]]);
    if (before === null) g.moveTo(at, y(c[i + field]));
    else g.lineTo(at, before);
    before = y(c[i + field]);
    g.lineTo(at, before);
  }
  if (before !== null) g.lineTo(area.right + area.tail - 6, before);
  g.stroke();
  g.setLineDash([]);
}
