// Where things are on the axis. An instant has a place between 0, where the runs begin, and 1, where what stays behind
// their ends has faded; the view is the part of the places that is shown.

const view = { from: 0, to: 1 };
const CLOSEST = 1e-6; // No view is narrower than this.
const PAPER = 760; // The width of the picture on paper, in pixels.
const STUB = 44; // The width of a folded creation, in pixels, where everything is in view.
let longest = 0; // The width of the longest name of a pod, in pixels, once it is known.
let area = null, // In pixels: width, and where places begin (left) and end (right).
  scale = null;

function measure() {
  // Paper has a width of its own: the style sheet fits the picture to the sheet.
  const width = onPaper() ? PAPER : $("plots").clientWidth;
  const most = width < 500 ? 92 : 200,
    widest = Math.max(Math.min(108, most), (longest ||= longestName()) + 16);
  // A name that does not fit is written without its set's, which stands in the caption of the figure.
  return { width, left: Math.min(widest, most), right: width - 6, brief: widest > most };
}

// longestName is the width of the longest name of a pod, as it is written of the pod that is chosen.
function longestName() {
  let longest = "";
  for (const run of data.runs) for (const set of run.sets) for (const pod of set.pods) {
    if (pod.name.length > longest.length) longest = pod.name;
  }
  const g = document.createElement("canvas").getContext("2d");
  g.font = NAME_CHOSEN;
  return g.measureText(longest).width;
}

// label is a pod's name beside its lane.
function label(set, pod) {
  return area.brief ? short(set, pod) : pod.name;
}

function unit(stop) {
  return reader.axis === "ticks" ? stop : stops[stop][0];
}

// lay settles what part of the places each stretch of time gets.
function lay() {
  const ticks = reader.axis === "ticks";
  const low = ticks ? 0 : Math.min(0, unit(0));
  const high = ticks ? stops.length - 1 : Math.max(...data.runs.map((run) => run.end - origin(run)), low + 1e-9);
  const room = Math.max(1, area.right - area.left);
  // What a run ends in needs room to be seen, although no time passes in it; more so where it lasts for ever. A dump in
  // which nothing happens is nothing else.
  const tail = high - low < 1e-6 ? 1 : data.runs.some(endless) ? 0.24 : Math.min(52 / room, 0.08);
  // A lesson on how a set is created must not fold that.
  const begun = data.lesson ? null : creationEnds();
  const fold = reader.folded && begun !== null && begun - low > (high - low) / 5 ? begun : low;
  return { low, high, fold, tail, stub: fold > low ? Math.min(STUB / room, 0.12) : 0, foldable: begun !== null };
}

// creationEnds is where the first of the runs does more than to create its sets; null where none does.
function creationEnds() {
  let first = null;
  for (const run of data.runs) {
    const step = run.steps.find((it) => !it.creates);
    if (!step || step.stop === 0) continue;
    const at = unit(run.at[step.stop]);
    if (first === null || at < first) first = at;
  }
  return first;
}

function place(u) {
  const { low, high, fold, tail, stub } = scale;
  if (u < fold) return (stub * (u - low)) / (fold - low);
  return stub + (high > fold ? ((1 - stub - tail) * (u - fold)) / (high - fold) : 0);
}

// unplace is the unit at a place.
function unplace(p) {
  const { low, high, fold, tail, stub } = scale;
  if (p < stub) return low + ((fold - low) * p) / stub;
  return Math.min(high, fold + ((high - fold) * (p - stub)) / Math.max(1e-12, 1 - stub - tail));
}

// across is where a place is in the figures, in pixels.
function across(p) {
  return area.left + ((area.right - area.left) * (p - view.from)) / (view.to - view.from);
}

// placeAcross is the place at a distance from the left of a figure.
function placeAcross(px) {
  return view.from + ((view.to - view.from) * (px - area.left)) / (area.right - area.left);
}

function x(stop) {
  return across(place(unit(stop)));
}

