// The figure of a set: the axis with its flags on top, the lanes, and what the controller waits for below.

function drawAll() {
  palette = colours();
  area = measure();
  scale = lay();
  // In a frame that is not shown there is no room to draw in.
  if (area.width <= 0) return;
  for (const p of plots) draw(p);
  drawMinimap();
  cursors();
}

let asked = 0;

// redraw draws everything once before the next frame, however often it is asked for.
function redraw() {
  if (!asked) {
    asked = requestAnimationFrame(() => {
      asked = 0;
      drawAll();
    });
  }
}

function onPaper() {
  return document.documentElement.classList.contains("paper");
}

const FIT = 480, // No picture of lanes is higher than this, in pixels,
  SHEET = 420, // and on paper this.
  LANES = 520, // More of it than this is seen by scrolling, as the style sheet says.
  MANY = 160, // More pods than this are drawn as crowds.
  PIN = 21; // The height of the lane of a pod that stands above the others.

function draw(p) {
  const n = Math.max(1, p.set.pods.length);
  // Paper does not scroll: there everything has to fit.
  const full = p.full && !onPaper();
  p.row = n <= 16 ? 26 : n <= 40 ? 15 : full ? 20 : FIT / n;
  if (onPaper()) p.row = Math.min(p.row, SHEET / n);
  if (p.compact && !full) p.row = Math.min(p.row, 18, 180 / n);
  p.crowded = n > MANY && !full;
  p.pinned = full || (p.row >= 14 && !p.crowded) || p.compact ? [] : pins(p);
  p.pinHeight = p.pinned.length ? p.pinned.length * PIN + 8 : 0;
  p.height = p.pinHeight + Math.ceil(n * p.row);
  p.space.style.height = p.height + "px";
  drawTop(p);
  drawLanes(p);
  drawBottom(p);
  p.bottomTop = undefined;
}

// drawTop draws the axis and the flags of the steps.
function drawTop(p) {
  const faults = p.steps.some((step) => step.fault);
  const height = faults ? 56 : 40;
  const g = fitted(p.top, area.width, height);
  g.font = "11px " + SANS;
  g.textBaseline = "alphabetic";
  drawStub(g, height);
  g.fillStyle = palette.muted;
  let written = 0;
  for (const [at, text] of axis()) {
    const half = g.measureText(text).width / 2,
      left = Math.min(Math.max(at - half, area.left), area.width - 2 * half);
    g.textAlign = "left";
    g.fillRect(at, height - 4, 1, 4);
    if (left < written) continue;
    g.fillText(text, left, height - 6);
    written = left + 2 * half + 4;
  }
  g.textAlign = "left";
  g.fillText(reader.axis === "time" ? "time" : "moment", 2, height - 6);
  let free = -1;
  for (const step of p.steps) {
    if (step.fault) continue;
    // Flags of one place are put beside each other.
    const at = Math.max(x(step.at), free);
    Object.assign(step, { x: at, y: 0 });
    if (!inView(at)) continue;
    flag(g, at, String(step.number), step.refusal ? palette.bad : palette.accent);
    free = at + 19;
  }
  drawFaults(g, p);
  drawFailures(g, p, height);
  hideFuture(g, p, height);
}

function inView(at) {
  return at >= area.left - 2 && at <= area.right + 1;
}

// drawStub says where the creation is folded.
function drawStub(g, height) {
  if (!(scale.stub > 0)) return;
  const from = Math.max(area.left, across(0)),
    to = across(scale.stub);
  if (to <= from + 4) return;
  g.save();
  g.beginPath();
  g.rect(from, 0, to - from, height);
  g.clip();
  stripes(g, from, height - 20, to - from, 18, palette.grid, 7);
  g.restore();
}

