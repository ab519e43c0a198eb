// The chart of how many pods serve, which is what users of the set notice.

// Lines are told apart by their dashes as well as by their colours, which are none of those of revisions.
const LINES = [
  [(c, i) => c[i + C_DESIRED], "desired", "muted", [], 1.2],
  [(c, i) => c[i + C_NEEDED], "budget needs", "warn", [8, 3, 2, 3], 1.5],
  [quorum, "quorum", "ink", [10, 4], 1.2],
  [(c, i) => c[i + C_UPDATED], "updated", "ink", [1, 3], 1.5],
];

// quorum is the majority of the replicas, which a set of members that vote needs; of a set too small or too large for
// such members it is 0.
function quorum(c, i) {
  const n = c[i + C_DESIRED];
  return n >= 3 && n <= 9 ? (n >> 1) + 1 : 0;
}

function drawCounts(g, p, top) {
  const c = p.set.counts,
    most = (p.most ||= mostOf(c));
  p.lines ||= LINES.filter(([of]) => drawn(c, of));
  const ground = top + CHART - 10;
  const y = (n) => ground - ((CHART - 26) * n) / most;
  g.font = "11px " + SANS;
  g.textBaseline = "middle";
  g.fillStyle = palette.muted;
  g.textAlign = "right";
  g.fillText(String(most), area.left - 5, y(most));
  if (most > 0) g.fillText("0", area.left - 5, y(0));
  serving(g, p, y);
  g.fillStyle = palette.muted;
  g.fillRect(area.left, ground, area.right - area.left, 1);
  p.lines.forEach(([of, , colour, dash, width]) => {
    g.strokeStyle = palette[colour];
    line(g, p, { of, y, dash, width });
  });
  fewest(g, p, y);
  keyOf(g, p, top);
}

function mostOf(c) {
  let most = 1;
  for (let i = 0; i < c.length; i++) if (i % COUNT) most = Math.max(most, c[i]);
  return most;
}

// drawn says whether a line says anything: a set without a budget has no line of it.
function drawn(c, of) {
  for (let i = 0; i < c.length; i += COUNT) if (of(c, i) > 0) return true;
  return false;
}

// keyOf names the lines, left of the chart, below the number that stands there at its top where there is no room beside it.
function keyOf(g, p, top) {
  g.font = "11px " + SANS;
  const room = area.left - 27 - g.measureText(String(p.most)).width - 9;
  let row = room < g.measureText("serving").width ? 1 : 0;
  const text = (name, paint) => {
    const middle = top + 20 + row++ * 14;
    paint(middle);
    g.setLineDash([]);
    g.fillStyle = palette.ink;
    g.textAlign = "left";
    g.font = "11px " + SANS;
    clipped(g, name, 27, middle, area.left - 30);
  };
  text("serving", (middle) => {
    g.fillStyle = palette.area;
    g.fillRect(7, middle - 5, 16, 10);
    g.fillStyle = palette.good;
    g.fillRect(7, middle - 5, 16, 2);
  });
  for (const [, name, colour, dash, width] of p.lines) {
    text(name, (middle) => {
      g.strokeStyle = palette[colour];
      g.lineWidth = width;
      g.setLineDash(dash);
      g.beginPath();
      g.moveTo(7, middle);
      g.lineTo(23, middle);
      g.stroke();
    });
  }
}

// seriesOf is where a count of a set changes, and to what: that is kept, since most counts seldom change.
function seriesOf(p, of) {
  p.series ||= new Map();
  let series = p.series.get(of);
  if (series) return series;
  series = { stops: [], values: [] };
  const c = p.set.counts;
  for (let i = 0; i < c.length; i += COUNT) {
    const value = of(c, i);
    if (value === series.values.at(-1)) continue;
    series.stops.push(c[i]);
    series.values.push(value);
  }
  p.series.set(of, series);
  return series;
}

// path follows a count over time, as far as it is in view. Of what changes within a pixel the least, the most and the
// last are seen.
function path(g, p, of, y) {
  const { stops: at_, values } = seriesOf(p, of),
    all = xs(p.run);
  const inside = (at) => Math.min(area.right + 4, Math.max(area.left, at));
  if (!at_.length) return [area.left, area.left];
  // What was there before the view begins is over: the line begins with the last of it.
  const begun = Math.max(0, lastUpTo(at_.length, (k) => all[at_[k]] <= area.left));
  const begin = inside(all[at_[begun]]);
  let now = values[begun],
    pixel = Math.round(begin),
    last = begin,
    least = now,
    most = now;
  g.moveTo(begin, y(now));
  for (let i = begun + 1; i < at_.length && all[at_[i]] <= area.right + 4; i++) {
    const at = inside(all[at_[i]]),
      next = values[i];
    if (Math.round(at) !== pixel) {
      g.lineTo(last, y(now));
      g.lineTo(at, y(now));
      pixel = Math.round(at);
      least = most = now;
    }
    if (next < least || next > most) g.lineTo(at, y(next));
    least = Math.min(least, next);
    most = Math.max(most, next);
    now = next;
    last = at;
  }
  g.lineTo(last, y(now));
  const end = inside(endOf(p.run));
  g.lineTo(end, y(now));
  return [begin, end];
}

const servingAt = (c, i) => c[i + C_SERVING];

function serving(g, p, y) {
  g.beginPath();
  const [begin, end] = path(g, p, servingAt, y);
  g.strokeStyle = palette.good;
  g.lineWidth = 2;
  g.stroke();
  g.lineTo(end, y(0));
  g.lineTo(begin, y(0));
  g.fillStyle = palette.area;
  g.fill();
}

function line(g, p, { of, y, dash, width }) {
  g.lineWidth = width;
  g.setLineDash(dash);
  g.beginPath();
  path(g, p, of, y);
  g.stroke();
  g.setLineDash([]);
}

// fewest marks where the fewest pods served, once the set had been complete.
function fewest(g, p, y) {
  const { fewest: least, fewestAt } = p.set;
  if (fewestAt === undefined) return;
  const at = x(p.run.at[fewestAt]);
  if (!inView(at)) return;
  const text = "fewest " + least;
  g.font = "700 11px " + SANS;
  g.textBaseline = "bottom";
  const width = g.measureText(text).width;
  const left = Math.min(Math.max(at, area.left), area.right - width - 6);
  g.fillStyle = palette.bg;
  g.globalAlpha = 0.8;
  g.fillRect(left + 2, y(least) - 16, width + 4, 14);
  g.globalAlpha = 1;
  g.fillStyle = palette.ink;
  g.textAlign = "left";
  g.fillText(text, left + 4, y(least) - 3);
  g.beginPath();
  g.arc(at, y(least), 3.5, 0, 7);
  g.fill();
  g.textBaseline = "middle";
}
