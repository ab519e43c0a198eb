// The page. One object holds where the reader is; everything on the page follows from it and from the data.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const BAR = 11,
  COUNT = 6,
  WAIT = 5,
  CHANGE = 3; // The lengths of the rows in the flat lists.
const [B_STOP, B_STATE, B_TEMPLATE, B_READY, B_STATUS, B_BORN, B_WHY, B_ACTOR, B_CHANGES, B_RESTARTS, B_BARE] =
  Array(BAR).keys();
const GONE = data.states.indexOf("Gone"),
  TERMINATING = data.states.indexOf("Terminating");
const PENDING = data.states.indexOf("Pending");
const USER = data.actors.indexOf("user"),
  CONTROLLER = data.actors.indexOf("controller");

// stops are the ticks of all runs on one axis: [instant, how many stops came before it at that instant].
const stops = joined();
const reader = { stop: stops.length - 1, run: 0, set: 0, pod: 0, axis: "time", playing: 0 };
let palette = colours();
const plots = [];

function joined() {
  const seen = new Map();
  for (const run of data.runs) {
    let before = 0;
    run.at = run.times.map((t, i) => {
      before = i > 0 && run.times[i - 1] === t ? before + 1 : 0;
      seen.set(t + "/" + before, [t, before]);
      return t + "/" + before;
    });
  }
  const all = [...seen.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const number = new Map(all.map(([t, n], i) => [t + "/" + n, i]));
  // A run's own stop i stands at run.at[i] of the axis.
  for (const run of data.runs) run.at = run.at.map((key) => number.get(key));
  return all;
}

// local is the run's own stop at a stop of the axis: its last one until then, or -1.
function local(run, stop) {
  return lastUpTo(run.at.length, (i) => run.at[i] <= stop);
}

// lastUpTo is the last of n things, in order, for which a condition holds that holds for all before it; -1 if none.
function lastUpTo(n, holds) {
  let low = 0,
    high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// barAt is the offset of a pod's bar at a run's own stop, -1 where there is no pod.
function barAt(pod, stop) {
  const i = lastUpTo(pod.bars.length / BAR, (k) => pod.bars[k * BAR] <= stop) * BAR;
  return i < 0 || pod.bars[i + B_STATE] === GONE ? -1 : i;
}

// changeAt is the offset of what a thing is at a run's own stop, -1 where there is no such thing.
function changeAt(thing, stop) {
  const c = thing.changes;
  const i = lastUpTo(c.length / CHANGE, (k) => c[k * CHANGE] <= stop) * CHANGE;
  return i < 0 || !data.words[c[i + 1]] ? -1 : i;
}

function el(tag, properties, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name in e && name !== "role") e[name] = value;
    else e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}
