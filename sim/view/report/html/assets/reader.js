// The data of the page, and where the reader is in it. Everything that is shown follows from the two.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const BAR = 11,
  COUNT = 7,
  WAIT = 6,
  CHANGE = 3; // The lengths of the rows in the flat lists.
const [B_STOP, B_STATE, B_TEMPLATE, B_READY, B_STATUS, B_BORN, B_WHY, B_ACTOR, B_CHANGES, B_RESTARTS, B_BARE] =
  Array(BAR).keys();
const [W_FROM, W_TO, W_LABEL, W_SENTENCE, W_RESTING, W_OBJECT] = Array(WAIT).keys();
const [C_STOP, C_DESIRED, C_READY, C_AVAILABLE, C_UPDATED, C_SERVING, C_NEEDED] = Array(COUNT).keys();
const GONE = data.states.indexOf("Gone"),
  TERMINATING = data.states.indexOf("Terminating");
const PENDING = data.states.indexOf("Pending"),
  READY = data.states.indexOf("Ready");
const USER = data.actors.indexOf("user"),
  CONTROLLER = data.actors.indexOf("controller");

// stops are the ticks of all runs on one axis: [instant, how many stops came before it at that instant].
let stops = [];
const reader = { stop: 0, run: 0, set: 0, pod: 0, axis: "time", align: "start", folded: true, playing: 0 };
let palette = colours();
const plots = [];

// join puts the ticks of all runs on one axis. Where the runs are aligned at a step, that step is at 0 in each of them.
function join() {
  const seen = new Map();
  for (const run of data.runs) {
    const shift = origin(run);
    let before = 0;
    run.at = run.times.map((text, i) => {
      before = i > 0 && run.times[i - 1] === text ? before + 1 : 0;
      const t = Math.round((text - shift) * 1e9) / 1e9;
      const key = t + "/" + before;
      seen.set(key, [t, before]);
      return key;
    });
  }
  stops = [...seen.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const number = new Map(stops.map(([t, n], i) => [t + "/" + n, i]));
  // A run's own stop i stands at run.at[i] of the axis.
  for (const run of data.runs) run.at = run.at.map((key) => number.get(key));
}

// origin is the instant of a run that stands at 0 of the axis.
function origin(run) {
  if (reader.align === "start") return 0;
  const step = run.steps.find((it) => !it.fault && it.number === Number(reader.align));
  return step ? +run.times[step.stop] : 0;
}

// when words an instant of the axis: one of the run, or the time from the step that the runs are aligned at.
function when(t) {
  if (reader.align === "start") return clock(t);
  return t < 0 ? "−" + clock(-t) : "+" + clock(t);
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

// barAt is the offset of a pod's bar at a run's own stop, -1 where there is no pod. A reader steps mostly to the
// neighbour of where they are, so the pod remembers where it was looked at last.
function barAt(pod, stop) {
  const b = pod.bars;
  let i = pod.last || 0;
  if (b[i] > stop || (i + BAR < b.length && b[i + BAR] <= stop)) {
    i = lastUpTo(b.length / BAR, (k) => b[k * BAR] <= stop) * BAR;
    if (i < 0) return -1;
    pod.last = i;
  }
  return b[i + B_STATE] === GONE ? -1 : i;
}

// changeAt is the offset of what a thing is at a run's own stop, -1 where there is no such thing.
function changeAt(thing, stop) {
  const c = thing.changes;
  const i = lastUpTo(c.length / CHANGE, (k) => c[k * CHANGE] <= stop) * CHANGE;
  return i < 0 || !data.words[c[i + 1]] ? -1 : i;
}

// endless says of a run whether it can never go on from how it ends.
function endless(run) {
  return run.verdict === "stuck" || run.verdict === "livelock";
}

// titleOf names a run and its version, which may be all that it is called, or how its name ends.
function titleOf(run) {
  if (run.name.endsWith(" on " + run.kubernetes)) return run.name;
  return run.name === run.kubernetes ? "Kubernetes " + run.name : run.name + " · " + run.kubernetes;
}

// short is a pod's name as it fits beside its set's: with its ordinal, whatever else has to go.
function short(set, pod) {
  return pod.name.startsWith(set.plain + "-") ? "…" + pod.name.slice(set.plain.length) : pod.name;
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
