// The panel beside the figures: what happens at the cursor, what is waited for and how to end that, and the life of the
// chosen pod.

function cursors() {
  for (const p of plots) {
    const at = x(reader.stop);
    p.cursor.style.left = at + "px";
    p.cursor.hidden = !inView(at);
    p.counts.textContent = countsText(p, local(p.run, reader.stop));
    flows(p);
  }
}

function show() {
  const run = data.runs[reader.run],
    stop = local(run, reader.stop);
  const now = when(stops[reader.stop] ? stops[reader.stop][0] : 0);
  const tick = "moment " + (reader.stop + 1) + " of " + stops.length;
  $("now").replaceChildren(now, el("span", { textContent: " · " + tick }));
  $("slider").value = reader.stop;
  $("slider").setAttribute("aria-valuetext", now + ", " + tick);
  cursors();
  seen();
  const parts = data.runs.length > 1 ? toldOfAll() : toldOf(run, stop);
  $("told").replaceChildren(el("h2", { textContent: "At " + now }), ...parts, ...life(run, stop));
  table(run, stop);
  announce(run, stop, now);
}

// announce says the tick to a screen reader, and no more of it than one can listen to. The slider says the time itself.
function announce(run, stop, now) {
  const lines = [];
  const own = happening(run, stop);
  for (let i = 0; i < own.length && lines.length < 4; i += 3) lines.push(data.words[own[i + 2]]);
  const time = document.activeElement === $("slider") ? "" : now + ". ";
  $("live").textContent = time + lines.join(". ");
}

// happening is what a run tells of the tick, nothing where it has none of its own there.
function happening(run, stop) {
  return stop >= 0 && run.at[stop] === reader.stop ? run.lines[stop] : [];
}

function lineOf(list, i, before) {
  const actor = list[i] !== before ? data.actors[list[i]] : "";
  return [
    el("span", { className: "actor", textContent: actor }),
    el("span", { className: data.tones[list[i + 1]], textContent: data.words[list[i + 2]] }),
  ];
}

const MAX_LINES = 60;

function linesOf(run, stop) {
  const own = happening(run, stop);
  const list = el("ul");
  const most = Math.min(own.length, 3 * MAX_LINES);
  for (let i = 0; i < most; i += 3) list.append(el("li", { className: "by" }, ...lineOf(own, i, i ? own[i - 3] : -1)));
  if (own.length > most) list.append(el("li", { className: "detail", textContent: "and " + (own.length - most) / 3 + " more" }));
  if (!own.length) list.append(el("li", { className: "detail", textContent: "Nothing to report." }));
  return list;
}

function toldOf(run, stop) {
  const waits = [el("h3", { textContent: "The controller waits" }), waiting(run, stop)];
  // Where much happens at once, as at the beginning of a dump, it does not stand before what is waited for.
  const much = happening(run, stop).length > 3 * 14;
  const what = much ? [...waits, el("h3", { textContent: "What happens" }), linesOf(run, stop)] : [linesOf(run, stop), ...waits];
  return [...failuresAt(run, stop), ...what, ...things(run, stop)];
}

// toldOfAll says of each run what it does at the cursor, and marks what only some of them do.
function toldOfAll() {
  const texts = data.runs.map((run) => {
    const own = happening(run, local(run, reader.stop));
    return own.filter((_, i) => i % 3 === 2).join();
  });
  const same = texts.every((text) => text === texts[0]);
  return data.runs.map((run, r) => {
    const stop = local(run, reader.stop);
    const name = el("h3", { textContent: run.name });
    if (!same && texts[r]) name.append(el("span", { className: "differs", textContent: "differs" }));
    const parts = [name, linesOf(run, stop), el("p", { className: "detail", textContent: "waits" }), waiting(run, stop)];
    if (r === reader.run) parts.push(...things(run, stop));
    return el("section", { className: r === reader.run ? "of chosen" : "of" }, ...parts);
  });
}

// failuresAt names the expectations that failed at the tick.
function failuresAt(run, stop) {
  const here = run.at[stop] === reader.stop ? run.failures.filter((it) => it.stop === stop) : [];
  return here.map((it) => el("p", { className: "wrong" }, "failed here: ", el("code", { textContent: it.text })));
}

