// What the page says about the tick.

function cursors() {
  for (const p of plots) {
    p.cursor.style.left = x(reader.stop) + "px";
    p.counts.textContent = countsText(p, local(p.run, reader.stop));
  }
}

function show() {
  const run = data.runs[reader.run],
    stop = local(run, reader.stop);
  const now = clock(stops[reader.stop] ? stops[reader.stop][0] : 0);
  const tick = "tick " + (reader.stop + 1) + " of " + stops.length;
  $("now").textContent = now + " · " + tick;
  $("slider").value = reader.stop;
  $("slider").setAttribute("aria-valuetext", now + ", " + tick);
  cursors();
  told(run, stop, now);
  table(run, stop);
  announce(run, stop, now + ", " + tick);
}

// announce says the tick to a screen reader, and no more of it than one can listen to.
function announce(run, stop, when) {
  const lines = [];
  const own = stop >= 0 && run.at[stop] === reader.stop ? run.lines[stop] : [];
  for (let i = 0; i < own.length && lines.length < 4; i += 3) lines.push(data.words[own[i + 2]]);
  $("live").textContent = when + ". " + lines.join(". ");
}

function lineOf(list, i, before) {
  const actor = list[i] !== before ? data.actors[list[i]] : "";
  return [
    el("span", { className: "actor", textContent: actor }),
    el("span", { className: data.tones[list[i + 1]], textContent: data.words[list[i + 2]] }),
  ];
}

function told(run, stop, now) {
  const own = stop >= 0 && run.at[stop] === reader.stop ? run.lines[stop] : [];
  const list = el("ul");
  for (let i = 0; i < own.length; i += 3) list.append(el("li", {}, ...lineOf(own, i, i ? own[i - 3] : -1)));
  if (!own.length) list.append(el("li", { className: "detail", textContent: "Nothing that is worth a line." }));
  const waits = waiting(run, stop);
  const of = data.runs.length > 1 ? " in " + run.name : "";
  $("told").replaceChildren(
    el("h2", { textContent: "At " + now + of }),
    list,
    el("h3", { textContent: "The controller waits" }),
    waits,
    ...things(run, stop),
    ...history_(run, stop),
  );
}