// xs is where each stop of a run is in the figures, in pixels; those that are not in view are infinitely far away. They
// are computed once for a view: a picture of 10,000 pods asks for them in each lane, each line and each wait.
function xs(run) {
  const key = viewKey();
  if (run.xsOf === key) return run.xs;
  const all = new Float64Array(run.at.length),
    first = lastUpTo(all.length, (i) => x(run.at[i]) < area.left - 8);
  all.fill(-Infinity, 0, Math.max(0, first));
  for (let i = Math.max(0, first); i < all.length; i++) {
    all[i] = x(run.at[i]);
    if (all[i] > area.right + 8) {
      all.fill(Infinity, i + 1);
      break;
    }
  }
  Object.assign(run, { xsOf: key, xs: all });
  return all;
}

// viewKey is the same as long as everything stands where it does in the figures.
function viewKey() {
  return [area.left, area.right, view.from, view.to, axisKey()].join();
}

// axisKey is the same as long as each instant has the place that it has.
function axisKey() {
  return [area.width, stops.length, reader.axis, reader.folded, reader.align, scale.low, scale.high].join();
}

// endOf is where the picture of a run ends: behind its last stop there is what it ends in.
function endOf(run) {
  return across(Math.min(1, place(unit(run.at[run.times.length - 1])) + scale.tail));
}

// stopAt is the stop that a place on the axis shows.
function stopAt(px) {
  return Math.max(
    0,
    lastUpTo(stops.length, (i) => x(i) <= px + 0.5),
  );
}

// The distances between the marks of an axis, in seconds: those that people count time by.
const DISTANCES = [
  0.0001, 0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400,
];

// axis lists the marks of the axis that are in view: place and text.
function axis() {
  const all = reader.axis === "time" ? timeMarks() : tickMarks();
  return all.filter(([at]) => at >= area.left - 1 && at <= area.right + 1);
}

function timeMarks() {
  const { low, high, fold } = scale;
  const stretches = fold > low ? [[low, fold], [fold, high]] : [[low, high]];
  return stretches.flatMap(([from, to]) => {
    const first = Math.max(from, unplace(view.from)),
      last = Math.min(to, unplace(view.to));
    const width = across(place(last)) - across(place(first));
    if (width < 60 || last <= first) return from === low && width > 14 ? [[across(place(from)), when(from)]] : [];
    const most = Math.max(2, Math.floor(width / 80));
    const distance =
      DISTANCES.find((d) => (last - first) / d <= most) || Math.ceil((last - first) / most / 86400) * 86400;
    const marks = [];
    for (let i = Math.ceil(first / distance - 1e-9); i * distance <= last + 1e-9; i++) {
      const t = Math.round(i * distance * 1e9) / 1e9;
      if (t !== to || to === high) marks.push([across(place(t)), when(t)]);
    }
    return marks;
  });
}

function tickMarks() {
  const first = stopAt(area.left),
    last = stopAt(area.right);
  const widest = 7 * Math.max(...stops.slice(-200).map(([t]) => when(t).length)) + 14;
  const room = (area.right - area.left) / Math.max(60, widest);
  const every = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, room)));
  const marks = [];
  for (let i = first - (first % every); i <= last; i += every) marks.push([x(i), when(stops[i][0])]);
  return marks;
}

// look shows a part of the places, and redraws once a frame.
function look(from, to) {
  const width = Math.min(1, Math.max(CLOSEST, to - from));
  view.from = Math.min(Math.max(0, from), 1 - width);
  view.to = view.from + width;
  redraw();
  remember();
}

// zoom makes the view narrower (by < 1) or wider around a place.
function zoom(by, around) {
  const at = around ?? Math.min(view.to, Math.max(view.from, place(unit(reader.stop))));
  look(at - (at - view.from) * by, at + (view.to - at) * by);
}

// pan moves the view by a part of its width.
function pan(by) {
  const width = view.to - view.from;
  look(view.from + by * width, view.to + by * width);
}

// reveal moves the view so that a stop is in it.
function reveal(stop) {
  const at = place(unit(stop)),
    width = view.to - view.from;
  if (at < view.from || at > view.to - width * 0.02) look(at - width * 0.4, at + width * 0.6);
}
