// The minimap: all of the time, how many pods serve, the steps, the failures, and the part that is in view. A drag moves
// the view, a wheel narrows it.

const MAP = 30;

function drawMinimap() {
  const canvas = $("minimap");
  const g = fitted(canvas, area.width, MAP);
  g.drawImage(mapImage(), 0, 0, area.width, MAP);
  const from = onMap(view.from),
    to = onMap(view.to);
  g.globalAlpha = 0.55;
  g.fillStyle = palette.bg;
  g.fillRect(area.left, 0, from - area.left, MAP);
  g.fillRect(to, 0, area.right - to, MAP);
  g.globalAlpha = 1;
  g.strokeStyle = palette.ink;
  g.lineWidth = 1.5;
  g.strokeRect(from + 0.75, 0.75, Math.max(3, to - from - 1.5), MAP - 1.5);
  g.fillStyle = palette.muted;
  g.font = "11px " + SANS;
  g.textBaseline = "middle";
  clipped(g, view.to - view.from < 0.999 ? zoomText() : "the whole run", 7, MAP / 2, area.left - 14);
}

// onMap is where a place is on the minimap, in pixels.
function onMap(p) {
  return area.left + (area.right - area.left) * p;
}

const map_ = { key: "", image: null };

// mapImage is what no zoom changes. It is kept.
function mapImage() {
  const p = chosenPlot();
  const key = [axisKey(), allRuns.indexOf(p && p.run), p && p.s, palette.bg, palette.panel, devicePixelRatio].join();
  if (map_.key === key) return map_.image;
  Object.assign(map_, { key, image: document.createElement("canvas") });
  const g = fitted(map_.image, area.width, MAP);
  g.fillStyle = palette.panel;
  g.fillRect(area.left, 0, area.right - area.left, MAP);
  if (p) mapServing(g, p);
  for (const run of data.runs) {
    for (const step of run.steps) {
      g.fillStyle = step.fault || step.refusal ? palette.bad : palette.accent;
      g.fillRect(onMap(place(unit(step.at))) - 1, 0, 2, step.fault ? MAP : 9);
    }
    g.fillStyle = palette.bad;
    for (const { stop } of run.failures) g.fillRect(onMap(place(unit(run.at[stop]))) - 1.5, MAP - 9, 3, 9);
  }
  return map_.image;
}

function zoomText() {
  const times = 1 / (view.to - view.from);
  return "zoom " + (times < 10 ? times.toFixed(1) : Math.round(times)) + "×";
}

function chosenPlot() {
  return plots.find((p) => p.r === reader.run && p.s === reader.set);
}

// mapServing is one area: many that touch, each of which lets through what is below it, would add up to another colour.
function mapServing(g, p) {
  const c = p.set.counts;
  let most = 1;
  for (let i = 0; i < c.length; i += COUNT) most = Math.max(most, c[i + C_DESIRED], c[i + C_SERVING]);
  g.fillStyle = palette.area;
  g.beginPath();
  for (let i = 0; i < c.length; i += COUNT) {
    const from = onMap(place(unit(p.run.at[c[i]])));
    const to = i + COUNT < c.length ? onMap(place(unit(p.run.at[c[i + COUNT]]))) : area.right;
    const h = ((MAP - 4) * c[i + C_SERVING]) / most;
    g.rect(from, MAP - h, to - from, h);
  }
  g.fill();
}

function listenToMinimap() {
  const map = $("minimap");
  const placeOf = (event) => (event.clientX - map.getBoundingClientRect().left - area.left) / (area.right - area.left);
  let held = null;
  map.addEventListener("pointerdown", (event) => {
    const at = placeOf(event),
      width = view.to - view.from;
    if (at < view.from || at > view.to) look(at - width / 2, at + width / 2);
    held = at - view.from;
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const from = placeOf(event) - held;
    look(from, from + (view.to - view.from));
  });
  for (const end of ["pointerup", "pointercancel"]) map.addEventListener(end, () => (held = null));
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, placeOf(event))));
  });
}
