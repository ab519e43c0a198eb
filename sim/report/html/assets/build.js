// Building the page.

function build() {
  $("player").hidden = false;
  $("slider").max = stops.length - 1;
  data.runs.forEach((run, r) => {
    run.steps.forEach((step) => {
      step.at = run.at[step.stop];
    });
    if (data.runs.length > 1) {
      const name = el("button", {
        type: "button",
        textContent: run.name + " · " + run.kubernetes + " · " + run.verdict,
      });
      name.addEventListener("click", () => go({ run: r, set: 0, pod: 0 }));
      $("plots").append(el("h2", {}, name));
    }
    run.sets.forEach((set, s) => plots.push(plot(run, r, set, s)));
  });
  legend();
  steps();
}

// steps lists what the user did, by the numbers of the flags, and what failed.
function steps() {
  data.runs.forEach((run, r) => {
    if (data.runs.length > 1 && run.steps.length) {
      $("steps").append(el("li", { className: "of", textContent: run.name + " · " + run.kubernetes }));
    }
    for (const step of run.steps) {
      const href = "#run=" + (r + 1) + "&tick=" + (step.stop + 1);
      const link = el("a", { href, textContent: clock(+run.times[step.stop]) });
      const kind = step.fault ? " fault" : step.refusal ? " refused" : "";
      const flag = el("span", { className: "flag" + kind, textContent: step.fault ? "!" : step.number });
      const title = step.title.replace(/^STEP \d+[,:]? ?/, "") + (step.refusal ? ": " + step.refusal : "");
      $("steps").append(el("li", {}, flag, link, " " + title));
    }
  });
}

function plot(run, r, set, s) {
  const p = { run, r, set, s, full: false, bands: bandsOf(run, set, s) };
  p.counts = el("span", { className: "counts" });
  p.top = el("canvas", { role: "img", "aria-label": stepsLabel(run) });
  p.lanes = el("canvas", { role: "img", "aria-label": lanesLabel(set) });
  p.space = el("div", {}, p.lanes);
  p.scroller = el("div", { className: "lanes", tabIndex: 0, role: "group" }, p.space);
  p.scroller.setAttribute("aria-label", "Lanes of " + set.name + ": left and right step, up and down choose a pod");
  p.bottom = el("canvas", { role: "img", "aria-label": bottomLabel(p) });
  p.cursor = el("div", { className: "cursor" });
  const caption = el("figcaption", {}, el("h3", { textContent: set.name }), p.counts);
  if (set.pods.length > 32) {
    p.toggle = el("button", { type: "button", textContent: "a row a pod" });
    p.toggle.setAttribute("aria-pressed", "false");
    p.toggle.addEventListener("click", () => {
      p.full = !p.full;
      p.toggle.setAttribute("aria-pressed", p.full);
      draw(p);
      follow(p);
    });
    caption.append(p.toggle);
  }
  const area = el("div", { className: "plot" }, p.top, p.scroller, p.bottom, p.cursor);
  $("plots").append(el("figure", {}, caption, area));
  p.scroller.addEventListener("scroll", () => requestAnimationFrame(() => drawLanes(p)));
  area.addEventListener("pointermove", (event) => point(p, event));
  area.addEventListener("pointerleave", () => {
    $("tip").hidden = true;
  });
  area.addEventListener("click", (event) => click(p, event));
  return p;
}

function stepsLabel(run) {
  const steps = run.steps.map((step) => clock(+run.times[step.stop]) + " " + step.title);
  return "Steps of the user, and faults: " + steps.join("; ");
}

function bottomLabel(p) {
  const bands = p.bands.map((thing) => thing.kind + " " + thing.name);
  return [...bands, "waits of the controller", "the counts of the status"].join(", ");
}

function lanesLabel(set) {
  return (
    "A lane each for the " +
    set.pods.length +
    " pods of " +
    set.name +
    ". The table below and the story in words say the same."
  );
}

function legend() {
  const entries = [
    ["Pending", "Pending"],
    ["Running", "Running, not Ready yet"],
    ["Ready", "Ready"],
    ["Unready", "Unready"],
    ["Failed", "Failed"],
    ["Terminating", "Terminating"],
  ];
  const used = new Set(data.runs.flatMap((run) => run.sets.flatMap((set) => set.pods.flatMap((pod) => states(pod)))));
  const draws = [];
  for (const [state, text] of entries) {
    if (used.has(state))
      draws.push([text, (g) => bar(g, { x: 1, y: 2, w: 30, h: 14 }, state, palette.template(1), palette)]);
  }
  const templates = new Set(data.runs.flatMap((run) => run.sets.flatMap((set) => Object.keys(set.images))));
  for (const n of [...templates].map(Number).sort((a, b) => a - b)) {
    draws.push([
      "revision @" + n,
      (g) => bar(g, { x: 1, y: 2, w: 30, h: 14 }, "Ready", palette.template(n), palette),
    ]);
  }
  draws.push([
    "made, deleted by the controller",
    (g) => {
      decision(g, 10, 4, 10, true, false, palette);
      decision(g, 24, 4, 10, false, false, palette);
    },
  ]);
  if (data.runs.some((run) => run.sets.some((set) => set.pods.some(byUser)))) {
    draws.push(["deleted by the user", (g) => decision(g, 16, 4, 10, false, true, palette)]);
  }
  if (data.runs.some((run) => run.sets.some((set) => set.pods.some(unowned)))) {
    draws.push([
      "belongs to nobody; adopted, released",
      (g) => {
        bar(g, { x: 1, y: 2, w: 30, h: 14 }, "Ready", palette.template(1), palette);
        veil(g, { x: 1, y: 2, w: 30, h: 14 }, palette);
        ring(g, 10, 9, true, palette);
        ring(g, 22, 9, false, palette);
      },
    ]);
  }
  if (data.runs.some((run) => run.steps.some((step) => step.fault))) {
    draws.push(["fault", (g) => warning(g, 8, 1, palette)]);
  }
  $("legend").replaceChildren(
    ...draws.map(([text, paint]) => {
      const canvas = el("canvas", { "aria-hidden": "true" });
      canvas.style.width = "32px";
      paint(fitted(canvas, 32, 18));
      return el("li", {}, canvas, text);
    }),
  );
}

function states(pod) {
  const all = [];
  for (let i = 0; i < pod.bars.length; i += BAR) all.push(data.states[pod.bars[i + B_STATE]]);
  return all;
}

function unowned(pod) {
  for (let i = 0; i < pod.bars.length; i += BAR) if (pod.bars[i + B_BARE]) return true;
  return false;
}

function byUser(pod) {
  for (let i = 0; i < pod.bars.length; i += BAR) {
    if (pod.bars[i + B_STATE] === TERMINATING && pod.bars[i + B_ACTOR] === USER) return true;
  }
  return false;
}
