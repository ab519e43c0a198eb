// The table of the pods, as kubectl get pods shows them.

const COLUMNS = ["NAME", "READY", "STATUS", "RESTARTS", "AGE", "TEMPLATE", "IMAGE"];
const ALIKE = 6; // So many pods in a row that look the same become one row.
const FEW = 30; // Up to so many pods each has a row of its own.

function table(run, stop) {
  const parts = [];
  run.sets.forEach((set, s) => {
    if (run.sets.length > 4 && s !== reader.set) return;
    const groups = grouped(run, set, { s, stop });
    const pods = groups.reduce((n, group) => n + group.count, 0);
    const body = el("tbody", {}, ...groups.map((group) => tableRow(run, set, { group, s, stop })));
    const head = el("tr", {}, ...COLUMNS.map((name_) => el("th", { scope: "col", textContent: name_ })));
    const what = run.sets.length > 1 ? set.name + ": " : "";
    const caption_ = what + pods + (pods === 1 ? " pod" : " pods") + ", as kubectl get pods shows them";
    parts.push(el("table", {}, el("caption", { textContent: caption_ }), el("thead", {}, head), body));
  });
  const of = data.runs.length > 1 ? " of " + run.name : "";
  $("table").replaceChildren(el("h2", { textContent: "Pods" + of + " at " + clock(+run.times[Math.max(0, stop)]) }), ...parts);
}

// grouped joins neighbours that show the same. The chosen pod is always shown, and so are those that have just changed,
// unless they are many.
function grouped(run, set, { s, stop }) {
  const groups = [];
  let group = null,
    there = 0;
  const now = stop >= 0 && run.at[stop] === reader.stop ? stop : -1;
  const all = standing(run, set, stop);
  const many = changesAt(all, now) > FEW;
  const chosen = s === reader.set ? reader.pod : -1;
  for (let n = 0; n < all.bar.length; n++) {
    const i = all.bar[n];
    if (i < 0) continue;
    const born = bornAt(run, set, all, n);
    there++;
    const changed = all.from[n] === now;
    const alone = (changed && !many) || n === chosen;
    if (group && !alone && !group.alone && changed === group.changed && all.look[n] === all.look[group.last]) {
      group.last = n;
      group.i = i;
      if (born < group.oldest) group.oldest = born;
      if (born > group.youngest) group.youngest = born;
      group.count++;
      continue;
    }
    group = { first: n, last: n, i, alone, changed, oldest: born, youngest: born, count: 1 };
    groups.push(group);
  }
  return groups.flatMap((it) => (there > FEW && it.count >= ALIKE ? it : apartFrom(run, set, it, all)));
}

// apartFrom are the pods of a group, each by itself. Between its first and its last are others only if they are not there.
function apartFrom(run, set, group, all) {
  const apart = [];
  for (let n = group.first; n <= group.last; n++) {
    const i = all.bar[n];
    if (i < 0) continue;
    const born = bornAt(run, set, all, n);
    apart.push({ ...group, first: n, last: n, i, oldest: born, youngest: born, count: 1 });
  }
  return apart;
}

// bornAt is when a pod was created, in seconds: below 0 for one that the run begins with.
function bornAt(run, set, all, n) {
  const at = +run.times[all.born[n]];
  return at > 0 ? at : at - (set.pods[n].age || 0);
}

function tableRow(run, set, { group, s, stop }) {
  const pod = set.pods[group.last],
    b = pod.bars,
    i = group.i;
  const one = group.count === 1;
  const text = one ? pod.name : set.pods[group.first].name + " … " + pod.name + " (" + group.count + " alike)";
  const button = el("button", { type: "button", textContent: text });
  button.addEventListener("click", () => go({ set: s, pod: group.first }));
  const swatch = el("span", { className: "swatch" });
  swatch.style.background = palette.template(b[i + B_TEMPLATE]);
  const [old, young] = [group.oldest, group.youngest].map((born) => age(+run.times[stop] - born));
  const words_ = [data.words[b[i + B_READY]], data.words[b[i + B_STATUS]], String(b[i + B_RESTARTS])];
  words_.push(old === young ? old : young + "–" + old);
  const row = el(
    "tr",
    {},
    el("td", {}, button),
    ...words_.map((t) => el("td", { textContent: t })),
    el("td", {}, swatch, "@" + b[i + B_TEMPLATE]),
    el("td", { textContent: set.images[b[i + B_TEMPLATE]] || "" }),
  );
  if (group.changed) row.classList.add("changed");
  if (one && s === reader.set && group.first === reader.pod) {
    row.classList.add("selected");
    row.setAttribute("aria-current", "true");
  }
  return row;
}
