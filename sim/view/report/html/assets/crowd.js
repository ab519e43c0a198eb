// Crowds: many pods as a few lanes, each a stack of how many of its pods are in which state.

const CROWDS = 20; // So many lanes at most.

// The states in the order in which they are stacked, from the ground up.
const STACKED = ["Ready", "Succeeded", "Running", "Pending", "Terminating", "Unready", "Failed"];

// crowdsOf divides the pods of a set among lanes.
function crowdsOf(p) {
  const n = p.set.pods.length;
  const each = Math.ceil(n / CROWDS);
  const all = [];
  for (let from = 0; from < n; from += each) all.push({ from, to: Math.min(n, from + each) });
  return all;
}

// drawCrowds draws the stacks of all lanes. They are kept, since to choose a pod changes none of them.
function drawCrowds(g, p, down) {
  const height = p.height - p.pinHeight;
  const key = [viewKey(), height, palette.bg, devicePixelRatio].join();
  if (p.crowdKey !== key) {
    p.crowdKey = key;
    p.crowdImage ||= document.createElement("canvas");
    const own = fitted(p.crowdImage, area.width, height);
    const crowds = crowdsOf(p);
    const columns = Math.max(1, Math.ceil(area.right - area.left + 6));
    const at = Int32Array.from(xs(p.run), (left) => Math.min(columns, Math.max(0, Math.round(left - area.left))));
    crowds.forEach((crowd, i) => stack(own, count(p, crowd, { at, columns }), crowd, crowdBox(height, crowds.length, i)));
  }
  g.drawImage(p.crowdImage, 0, down, area.width, height);
  if (found.text) dim(g, down, height);
}

function crowdBox(height, n, i) {
  return { y: (i * height) / n + 1.5, h: height / n - 3 };
}

// stack draws how many pods of a lane are in which state, a column a pixel.
function stack(g, { kinds, changed }, crowd, box) {
  const columns = changed.length - 1;
  const per = box.h / (crowd.to - crowd.from);
  const now = kinds.map(() => 0);
  let from = 0;
  for (let c = 0; c <= columns; c++) {
    if (c < columns && !changed[c]) continue;
    if (c > from) pile(g, kinds, now, { x: area.left + from, w: c - from, ground: box.y + box.h, per });
    from = c;
    for (let k = 0; k < kinds.length; k++) now[k] += kinds[k].change[c];
  }
}

function pile(g, kinds, now, { x, w, ground, per }) {
  for (let k = 0; k < kinds.length; k++) {
    if (!now[k]) continue;
    const kind = kinds[k];
    // A pod in trouble is to be seen, however many are well.
    const h = Math.max(now[k] * per, kind.ill ? 2 : 0);
    ground -= h;
    shade(g, { x, y: ground, w, h }, kind.state, kind.colour, palette);
  }
}

// count says, for each state and revision, by how many its pods change in each of the columns, which at has for each
// stop of the run, and in which columns any of them does.
function count(p, crowd, { at, columns }) {
  const kinds = new Map(),
    changed = new Uint8Array(columns + 1);
  for (let n = crowd.from; n < crowd.to; n++) {
    const b = p.set.pods[n].bars;
    for (let i = 0; i < b.length; i += BAR) {
      if (b[i + B_STATE] === GONE) continue;
      const from = at[b[i]],
        to = i + BAR < b.length ? at[b[i + BAR]] : columns;
      if (to <= from) continue;
      const key = b[i + B_STATE] * 4096 + b[i + B_TEMPLATE];
      let kind = kinds.get(key);
      if (!kind) kinds.set(key, (kind = kindOf(b, i, columns)));
      kind.change[from]++;
      kind.change[to]--;
      changed[from] = changed[to] = 1;
    }
  }
  const order = (a, b) => STACKED.indexOf(a.state) - STACKED.indexOf(b.state) || b.template - a.template;
  return { kinds: [...kinds.values()].sort(order), changed };
}

function kindOf(b, i, columns) {
  const state = data.states[b[i + B_STATE]],
    template = b[i + B_TEMPLATE];
  return {
    state,
    template,
    ill: state === "Failed" || state === "Unready",
    colour: state === "Unready" ? palette.bad : palette.template(template),
    change: new Int32Array(columns + 1),
  };
}

function crowdNames(g, p, down) {
  const crowds = crowdsOf(p);
  const height = p.height - p.pinHeight;
  g.font = "11px " + SANS;
  g.fillStyle = palette.ink;
  crowds.forEach((crowd, i) => {
    const box = crowdBox(height, crowds.length, i);
    const ordinal = (n) => p.set.pods[n].name.slice(p.set.pods[n].name.lastIndexOf("-"));
    const [from, to] = [ordinal(crowd.from), ordinal(crowd.to - 1)];
    const texts = ["…" + from + " to " + to, from + " to " + to, from.slice(1) + "–" + to.slice(1)];
    const fits = texts.find((text) => g.measureText(text).width <= area.left - 14);
    clipped(g, fits || texts[2], 7, down + box.y + box.h / 2, area.left - 14);
  });
}

// podIn is the pod of a crowd at a distance from the top of the crowds.
function podIn(p, y) {
  const crowds = crowdsOf(p);
  const each = (p.height - p.pinHeight) / crowds.length;
  const crowd = crowds[Math.floor(y / each)];
  if (!crowd) return -1;
  const part = (y % each) / each;
  return Math.min(crowd.to - 1, crowd.from + Math.floor(part * (crowd.to - crowd.from)));
}
