// What explains a duration, and what is waited for: the critical path along the lanes, and the arrows from the waits at
// the cursor to the pods that they are for.

const PATH = 4; // The length of a row in the flat list of the critical path.
const [P_FROM, P_TO, P_POD] = Array(PATH).keys();

// drawPath draws where the time since the last step went: along the lane of the pod that was waited for, then across to
// the next one.
function drawPath(g, p, down) {
  const rows_ = p.set.path;
  if (!rows_ || !p.path || p.crowded) return;
  const low = (pod) => down + (p.row >= 10 ? (pod + 1) * p.row - 1.5 : (pod + 0.5) * p.row);
  const turns = [];
  g.beginPath();
  let y = null;
  for (let i = 0; i < rows_.length; i += PATH) {
    const from = x(p.run.at[rows_[i + P_FROM]]),
      to = x(p.run.at[rows_[i + P_TO]]);
    const next = rows_[i + P_POD] < 0 ? y : low(rows_[i + P_POD]);
    if (next === null) continue;
    if (y === null) g.moveTo(from, next);
    else g.lineTo(from, y);
    g.lineTo(from, next);
    g.lineTo(to, next);
    if (y !== null && Math.abs(next - y) > 8) turns.push([from, next, Math.sign(next - y)]);
    y = next;
  }
  g.lineJoin = "round";
  for (const [colour, width] of [[palette.bg, 5.5], [palette.ink, 2.5]]) {
    g.strokeStyle = colour;
    g.lineWidth = p.row < 7 ? width / 2 : width;
    g.stroke();
  }
  g.lineJoin = "miter";
  g.fillStyle = palette.ink;
  for (const [at, to, sign] of turns) arrowHead(g, at, to, sign);
}

function arrowHead(g, at, y, sign) {
  g.beginPath();
  g.moveTo(at, y);
  g.lineTo(at - 4.5, y - 8 * sign);
  g.lineTo(at + 4.5, y - 8 * sign);
  g.fill();
}

const MOST_ARROWS = 4;

// flows draws an arrow from each wait at the cursor to the pod that is waited for.
function flows(p) {
  const arrows = onPaper() || p.bottom.hidden || !inView(x(reader.stop)) ? [] : arrowsOf(p, local(p.run, reader.stop));
  p.flow.replaceChildren(...arrows.map(arrow));
}

function arrowsOf(p, stop) {
  const w = p.set.waits;
  p.numbers ||= new Map(p.set.pods.map((pod, n) => [pod.name, n]));
  p.bottomTop ??= p.bottom.offsetTop;
  const all = [];
  for (const i of openAt(p.set, stop)) {
    const row = p.rowOf[i / WAIT] - 1;
    const pod = p.numbers.get(data.words[w[i + W_OBJECT]]);
    if (row < 0 || row >= p.waitRows || w[i + W_RESTING] || pod === undefined || all.length === MOST_ARROWS) continue;
    const ever = w[i + W_TO] < 0 && endless(p.run);
    all.push({ at: x(reader.stop), from: p.bottomTop + p.waitsAt + row * WAIT_ROW + 4, to: middleOf(p, pod), ever });
  }
  return all;
}

// middleOf is how far down in a figure the lane of a pod is, as far as it is in view.
function middleOf(p, pod) {
  const pinned = p.pinned.indexOf(pod);
  const rest = p.crowded ? (p.height - p.pinHeight) / p.set.pods.length : p.row;
  const y = pinned >= 0 ? (pinned + 0.5) * PIN : p.pinHeight + (pod + 0.5) * rest;
  const lanes = Math.min(p.height, LANES);
  return p.bottomTop - lanes + Math.min(Math.max(y - p.scrolled, 4), lanes - 4);
}

function arrow({ at, from, to, ever }) {
  // To the left, where there is room, it does not hide the words of the bar that begins at the cursor.
  const room = at - area.left;
  const side = room > 18 ? -1 : 1;
  const bend = at + (side < 0 ? Math.min(44, room + 4) : 44) * side,
    tip = at + 3 * side;
  const curve = `M${at} ${from}C${bend} ${from} ${bend} ${to} ${at + 9 * side} ${to}`;
  return svg("g", { class: ever ? "ever" : "" }, [
    svg("path", { class: "halo", d: curve }),
    svg("path", { d: curve }),
    svg("path", { class: "tip", d: `M${tip} ${to}l${10 * side} -5.5v11z` }),
  ]);
}

// svg makes an element of a picture.
function svg(tag, attributes, children = []) {
  const e = document.createElementNS($("flow").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}
