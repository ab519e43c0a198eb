// Pointing, choosing, and dragging a part of the time to see it larger.

// spot says which pod and which stop a pointer is at.
function spot(p, event) {
  const box = p.scroller.getBoundingClientRect();
  const left = event.clientX - box.left,
    y = event.clientY - box.top;
  const down = event.clientY - p.top.getBoundingClientRect().top;
  return { left, down, stop: stopAt(left), pod: y < 0 || y > box.height ? -1 : podAt(p, y + p.scroller.scrollTop) };
}

function podAt(p, y) {
  if (y < p.pinHeight) return p.pinned[Math.floor(y / PIN)] ?? -1;
  const pod = p.crowded ? podIn(p, y - p.pinHeight) : Math.floor((y - p.pinHeight) / p.row);
  return pod < p.set.pods.length ? pod : -1;
}

function point(p, event) {
  const at = spot(p, event);
  if (curtain.drawn && at.stop > curtain.upTo) return tell("", event);
  tell(
    event.target === p.top ? flagText(p, at) : event.target === p.bottom ? bottomText(p, event, at) : laneText(p, at),
    event,
  );
}

// tell shows a text beside the pointer.
function tell(text, event) {
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
  if (!all.length && scale.stub > 0 && left > area.left && left < across(scale.stub)) {
    return "The creation is shortened here: “shorten the creation” above draws it in full.";
  }
  return [...all.slice(0, most).map(text), ...more].join("\n");
}

function laneText(p, { left, stop, pod }) {
  if (pod < 0 || left < area.left) return pod < 0 ? "" : p.set.pods[pod].name;
  const it = p.set.pods[pod];
  const i = barAt(it, local(p.run, stop));
  if (i < 0) return it.name + ": there is no such pod at " + when(stops[stop][0]);
  const b = it.bars;
  const image = p.set.images[b[i + B_TEMPLATE]] || "";
  const state = data.states[b[i + B_STATE]] + " " + since(p.run, b[i]);
  let text = it.name + " @" + b[i + B_TEMPLATE] + " " + image + "\n" + state;
  if (b[i + B_ACTOR]) text += ", by " + data.actors[b[i + B_ACTOR]];
  if (b[i + B_BARE]) text += "\nbelongs to nobody";
  return text + (data.words[b[i + B_WHY]] ? "\n" + data.words[b[i + B_WHY]] : "");
}

function bottomText(p, event, { left, stop }) {
  const y = event.clientY - p.bottom.getBoundingClientRect().top;
  if (y > p.chart) {
    return left < area.left ? "" : when(stops[stop][0]) + "\n" + countsText(p, local(p.run, stop));
  }
  const band = p.bands[Math.floor((y - 4) / WAIT_ROW)];
  if (band) return band.name + "\n" + bandText(p, band, local(p.run, stop));
  const row = Math.floor((y - p.waitsAt - 4) / WAIT_ROW);
  const wait = p.waits.find((w) => left >= w.from && left <= w.to && w.row === row);
  return wait ? waitText(p, wait.i) : "";
}

function waitText(p, i) {
  const w = p.set.waits;
  const until = w[i + W_TO] < 0 ? "never ends" : "until " + clock(+p.run.times[w[i + W_TO]]);
  const times = "\n" + since(p.run, w[i + W_FROM]) + ", " + until + "\n";
  return data.words[w[i + W_LABEL]] + times + data.words[w[i + W_SENTENCE]];
}

function bandText(p, band, stop) {
  const i = changeAt(band, stop);
  if (i < 0) return band.kind === "node" ? "nothing has changed yet" : "no other process";
  return data.words[band.changes[i + 1]] + "\n" + since(p.run, band.changes[i]);
}

function countsText(p, stop) {
  const c = p.set.counts;
  const i = lastUpTo(c.length / COUNT, (k) => c[k * COUNT] <= stop) * COUNT;
  if (i < 0) return "no set yet";
  const count = (field, name) => name + " " + c[i + field];
  const all = [count(C_SERVING, "serving"), count(C_DESIRED, "desired"), count(C_READY, "ready")];
  all.push(count(C_AVAILABLE, "available"), count(C_UPDATED, "updated"));
  if (c[i + C_NEEDED]) all.push("the budget needs " + c[i + C_NEEDED]);
  return all.join(" · ");
}