// waiting lists what the controller waits for at a stop, and since when.
function waiting(run, stop) {
  const list = el("ul");
  for (const set of run.sets) {
    const w = set.waits;
    for (let i = 0; i < w.length; i += WAIT) {
      if (w[i] > stop || (w[i + 1] >= 0 && w[i + 1] <= stop)) continue;
      list.append(
        el(
          "li",
          {},
          el("span", { className: "actor", textContent: set.name }),
          el("b", { textContent: data.words[w[i + 2]] }),
          ": " + data.words[w[i + 3]] + " ",
          el("span", { className: "since", textContent: "since " + clock(+run.times[w[i]]) }),
        ),
      );
    }
  }
  if (!list.children.length) list.append(el("li", { className: "detail", textContent: "for nothing" }));
  return list;
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
    const all = (run.things || []).filter((thing) => thing.kind === kind).map((thing) => [thing, changeAt(thing, stop)]);
    const there = all.filter(([, i]) => i >= 0);
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

function thingRow(run, thing, i) {
  const c = thing.changes;
  const tone = data.tones[c[i + 2]];
  return el(
    "li",
    {},
    el("b", { textContent: thing.name }),
    ": ",
    el("span", { className: tone, textContent: data.words[c[i + 1]] }),
    el("span", { className: "since", textContent: " since " + clock(+run.times[c[i]]) }),
  );
}

const MAX_HISTORY = 12;

// history_ tells the life of the chosen pod up to the stop. The window has a history of its own.
function history_(run, stop) {
  const set = run.sets[reader.set];
  const pod = set && set.pods[reader.pod];
  if (!pod) return [];
  const list = el("ul");
  const upTo = lastUpTo(pod.bars.length / BAR, (k) => pod.bars[k * BAR] <= stop);
  for (let k = Math.max(0, upTo - MAX_HISTORY + 1); k <= upTo; k++) {
    const b = pod.bars.slice(k * BAR, (k + 1) * BAR);
    const go_ = el("a", {
      href: "#run=" + (reader.run + 1) + "&tick=" + (b[0] + 1),
      textContent: clock(+run.times[b[0]]),
    });
    const why = data.words[b[B_WHY]];
    list.append(
      el(
        "li",
        {},
        el("span", { className: "actor" }, go_),
        data.states[b[B_STATE]] +
          " @" +
          b[B_TEMPLATE] +
          (b[B_BARE] ? ", belongs to nobody" : "") +
          (why ? ": " + why : "") +
          (b[B_CHANGES] > 1 ? " (" + b[B_CHANGES] + " changes)" : ""),
      ),
    );
  }
  if (!list.children.length) list.append(el("li", { className: "detail", textContent: "is not there yet" }));
  return [el("h3", { textContent: pod.name + " so far" }), list];
}

const COLUMNS = ["NAME", "READY", "STATUS", "RESTARTS", "AGE", "TEMPLATE", "IMAGE"];
const ALIKE = 6; // So many pods in a row that look the same become one row.

function table(run, stop) {
  const parts = [el("h2", { textContent: "Pods" })];
  run.sets.forEach((set, s) => {
    const all = [];
    set.pods.forEach((pod, n) => {
      const i = barAt(pod, stop);
      if (i >= 0) all.push(cells(run, set, { pod, n, i, stop }));
    });
    const body = el("tbody", {}, ...alike(all, s).map((row) => tableRow(row, s)));
    const head = el("tr", {}, ...COLUMNS.map((name) => el("th", { scope: "col", textContent: name })));
    const what = run.sets.length > 1 ? set.name + ": " : "";
    parts.push(
      el(
        "table",
        {},
        el("caption", {
          textContent: what + all.length + (all.length === 1 ? " pod" : " pods") + ", as kubectl get pods shows them",
        }),
        el("thead", {}, head),
        body,
      ),
    );
  });
  $("table").replaceChildren(...parts);
}

function cells(run, set, { pod, n, i, stop }) {
  const b = pod.bars;
  return {
    n,
    name: pod.name,
    changed: run.at[b[i]] === reader.stop,
    template: b[i + B_TEMPLATE],
    ready: data.words[b[i + B_READY]],
    status: data.words[b[i + B_STATUS]],
    restarts: b[i + B_RESTARTS],
    age: +run.times[stop] - run.times[b[i + B_BORN]],
    image: set.images[b[i + B_TEMPLATE]] || "",
    count: 1,
  };
}

// alike joins neighbours that show the same. Those that have just changed and the chosen one are always shown.
function alike(all, s) {
  if (all.length <= 30) return all;
  const shown = [];
  const same = (a, b) => a.ready === b.ready && a.status === b.status && a.restarts === b.restarts && a.template === b.template;
  const alone = (row) => row.changed || (s === reader.set && row.n === reader.pod);
  for (let i = 0; i < all.length;) {
    let end = i + 1;
    while (end < all.length && !alone(all[i]) && !alone(all[end]) && same(all[i], all[end])) end++;
    if (end - i < ALIKE) shown.push(...all.slice(i, end));
    else shown.push(together(all.slice(i, end)));
    i = end;
  }
  return shown;
}

function together(rows) {
  const ages = rows.map((row) => row.age);
  const young = age(Math.min(...ages)),
    old = age(Math.max(...ages));
  return {
    ...rows[0],
    until: rows[rows.length - 1].name,
    count: rows.length,
    ageText: young === old ? old : young + "–" + old,
  };
}

function tableRow(row, s) {
  const name = el("button", {
    type: "button",
    textContent: row.count > 1 ? row.name + " … " + row.until + " (" + row.count + " alike)" : row.name,
  });
  name.addEventListener("click", () => go({ set: s, pod: row.n }));
  const swatch = el("span", { className: "swatch" });
  swatch.style.background = palette.template(row.template);
  const tr = el(
    "tr",
    {},
    el("td", {}, name),
    ...[row.ready, row.status, String(row.restarts), row.ageText || age(row.age)].map((t) => el("td", { textContent: t })),
    el("td", {}, swatch, "@" + row.template),
    el("td", { textContent: row.image }),
  );
  if (row.changed) tr.classList.add("changed");
  if (s === reader.set && row.n === reader.pod && row.count === 1) {
    tr.classList.add("selected");
    tr.setAttribute("aria-current", "true");
  }
  return tr;
}

// story writes the whole of it, when somebody wants to read it: the picture as text.
function story() {
  const list = $("story").querySelector("ol");
  if (list.children.length) return;
  data.runs.forEach((run, r) =>
    run.lines.forEach((lines, i) => {
      if (!lines.length) return;
      const href = "#run=" + (r + 1) + "&tick=" + (i + 1);
      const title = (data.runs.length > 1 ? run.name + ", " : "") + clock(+run.times[i]);
      const item = el("li", {}, el("h3", {}, el("a", { href, textContent: title })));
      for (let k = 0; k < lines.length; k += 3) item.append(el("p", {}, ...lineOf(lines, k, k ? lines[k - 3] : -1)));
      list.append(item);
    }),
  );
}
