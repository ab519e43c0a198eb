// The legend, with what the runs need of it.

// Before a curtain it has what every run has: what only this one needs would tell what is still to come.
function legend() {
  const draws = curtain.drawn ? [...stateEntries(), markEntries()[0]] : [...stateEntries(), ...revisionEntries(), ...markEntries()];
  $("legend").replaceChildren(
    ...draws.map(([text, paint]) => {
      const canvas = el("canvas", { "aria-hidden": "true" });
      canvas.style.width = "32px";
      paint(fitted(canvas, 32, 18));
      return el("li", {}, canvas, text);
    }),
  );
}

const SAMPLE = { x: 1, y: 2, w: 30, h: 14 };

// stateEntries are drawn in grey, which is no revision: a state is a pattern, and a revision is a colour.
function stateEntries() {
  const entries = [
    ["Pending", "Pending"],
    ["Running", "Running, not Ready yet"],
    ["Ready", "Ready"],
    ["Unready", "Unready"],
    ["Failed", "Failed"],
    ["Terminating", "Terminating"],
  ];
  return entries
    .filter(([state]) => (curtain.drawn ? usual : shownStates).has(state))
    .map(([state, text]) => [text, (g) => bar(g, SAMPLE, state, palette.rest, palette)]);
}

function revisionEntries() {
  const templates = new Set(allRuns.flatMap((run) => run.sets.flatMap((set) => Object.keys(set.images))));
  const numbers = [...templates].map(Number).sort((a, b) => a - b);
  return numbers.map((n) => ["template @" + n, (g) => bar(g, SAMPLE, "Ready", palette.template(n), palette)]);
}

function markEntries() {
  const draws = [
    [
      "created, deleted by the controller",
      (g) => {
        decision(g, 10, 4, 10, true, false, palette);
        decision(g, 24, 4, 10, false, false, palette);
      },
    ],
  ];
  if (anyPod(byUser)) draws.push(["deleted by the user", (g) => decision(g, 16, 4, 10, false, true, palette)]);
  if (anyPod(unowned)) {
    draws.push([
      "belongs to nobody; adopted, released",
      (g) => {
        bar(g, SAMPLE, "Ready", palette.template(1), palette);
        veil(g, SAMPLE, palette);
        ring(g, 10, 9, true, palette);
        ring(g, 22, 9, false, palette);
      },
    ]);
  }
  if (data.runs.some((run) => run.sets.some((set) => set.assumed))) {
    draws.push(["only assumed", (g) => {
      bar(g, SAMPLE, "Ready", palette.template(1), palette);
      veil(g, SAMPLE, palette);
    }]);
  }
  if (data.runs.some((run) => run.steps.some((step) => step.fault))) {
    draws.push(["fault", (g) => warning(g, 8, 1, palette)]);
  }
  if (data.runs.some((run) => run.sets.some((set) => set.path))) {
    draws.push(["what took the time since the last step", (g) => {
      g.strokeStyle = palette.ink;
      g.lineWidth = 2.5;
      g.beginPath();
      for (const [at, y] of [[1, 14], [15, 14], [15, 4], [31, 4]]) g.lineTo(at, y);
      g.stroke();
    }]);
  }
  if (data.runs.some((run) => run.sets.some((set) => set.waits.length))) {
    draws.push(["what is waited for now", (g) => {
      g.strokeStyle = g.fillStyle = palette.warn;
      g.lineWidth = 2;
      g.beginPath();
      g.moveTo(2, 14);
      g.bezierCurveTo(20, 14, 20, 6, 22, 6);
      g.stroke();
      g.beginPath();
      for (const [at, y] of [[30, 6], [21, 1], [21, 11]]) g.lineTo(at, y);
      g.fill();
    }]);
  }
  if (data.runs.some(endless)) {
    draws.push([
      "waited for without end",
      (g) => {
        g.strokeStyle = palette.bad;
        g.lineWidth = 2.5;
        g.strokeRect(3, 4, 26, 11);
      },
    ]);
  }
  return draws;
}

function anyPod(holds) {
  return data.runs.some((run) => run.sets.some((set) => set.pods.some(holds)));
}

const usual = new Set(["Pending", "Running", "Ready", "Terminating"]);
const shownStates = new Set(allRuns.flatMap((run) => run.sets.flatMap((set) => set.pods.flatMap((pod) => states(pod)))));

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
