// Pointing and choosing.

// place says which pod and which stop a pointer is at.
function place(p, event) {
  const box = p.lanes.parentElement.parentElement.getBoundingClientRect();
  const left = event.clientX - box.left,
    y = event.clientY - box.top;
  const pod = y < 0 || y > box.height ? -1 : Math.floor((y + p.scroller.scrollTop) / p.row);
  const down = event.clientY - p.top.getBoundingClientRect().top;
  return { left, down, stop: stopAt(left), pod: pod < p.set.pods.length ? pod : -1 };
}

function point(p, event) {
  const at = place(p, event);
  const text =
    event.target === p.top ? flagText(p, at) : event.target === p.bottom ? bottomText(p, event, at) : laneText(p, at);
  const tip = $("tip");
  tip.hidden = !text;
  tip.textContent = text;
  const beside =
    event.clientX + 14 + tip.offsetWidth > innerWidth ? event.clientX - 14 - tip.offsetWidth : event.clientX + 14;
  tip.style.left = Math.max(4, beside) + "px";
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4) + "px";
}

function flagText(p, { left, down }) {
  const most = 12;
  const all = marksAt(p, left, down);
  const text = (step) =>
    clock(+p.run.times[step.stop]) + "  " + step.title + (step.refusal ? "\nrefused: " + step.refusal : "");
  const more = all.length > most ? ["and " + (all.length - most) + " more"] : [];
  return [...all.slice(0, most).map(text), ...more].join("\n");
}

function laneText(p, { left, stop, pod }) {
  if (pod < 0 || left < area.left) return pod < 0 ? "" : p.set.pods[pod].name;
  const it = p.set.pods[pod];
  const i = barAt(it, local(p.run, stop));
  if (i < 0) return it.name + ": there is no such pod at " + clock(stops[stop][0]);
  const b = it.bars;
  const image = p.set.images[b[i + B_TEMPLATE]] || "";
  let text =
    it.name +
    " @" +
    b[i + B_TEMPLATE] +
    " " +
    image +
    "\n" +
    data.states[b[i + B_STATE]] +
    " since " +
    clock(+p.run.times[b[i]]);
  if (b[i + B_ACTOR]) text += ", by " + data.actors[b[i + B_ACTOR]];
  if (b[i + B_BARE]) text += "\nbelongs to nobody";
  return text + (data.words[b[i + B_WHY]] ? "\n" + data.words[b[i + B_WHY]] : "");
}

function bottomText(p, event, { left, stop }) {
  const y = event.clientY - p.bottom.getBoundingClientRect().top;
  if (y > p.chart) {
    return left < area.left ? "" : clock(stops[stop][0]) + "\n" + countsText(p, local(p.run, stop));
  }
  const band = p.bands[Math.floor((y - 4) / WAIT_ROW)];
  if (band) return band.name + "\n" + bandText(p, band, local(p.run, stop));
  const row = Math.floor((y - p.waitsAt - 4) / WAIT_ROW);
  const wait = p.waits.find((w) => left >= w.from && left <= w.to && w.row === row);
  if (!wait) return "";
  const w = p.set.waits,
    i = wait.i;
  const until = w[i + 1] < 0 ? "never ends" : "until " + clock(+p.run.times[w[i + 1]]);
  return data.words[w[i + 2]] + "\nsince " + clock(+p.run.times[w[i]]) + ", " + until + "\n" + data.words[w[i + 3]];
}

function bandText(p, band, stop) {
  const i = changeAt(band, stop);
  if (i < 0) return band.kind === "node" ? "nothing has changed yet" : "no other process";
  return data.words[band.changes[i + 1]] + "\nsince " + clock(+p.run.times[band.changes[i]]);
}

function countsText(p, stop) {
  const c = p.set.counts;
  const i = lastUpTo(c.length / COUNT, (k) => c[k * COUNT] <= stop) * COUNT;
  if (i < 0) return "no set yet";
  return (
    "desired " +
    c[i + 1] +
    " · ready " +
    c[i + 2] +
    " · available " +
    c[i + 3] +
    " · updated " +
    c[i + 4] +
    " · serving " +
    c[i + 5]
  );
}

function click(p, event) {
  const at = place(p, event);
  const step = event.target === p.top && marksAt(p, at.left, at.down)[0];
  const to = { run: p.r, set: p.s };
  if (step) to.stop = step.at;
  else if (at.left >= area.left) to.stop = at.stop;
  if (at.pod >= 0) to.pod = at.pod;
  go(to);
  p.scroller.focus({ preventScroll: true });
}

// go takes the reader somewhere, and shows it.
function go(to) {
  const before = { ...reader };
  Object.assign(reader, to);
  reader.stop = Math.min(Math.max(reader.stop, 0), stops.length - 1);
  const run = data.runs[reader.run];
  reader.set = Math.min(reader.set, Math.max(0, run.sets.length - 1));
  const set = run.sets[reader.set];
  reader.pod = Math.min(Math.max(reader.pod, 0), set ? Math.max(0, set.pods.length - 1) : 0);
  if (before.run !== reader.run || before.set !== reader.set || before.pod !== reader.pod) {
    for (const p of plots) {
      drawLanes(p);
      if (p.r === reader.run && p.s === reader.set) follow(p);
    }
  }
  show();
  remember();
}

// follow scrolls the lanes so that the chosen pod can be seen.
function follow(p) {
  const y = reader.pod * p.row,
    view = p.scroller;
  if (y < view.scrollTop) view.scrollTop = y;
  if (y + p.row > view.scrollTop + view.clientHeight) view.scrollTop = y + p.row - view.clientHeight;
}

// remember writes the place into the address, so that a link leads there. A page in a frame may not be allowed to.
function remember() {
  const run = data.runs[reader.run];
  const address = "#run=" + (reader.run + 1) + "&tick=" + (local(run, reader.stop) + 1);
  try {
    history.replaceState(null, "", address);
  } catch (refused) {
    return;
  }
}

// recall reads the address: #t=12.5 is an instant in seconds, #tick=3 the third tick of #run=1.
function recall() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const to = {};
  const r = Number(asked.get("run") || reader.run + 1) - 1;
  if (data.runs[r]) to.run = r;
  const run = data.runs[to.run ?? reader.run];
  if (asked.has("tick")) {
    const own = Math.min(Math.max(Number(asked.get("tick")) || 1, 1), run.times.length) - 1;
    to.stop = run.at[own];
  } else if (asked.has("t")) {
    to.stop = lastUpTo(stops.length, (i) => stops[i][0] <= Number(asked.get("t")));
  } else {
    return false;
  }
  Object.assign(reader, { stop: Math.max(0, to.stop || 0), run: to.run ?? reader.run });
  return true;
}