// waiting lists what the controller waits for at a stop, and since when; where it never ends, the fix as well.
function waiting(run, stop) {
  const list = el("ul", { className: "waiting-list" });
  for (const set of run.sets) {
    const w = set.waits;
    for (const i of openAt(set, stop)) {
      const ever = w[i + W_TO] < 0 && w[i + W_RESTING] === 0 && endless(run);
      list.append(
        el(
          "li",
          {},
          el("b", { className: ever ? "wrong" : "", textContent: (run.sets.length > 1 ? set.name + ": " : "") + data.words[w[i + W_LABEL]] }),
          " " + data.words[w[i + W_SENTENCE]] + " ",
          el("span", { className: "since", textContent: since(run, w[i + W_FROM]) + (ever ? ", for ever" : "") }),
          ...(ever ? wayOut(run, set) : []),
        ),
      );
    }
  }
  if (!list.children.length) list.append(el("li", { className: "detail", textContent: "for nothing" }));
  return list;
}

// wayOut is what ends the wait of a set, with what it costs.
function wayOut(run, set) {
  const cure = (run.cures || []).find((it) => it.set === set.name);
  if (!cure) return [];
  const text = cure.commands.join("\n");
  const button = el("button", { type: "button", className: "copy", textContent: "Copy" });
  button.dataset.copy = text;
  return [
    el("p", { className: cure.danger ? "wrong" : "right", textContent: "Fix. " + cure.line }),
    el("div", { className: "command" }, el("pre", { tabIndex: 0, textContent: text }), button),
  ];
}

const THINGS = [
  ["process", "Processes without a pod"],
  ["node", "Nodes that have changed"],
  ["budget", "PodDisruptionBudgets"],
  ["claim", "Claims"],
  ["name", "Names in the DNS"],
];
const MAX_THINGS = 12;

// things lists what there is beside the pods at a stop: first what has just changed and what is not well.
function things(run, stop) {
  return THINGS.flatMap(([kind, title]) => {
    const all = (run.things || []).filter((thing) => thing.kind === kind && !(kind === "node" && untouched(run, thing)));
    const there = all.map((thing) => [thing, changeAt(thing, stop)]).filter(([, i]) => i >= 0);
    if (!there.length) return [];
    if (there.length > MAX_THINGS) {
      const dull = ([thing, i]) => thing.changes[i] !== stop && data.tones[thing.changes[i + 2]] === "plain";
      there.sort((a, b) => dull(a) - dull(b));
    }
    const list = el("ul", {}, ...there.slice(0, MAX_THINGS).map(([thing, i]) => thingRow(run, thing, i)));
    if (there.length > MAX_THINGS) {
      list.append(el("li", { className: "detail", textContent: "and " + (there.length - MAX_THINGS) + " more" }));
    }
    return [el("h3", { textContent: title }), list];
  });
}

// untouched reports whether nothing has happened to a thing but that the run begins with it.
function untouched(run, thing) {
  return run.begun && +run.times[thing.changes[thing.changes.length - 3]] === 0;
}

function thingRow(run, thing, i) {
  const c = thing.changes;
  const tone = data.tones[c[i + 2]];
  return el(
    "li",
    {},
    el("b", { textContent: thing.name }),
    ": ",
    el("span", { className: tone, textContent: data.words[c[i + 1]] }),
    el("span", { className: "since", textContent: " " + since(run, c[i]) }),
  );
}

const MAX_LIFE = 12;

// life tells the life of the chosen pod up to the stop.
function life(run, stop) {
  const set = run.sets[reader.set];
  const pod = set && set.pods[reader.pod];
  if (!pod) return [];
  const list = el("ul");
  const upTo = lastUpTo(pod.bars.length / BAR, (k) => pod.bars[k * BAR] <= stop);
  for (let k = Math.max(0, upTo - MAX_LIFE + 1); k <= upTo; k++) {
    const b = pod.bars.slice(k * BAR, (k + 1) * BAR);
    const link = el("button", { type: "button", className: "link", textContent: clock(+run.times[b[0]]) });
    link.addEventListener("click", () => go({ stop: run.at[b[0]] }));
    const why = data.words[b[B_WHY]];
    const text =
      data.states[b[B_STATE]] +
      " @" +
      b[B_TEMPLATE] +
      (b[B_BARE] ? ", belongs to nobody" : "") +
      (why ? ": " + why : "") +
      (b[B_CHANGES] > 1 ? " (" + b[B_CHANGES] + " changes)" : "");
    list.append(el("li", { className: "by" }, el("span", { className: "actor" }, link), text));
  }
  if (!list.children.length) list.append(el("li", { className: "detail", textContent: "is not there yet" }));
  return [el("h3", { textContent: pod.name + " so far" }), list];
}
