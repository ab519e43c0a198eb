// Where the reader goes, and the address that leads there again.

// go takes the reader somewhere, and shows it.
function go(to) {
  const before = { ...reader };
  Object.assign(reader, to);
  reader.stop = Math.min(Math.max(reader.stop, 0), stops.length - 1);
  const run = data.runs[reader.run];
  reader.set = Math.min(reader.set, Math.max(0, run.sets.length - 1));
  const set = run.sets[reader.set];
  reader.pod = Math.min(Math.max(reader.pod, 0), set ? Math.max(0, set.pods.length - 1) : 0);
  if (before.stop !== reader.stop) reveal(reader.stop);
  if (before.run !== reader.run || before.set !== reader.set || before.pod !== reader.pod) chosen(before);
  show();
  remember();
}

// chosen redraws the figures that another choice changes.
function chosen(before) {
  for (const p of plots) {
    const is = p.r === reader.run && p.s === reader.set,
      was = p.r === before.run && p.s === before.set;
    if (!is && !was) continue;
    if (p.pinned.length) draw(p);
    else drawLanes(p);
    if (is) follow(p);
  }
  drawMinimap();
}

// follow scrolls the lanes so that the chosen pod can be seen.
function follow(p) {
  if (p.crowded || p.pinned.length) return;
  const y = p.pinHeight + reader.pod * p.row,
    view_ = p.scroller;
  if (y < view_.scrollTop) view_.scrollTop = y;
  if (y + p.row > view_.scrollTop + view_.clientHeight) view_.scrollTop = y + p.row - view_.clientHeight;
}

// address is the fragment that leads to a stop of a run.
function address(run, stop) {
  return "#run=" + (data.runs[run].n + 1) + "&tick=" + (stop + 1);
}

let remembering = 0;

// remember writes the place into the address, so that a link leads there. A page in a frame may not be allowed to, and
// no page too often.
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (parent !== window) parent.postMessage({ place: place_() }, "*");
    try {
      history.replaceState(null, "", place_());
    } catch (refused) {
      return;
    }
  }, 120);
}

// place_ is the address of what is shown: run, tick, set and pod, and what else is not as it is at first.
function place_() {
  const run = data.runs[reader.run],
    set = run.sets[reader.set];
  const asked = new URLSearchParams();
  if (set && set.pods[reader.pod]) {
    asked.set("set", set.name);
    asked.set("pod", set.pods[reader.pod].name);
  }
  if (reader.axis !== "time") asked.set("axis", reader.axis);
  if (!reader.folded) asked.set("unfolded", "1");
  if (reader.align !== "start") asked.set("align", reader.align);
  if (view.to - view.from < 1) asked.set("view", +view.from.toFixed(6) + "-" + +view.to.toFixed(6));
  const rest = String(asked);
  return address(reader.run, local(run, reader.stop)) + (rest ? "&" + rest : "");
}

// recall reads the address: #t=12.5 is an instant in seconds, #tick=3 the third tick of #run=1. It says whether there is
// a place in it.
function recall() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (data.tabs && asked.has("run")) toTab(Number(asked.get("run")) - 1);
  if (!asked.has("tick") && !asked.has("t")) {
    if (data.tabs && asked.has("set")) recallPod(data.runs[0], asked);
    return data.tabs && asked.has("run");
  }
  reader.axis = asked.get("axis") === "ticks" ? "ticks" : "time";
  reader.folded = !asked.has("unfolded");
  const aligned = aligns().find((it) => it.value === asked.get("align"));
  if (reader.align !== (aligned ? aligned.value : "start")) {
    reader.align = aligned ? aligned.value : "start";
    join();
    numberSteps();
  }
  const r = Number(asked.get("run") || reader.run + 1) - 1;
  if (!data.tabs && data.runs[r]) reader.run = r;
  const run = data.runs[reader.run];
  if (asked.has("tick")) {
    const own = Math.min(Math.max(Number(asked.get("tick")) || 1, 1), run.times.length) - 1;
    reader.stop = Math.max(0, run.at[own] || 0);
  } else {
    reader.stop = Math.max(0, lastUpTo(stops.length, (i) => stops[i][0] + origin(run) <= Number(asked.get("t")) + 1e-9));
  }
  recallPod(run, asked);
  const part = (asked.get("view") || "").split("-").map(Number);
  Object.assign(view, part.length === 2 && part[0] < part[1] ? { from: part[0], to: part[1] } : { from: 0, to: 1 });
  showTools();
  return true;
}

function recallPod(run, asked) {
  const s = run.sets.findIndex((set) => set.name === asked.get("set") || set.key === asked.get("set"));
  if (s >= 0) reader.set = s;
  const set = run.sets[reader.set];
  const n = set ? set.pods.findIndex((pod) => pod.name === asked.get("pod")) : -1;
  if (n >= 0) reader.pod = n;
}