function choosePoint(p, event) {
  const at = spot(p, event);
  const step = event.target === p.top && marksAt(p, at.left, at.down)[0];
  const to = { run: p.r, set: p.s };
  if (step) to.stop = step.at;
  else if (at.left >= area.left) to.stop = at.stop;
  if (at.pod >= 0) to.pod = at.pod;
  stopPlaying();
  go(to);
  p.scroller.focus({ preventScroll: true });
}

const FAR = 6; // A pointer that moves less, in pixels, is a click.

// listenToFigure lets a click choose, a drag choose a part of the time, a wheel with Ctrl zoom and a sideways one pan.
// On a touch screen a finger that goes sideways moves the cursor, and two zoom.
function listenToFigure(p, figure) {
  const fingers = new Map();
  let begun = null;
  figure.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event.clientX);
    begun = { px: event.clientX - figure.getBoundingClientRect().left, view: { ...view }, moved: false };
    begun.apart = apart(fingers);
  });
  figure.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return point(p, event);
    fingers.set(event.pointerId, event.clientX);
    const px = event.clientX - figure.getBoundingClientRect().left;
    if (Math.abs(px - begun.px) >= FAR) begun.moved = true;
    if (begun.moved) drag(p, { event, figure, begun, px, fingers });
  });
  figure.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    p.brush.hidden = true;
    if (!begun) return;
    if (!begun.moved) choosePoint(p, event);
    else if (event.pointerType === "mouse" && !event.shiftKey) brushed(begun.px, event.clientX - figure.getBoundingClientRect().left);
    begun = null;
  });
  for (const end of ["pointercancel", "pointerleave"]) {
    figure.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      p.brush.hidden = true;
      $("tip").hidden = true;
    });
  }
  figure.addEventListener("dblclick", (event) => zoomToStep(spot(p, event).stop, p.run));
  figure.addEventListener("wheel", (event) => wheel(figure, event), { passive: false });
}

function apart(fingers) {
  const [a, b] = fingers.values();
  return b === undefined ? 0 : Math.max(20, Math.abs(a - b));
}

function drag(p, { event, figure, begun, px, fingers }) {
  $("tip").hidden = true;
  const width = begun.view.to - begun.view.from;
  if (begun.apart) {
    const by = begun.apart / (apart(fingers) || begun.apart);
    const at = begun.view.from + width / 2;
    look(at - (width * by) / 2, at + (width * by) / 2);
  } else if (event.pointerType !== "mouse") {
    go({ run: p.r, set: p.s, stop: stopAt(px) });
  } else if (event.shiftKey) {
    const by = ((begun.px - px) / (area.right - area.left)) * width;
    look(begun.view.from + by, begun.view.to + by);
  } else {
    figure.setPointerCapture(event.pointerId);
    p.brush.hidden = false;
    p.brush.style.left = Math.max(area.left, Math.min(px, begun.px)) + "px";
    p.brush.style.width = Math.abs(px - begun.px) + "px";
  }
}

// brushed shows the part of the time between two places of a figure.
function brushed(a, b) {
  const from = placeAcross(Math.max(area.left, Math.min(a, b))),
    to = placeAcross(Math.min(area.right, Math.max(a, b)));
  look(from, to);
}

function wheel(figure, event) {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const px = event.clientX - figure.getBoundingClientRect().left;
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), Math.min(1, Math.max(0, placeAcross(px))));
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && view.to - view.from < 1) {
    event.preventDefault();
    pan(event.deltaX / 800);
  }
}

// zoomToStep shows what a step brought: the time from it to the next one.
function zoomToStep(stop, run) {
  const steps = run.steps.filter((step) => !step.fault);
  const n = lastUpTo(steps.length, (i) => steps[i].at <= stop);
  const from = n < 0 ? 0 : place(unit(steps[n].at)),
    to = n + 1 < steps.length ? place(unit(steps[n + 1].at)) : 1;
  const margin = (to - from) * 0.02;
  look(from - margin, to + margin);
}