// drawFaults draws the faults, in a row of their own. Those of one place are one mark with their number.
function drawFaults(g, p) {
  const marks = [];
  for (const fault of p.steps.filter((step) => step.fault)) {
    const at = x(fault.at) - 8;
    const last = marks.at(-1);
    if (last && at - last.x < (last.n > 1 ? 34 : 17)) last.n++;
    else marks.push({ x: at, n: 1 });
    Object.assign(fault, { x: marks.at(-1).x, y: 20 });
  }
  for (const mark of marks) {
    if (!inView(mark.x + 8)) continue;
    warning(g, mark.x, 20, palette);
    if (mark.n === 1) continue;
    g.font = "700 11px " + SANS;
    g.textAlign = "left";
    g.fillStyle = palette.bad;
    g.fillText("×" + mark.n, mark.x + 18, 34);
  }
}

// drawFailures marks the instants at which an expectation failed, and where the run parts from the first.
function drawFailures(g, p, height) {
  for (const { stop } of p.run.failures) {
    const at = x(p.run.at[stop]);
    if (!inView(at)) continue;
    g.fillStyle = palette.bad;
    g.beginPath();
    g.moveTo(at, height);
    g.lineTo(at - 6, height - 9);
    g.lineTo(at + 6, height - 9);
    g.fill();
  }
}

// marksAt are the step, or the faults, whose mark is at a place of the axis.
function marksAt(p, left, y) {
  return p.steps.filter((s) => left >= s.x - 2 && left <= s.x + 18 && y >= s.y && y < s.y + 20);
}

function flag(g, at, text, colour) {
  g.fillStyle = colour;
  g.fillRect(at - 1, 2, 18, 16);
  g.fillStyle = palette.bg;
  g.font = "700 11px " + SANS;
  g.textAlign = "center";
  g.fillText(text, at + 8, 14);
}

// verticals draws what goes through all panels: the grid, where the user acted or something failed, where an expectation
// failed, and where runs part.
function verticals(g, p, height) {
  g.fillStyle = palette.grid;
  for (const [at] of axis()) g.fillRect(Math.round(at), 0, 1, height);
  g.lineWidth = 1.2;
  for (const fault of [false, true]) {
    upright(g, p.steps.filter((step) => !step.fault !== fault).map((step) => x(step.at)), height, {
      colour: fault ? palette.bad : palette.accent,
      dash: fault ? [1, 3] : [4, 3],
    });
  }
  upright(g, p.run.failures.map(({ stop }) => x(p.run.at[stop])), height, { colour: palette.bad, dash: [] });
  g.lineWidth = 3;
  upright(g, partings(p.run).map((stop) => x(stop)), height, { colour: palette.warn, dash: [8, 4] });
}

function upright(g, places, height, { colour, dash }) {
  g.strokeStyle = colour;
  g.setLineDash(dash);
  g.beginPath();
  for (const at of places) {
    if (!inView(at)) continue;
    g.moveTo(at, 0);
    g.lineTo(at, height);
  }
  g.stroke();
  g.setLineDash([]);
}

// drawLanes draws the lanes that can be seen. The canvas stays in view while its parent scrolls.
function drawLanes(p) {
  const height = Math.max(1, onPaper() ? p.height : Math.min(p.height, LANES));
  const g = fitted(p.lanes, area.width, height);
  // A step of the cursor asks for it too, and would have the browser lay the page out once more to know it.
  const top = (p.scrolled = p.scroller.scrollTop);
  verticals(g, p, height);
  const down = p.pinHeight - top;
  const first = Math.max(0, Math.floor(-down / p.row)),
    last = Math.min(p.set.pods.length, Math.ceil((height - down) / p.row));
  g.save();
  g.beginPath();
  g.rect(area.left - 6, 0, area.width - area.left + 6, height);
  g.clip();
  p.pinned.forEach((pod, i) => lane(g, p, pod, { y: i * PIN - top, row: PIN }));
  if (p.crowded) drawCrowds(g, p, down);
  else {
    for (let i = first; i < last; i++) lane(g, p, i, { y: i * p.row + down, row: p.row });
    if (p.row < THIN) for (let i = first; i < last; i++) trouble(g, p, p.set.pods[i], i * p.row + down);
  }
  drawPath(g, p, down);
  over(g, p, height);
  hideFuture(g, p, height);
  g.restore();
  names(g, p, { first, last, down, height, top });
}

