// Where the page begins.

// beginning is where the story is: the first expectation that failed, else the wait that never ends, else where the runs
// part, else the end.
function beginning() {
  if (data.lesson || data.start) return { run: 0, stop: 0 };
  const last = (run, r) => ({ run: r, stop: run.at[run.times.length - 1] ?? 0 });
  if (data.tabs) {
    const [run] = data.runs;
    if (run.failures.length) return { run: 0, stop: run.at[run.failures[0].stop], ...about(run, run.failures[0].stop) };
    const dumped = endless(run) && !run.steps.some((it) => !it.creates);
    return dumped ? { ...last(run, 0), ...awaitedForEver(run) } : change(run);
  }
  for (const [r, run] of data.runs.entries()) {
    if (data.runs.length === 1 && run.failures.length) return { run: r, stop: run.at[run.failures[0].stop], ...about(run, run.failures[0].stop) };
  }
  const parting = data.runs.findIndex((run, r) => r > 0 && partings(run).length);
  if (parting > 0) return { run: parting, stop: partings(data.runs[parting])[0] };
  const stuck = data.runs.findIndex(endless);
  if (stuck >= 0) return { ...last(data.runs[stuck], stuck), ...awaitedForEver(data.runs[stuck]) };
  return { run: 0, stop: stops.length - 1, set: Math.max(0, plots.findIndex((p) => !p.figure.hidden && p.r === 0)) };
}

// change is where the first step acts that does more than to create sets, with a set that it is about.
function change(run) {
  const step = run.steps.find((it) => !it.creates);
  if (!step) return { run: 0, stop: stops.length - 1 };
  return { run: 0, stop: step.at, set: (step.sets || [0])[0] ?? 0, ...about(run, step.stop) };
}

// awaitedForEver is the pod that the controller waits for at the end, and since when.
function awaitedForEver(run) {
  for (const [s, set] of run.sets.entries()) {
    for (let i = 0; i < set.waits.length; i += WAIT) {
      const w = set.waits.slice(i, i + WAIT);
      const pod = set.pods.findIndex((it) => it.name === data.words[w[W_OBJECT]]);
      if (w[W_TO] >= 0 || w[W_RESTING] || pod < 0) continue;
      return { set: s, pod, stop: run.at[w[W_FROM]] };
    }
  }
  return {};
}

// about is the pod to which something happens at a stop of a run.
function about(run, stop) {
  for (const [s, set] of run.sets.entries()) {
    const pod = set.pods.findIndex((it) => it.bars[barAt(it, stop)] === stop);
    if (pod >= 0) return { set: s, pod };
  }
  return {};
}

// partings are the stops of the axis at which a run parts from the first; the first parts where the others do.
function partings(run) {
  return (run.partings || []).map((stop) => run.at[stop]);
}

function listen() {
  listenToPlayer();
  listenToTools();
  listenToSearch();
  listenToMinimap();
  listenToLesson();
  $("story").addEventListener("toggle", story);
  addEventListener("hashchange", () => {
    if (!recall()) return;
    drawAll();
    go({});
    $("player").scrollIntoView({ block: "nearest" });
  });
  new ResizeObserver(() => {
    if (!area || area.width !== $("plots").clientWidth) drawAll();
  }).observe($("plots"));
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", repaint);
  }
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
}

function repaint() {
  drawAll();
  legend();
  show();
}

// paper draws for paper, which is white and as wide as the style sheet says, whatever the screen is; all of the time is
// on it, and all of the sections.
function paper(on) {
  for (const section of document.querySelectorAll("details:is(.section, .sight, .description)")) {
    if (on) section.dataset.closed = !section.open;
    section.open = on || section.dataset.closed !== "true";
  }
  document.documentElement.classList.toggle("paper", on);
  if (on) {
    paper.view = { ...view };
    Object.assign(view, { from: 0, to: 1 });
  } else Object.assign(view, paper.view);
  repaint();
}

// tuckAway leaves to the picture what room a phone or a narrow frame has: what happens at the cursor, and what else there is to be said of
// the end, is a tap away.
function tuckAway() {
  const isPhone = matchMedia("(max-width: 600px)").matches;
  for (const more of document.querySelectorAll("details.more")) if (isPhone) more.open = false;
  if (matchMedia("(max-width: 899px)").matches) toggleLow();
}

// keepInSight folds away where runs diverge, if there is no room for that above the picture. The page begins there, and
// says it beside the picture as well.
function keepInSight() {
  const below = $("plots").getBoundingClientRect().top > innerHeight * 0.8;
  for (const it of document.querySelectorAll(".sight")) if (below) it.open = false;
}

function start() {
  tuckAway();
  nameCells();
  listenToFilter();
  join();
  if (!stops.length) return;
  build();
  buildTabs();
  listen();
  Object.assign(reader, beginning());
  recall();
  drawAll();
  keepInSight();
  legend();
  show();
}

start();
