// Building the page.

function build() {
  $("player").hidden = false;
  numberSteps();
  $("slider").max = stops.length - 1;
  data.runs.forEach((run, r) => {
    if (data.runs.length > 1) {
      const name_ = el("button", { type: "button", textContent: titleOf(run) + " · " + run.verdict });
      name_.addEventListener("click", () => go({ run: r, set: 0, pod: 0 }));
      $("plots").append(el("h2", {}, name_));
    }
    run.sets.forEach((set, s) => plots.push(plot(run, r, set, s)));
  });
  buildSteps();
  buildTools();
}

// numberSteps notes where on the axis each step stands.
function numberSteps() {
  for (const run of data.runs) for (const step of run.steps) step.at = run.at[step.stop];
}

function buildTools() {
  const all = aligns();
  $("align").replaceChildren(...all.map((it) => el("option", { value: it.value, textContent: it.text })));
  $("align").closest("label").hidden = all.length < 2 || data.runs.length < 2;
  $("folded").closest("label").hidden = data.lesson || !data.runs.some((run) => run.steps.some((step) => !step.creates && step.stop > 0));
  const many = data.runs.some((run) => run.sets.length > 4);
  $("changing").closest("label").hidden = !many;
  $("changing").checked = many;
  $("changing").onchange = hideQuiet;
  if (many) hideQuiet();
  showTools();
}

// hideQuiet leaves out the sets to which nothing happens but their creation, if that is asked for.
function hideQuiet() {
  for (const p of plots) p.figure.hidden = $("changing").checked && quiet(p);
  if (plots.every((p) => p.figure.hidden)) for (const p of plots) p.figure.hidden = false;
}

function quiet(p) {
  const first = p.run.steps.find((step) => !step.creates);
  // What begins with a dump has no creation: there a set is quiet if nothing comes of it.
  const begun = p.run.times.findIndex((t) => +t > 0);
  const from = first ? first.stop : begun < 0 ? p.run.times.length : begun;
  if (!first && awaitedIn(p.set).size) return false;
  const later = (pod) => pod.bars[pod.bars.length - BAR] >= from;
  return !p.set.pods.some(later) && !p.steps.some((step) => !step.creates && (step.sets || []).includes(p.s));
}

// buildSteps lists what the user did, by the numbers of the flags, and what failed.
function buildSteps() {
  data.runs.forEach((run, r) => {
    if (data.runs.length > 1 && run.steps.length) {
      $("steps").append(el("li", { className: "of", textContent: titleOf(run) }));
    }
    for (const step of run.steps) {
      const link = el("a", { href: address(r, step.stop), textContent: clock(+run.times[step.stop]) });
      const kind = step.fault ? " fault" : step.refusal ? " refused" : "";
      const flag_ = el("span", { className: "flag" + kind, textContent: step.fault ? "!" : step.number });
      const title = step.title.replace(/^STEP \d+[,:]? ?/, "") + (step.refusal ? ": " + step.refusal : "");
      const line = step.line && el("a", { className: "line", href: "#line-" + run.n + "-" + step.line, textContent: "line " + step.line });
      $("steps").append(el("li", {}, flag_, link, " " + title, ...(line ? [" ", line] : [])));
    }
  });
}

function plot(run, r, set, s) {
  const p = { run, r, set, s, full: false, path: run.sets.length <= 4 && data.runs.length <= 2, waits: [], bands: bandsOf(run, set, s), awaited: awaitedIn(set) };
  p.compact = run.sets.length > 4 || data.runs.length > 2;
  // A step that names its sets stands beside those; any other concerns them all.
  p.steps = run.steps.filter((step) => !(step.sets || []).length || step.sets.includes(s));
  p.counts = el("span", { className: "counts" });
  p.top = el("canvas", { role: "img", "aria-label": stepsLabel(p) });
  p.lanes = el("canvas", { role: "img", "aria-label": lanesLabel(set) });
  p.space = el("div", {}, p.lanes);
  p.scroller = el("div", { className: "lanes", tabIndex: 0, role: "group" }, p.space);
  p.scroller.setAttribute("aria-label", "Lanes of " + set.name + ": left and right step, up and down choose a pod");
  p.bottom = el("canvas", { role: "img", "aria-label": bottomLabel(p) });
  p.cursor = el("div", { className: "cursor" });
  p.brush = el("div", { className: "brush", hidden: true });
  const caption_ = el("figcaption", {}, el(data.runs.length > 1 ? "h3" : "h2", { textContent: set.name }), p.counts);
  if (set.assumed) caption_.append(el("span", { className: "waiting", textContent: "assumed: " + set.assumed }));
  if (set.pods.length > 40) caption_.append(toggle(p, "full", "a row a pod", false));
  if (set.path && set.pods.length <= MANY) caption_.append(toggle(p, "path", "what took the time", false));
  if (p.compact) caption_.append(toggle(p, "compact", "waits and chart", true));
  p.flow = svg("svg", { class: "flow", "aria-hidden": "true" });
  const area_ = el("div", { className: "plot" }, p.top, p.scroller, p.bottom, p.cursor, p.flow, p.brush);
  p.figure = el("figure", {}, caption_, area_);
  $("plots").append(p.figure);
  p.scroller.addEventListener("scroll", () => requestAnimationFrame(() => (drawLanes(p), flows(p))));
  listenToFigure(p, area_);
  return p;
}

// toggle is a button that turns something of a figure on and off; it is pressed where the thing is not as it is named.
function toggle(p, what, text, inverse) {
  const button = el("button", { type: "button", textContent: text });
  const pressed = () => button.setAttribute("aria-pressed", Boolean(p[what]) !== inverse);
  pressed();
  button.addEventListener("click", () => {
    p[what] = !p[what];
    pressed();
    draw(p);
    follow(p);
    flows(p);
  });
  p[what + "Toggle"] = button;
  return button;
}

// awaitedIn says for which waits the controller waits for each pod.
function awaitedIn(set) {
  const by = new Map();
  for (let i = 0; i < set.waits.length; i += WAIT) {
    const pod = data.words[set.waits[i + W_OBJECT]];
    if (set.waits[i + W_RESTING]) continue;
    if (!by.has(pod)) by.set(pod, []);
    by.get(pod).push(i);
  }
  return by;
}

function stepsLabel(p) {
  const steps = p.steps.map((step) => clock(+p.run.times[step.stop]) + " " + step.title);
  return "Steps of the user, and faults: " + steps.slice(0, 40).join("; ");
}

function bottomLabel(p) {
  const bands = p.bands.map((thing) => thing.kind + " " + thing.name);
  return [...bands, "waits of the controller", "how many pods serve"].join(", ");
}

function lanesLabel(set) {
  const pods = set.pods.length === 1 ? "1 pod" : set.pods.length + " pods";
  return "A lane each for the " + pods + " of " + set.name + ". The table below and the story in words say the same.";
}