// pins are the pods that stand above all others where these are drawn small: the one that was chosen, those that a
// search has found, and those that are in trouble, the ones that stay so first.
function pins(p) {
  const all = new Set();
  if (reader.run === p.r && reader.set === p.s) all.add(reader.pod);
  for (const hit of found.hits) {
    if (all.size > 5) break;
    if (hit.run === p.r && hit.set === p.s && hit.pod >= 0) all.add(hit.pod);
  }
  p.troubled ||= inTrouble(p);
  for (const pod of p.troubled) if (all.size < 8) all.add(pod);
  return [...all].sort((a, b) => a - b);
}

// inTrouble lists the pods that are not well, those that stay so at the end first, then those that have been so.
function inTrouble(p) {
  const stay = [],
    were = [];
  const over_ = endless(p.run);
  p.set.pods.forEach((pod, n) => {
    const end = pod.bars[pod.bars.length - BAR + B_STATE];
    if (over_ && end !== READY && end !== GONE) stay.push(n);
    else if (states(pod).some((state) => state === "Failed" || state === "Unready")) were.push(n);
  });
  return [...stay, ...were].slice(0, 8);
}

// names writes as many names of pods as there is room for.
function names(g, p, { first, last, down, height, top }) {
  g.textBaseline = "middle";
  g.textAlign = "left";
  const chosen = reader.run === p.r && reader.set === p.s ? reader.pod : -1;
  p.pinned.forEach((pod, i) => {
    name(g, label(p.set, p.set.pods[pod]), { y: i * PIN - top + PIN / 2, row: PIN, chosen: pod === chosen });
  });
  if (p.pinned.length) {
    g.fillStyle = palette.line;
    g.fillRect(0, p.pinHeight - top - 4, area.width, 1);
  }
  if (p.crowded) {
    crowdNames(g, p, down);
    return;
  }
  const every = Math.max(1, Math.ceil(15 / p.row));
  const middle = (i) => Math.min(Math.max((i + 0.5) * p.row + down, down + 7), height - 7);
  for (let i = first; i < last; i++) {
    const y = (i + 0.5) * p.row + down;
    const crowded = chosen >= 0 && i !== chosen && Math.abs(middle(i) - middle(chosen)) < 14;
    const hidden = every === 1 && (y < 6 || y > height - 6) && p.row > 12;
    if (hidden || (i !== chosen && (i % every !== 0 || crowded))) continue;
    name(g, label(p.set, p.set.pods[i]), { y: middle(i), row: Math.max(p.row, 3), chosen: i === chosen });
  }
}

const NAME_CHOSEN = "700 12px " + SANS;

function name(g, text, { y, row, chosen }) {
  if (chosen) {
    g.fillStyle = palette.accent;
    g.fillRect(0, y - row / 2, 3, row);
  }
  g.font = row < 14 ? (chosen ? "700 " : "") + "10.5px " + SANS : chosen ? NAME_CHOSEN : "12px " + SANS;
  g.fillStyle = chosen ? palette.accent : palette.ink;
  clipped(g, text, 7, y, area.left - 14);
}

// over fades what lies after the end of a run that is shorter than the others: nothing changes there any more. What
// lasts for ever fades away to the right.
function over(g, p, height) {
  const end = endOf(p.run);
  if (end < area.right - 1) {
    g.globalAlpha = 0.72;
    g.fillStyle = palette.bg;
    g.fillRect(end, 0, area.width - end, height);
    g.globalAlpha = 1;
  }
  if (!endless(p.run)) return;
  const from = end - (across(scale.tail) - across(0)) * 0.3;
  if (from > area.right) return;
  g.fillStyle = palette.bg;
  const strips = 24,
    w = (end + 6 - from) / strips;
  for (let i = 0; i < strips; i++) {
    g.globalAlpha = i / strips;
    g.fillRect(from + i * w, 0, w + 0.5, height);
  }
  g.globalAlpha = 1;
}
