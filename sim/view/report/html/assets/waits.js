// What stands below the lanes: nodes that change, and what the controller waits for.

const MAX_WAITS = 6,
  WAIT_ROW = 19,
  CHART = 96,
  MAX_BANDS = 10;

// rows packs the waits so that none overlaps: a row number each, from 1 on in rowOf, which is 0 for those that are not in
// view. What rests by the spec is not held up and comes last. Of waits that share a pixel the first one is drawn.
function rows(p) {
  const ends = [],
    pixels = [];
  p.waits = [];
  const w = p.set.waits,
    all = xs(p.run);
  p.rowOf = new Int32Array(w.length / WAIT);
  for (let i = 0; i < w.length; i += WAIT) {
    const from = all[w[i + W_FROM]];
    const to = w[i + W_TO] < 0 ? area.right + 4 : all[w[i + W_TO]];
    if (to <= from || to < area.left || from > area.right) continue;
    let row = ends.findIndex((end) => end <= from + 0.5);
    if (row < 0) row = ends.length;
    ends[row] = to;
    p.rowOf[i / WAIT] = row + 1;
    const pixel = Math.round(Math.max(from, area.left));
    if (to - from < 1 && pixels[row] === pixel) continue;
    pixels[row] = pixel;
    p.waits.push({ i, from: Math.max(from, area.left), to: Math.min(to, area.right + 4), row });
  }
  return Math.min(ends.length, MAX_WAITS);
}

function drawBottom(p) {
  p.bottom.hidden = Boolean(p.compact);
  if (p.compact) return;
  // A search, and to choose a pod, draw the lanes alone.
  const key = [viewKey(), palette.bg, palette.ink, devicePixelRatio, onPaper(), curtain.drawn && curtain.upTo].join();
  if (p.bottomKey === key) return;
  p.bottomKey = key;
  const count = rows(p);
  p.waitRows = count;
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
  for (const wait of p.waits) if (wait.row < count) drawWait(g, p, wait);
  drawCounts(g, p, p.chart);
  over(g, p, height);
  hideFuture(g, p, height);
}

function drawWait(g, p, wait) {
  const w = p.set.waits;
  const resting = w[wait.i + W_RESTING] === 1,
    ever = w[wait.i + W_TO] < 0 && !resting && endless(p.run);
  const y = p.waitsAt + wait.row * WAIT_ROW + 4;
  const box = { x: wait.from, y, w: Math.max(1, wait.to - wait.from), h: WAIT_ROW - 4 };
  g.globalAlpha = 0.18;
  g.fillStyle = resting ? palette.rest : ever ? palette.bad : palette.warn;
  g.fillRect(box.x, box.y, box.w, box.h);
  g.globalAlpha = 1;
  // Where waits are dense, their beginnings would hide them.
  if (box.w >= 5) g.fillRect(box.x, box.y, 1.5, box.h);
  if (box.w < 16) return; // To measure words for which there is no room takes most of a zoom at 10,000 pods.
  const text = data.words[w[wait.i + W_LABEL]],
    pod = data.words[w[wait.i + W_OBJECT]];
  // What is left of a text must be true by itself: "Ready" alone would be the opposite of a wait for it.
  const texts = [text, ...(text.startsWith("not complete") ? ["until " + pod] : text.startsWith("until") ? ["for " + pod] : [])];
  if (ever) texts.unshift("never ends: " + text);
  wordsIn(g, box, texts);
}

// wordsIn writes the longest of some texts that fits into a box.
function wordsIn(g, box, texts) {
  g.font = "11px " + SANS;
  g.textBaseline = "middle";
  g.textAlign = "left";
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

// drawBand draws what becomes of a node, or of a process without a pod. A line is a node that is well.
function drawBand(g, p, thing, y) {
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.font = "12px " + SANS;
  g.fillStyle = palette.ink;
  clipped(g, thing.name + (thing.kind === "process" ? " process" : ""), 7, y + WAIT_ROW / 2 - 2, area.left - 12);
  const inside = (at) => Math.min(area.right + 4, Math.max(area.left, at));
  const c = thing.changes;
  if (thing.kind === "node") healthy(g, area.left, inside(x(p.run.at[c[0]])), y);
  for (let i = 0; i < c.length; i += CHANGE) {
    const from = inside(x(p.run.at[c[i]]));
    const to = i + CHANGE < c.length ? inside(x(p.run.at[c[i + CHANGE]])) : area.right + 4;
    const text = data.words[c[i + 1]],
      tone = data.tones[c[i + 2]];
    if (to <= area.left) continue;
    if (text && tone === "plain") healthy(g, from, to, y);
    else if (text) ill(g, { x: from, y, w: Math.max(2, to - from), h: WAIT_ROW - 4 }, text, { thing, tone });
  }
}

function healthy(g, from, to, y) {
  g.fillStyle = palette.rest;
  g.fillRect(from, y + WAIT_ROW / 2 - 3, to - from, 1.5);
}

function ill(g, box, text, { thing, tone }) {
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
