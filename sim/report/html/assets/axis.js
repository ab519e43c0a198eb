// Where things are on the axis.

function measure() {
  const width = $("plots").clientWidth;
  const names = data.runs.flatMap((run) => run.sets.flatMap((set) => set.pods.map((pod) => pod.name)));
  let widest = 108;
  for (const name of names) widest = Math.max(widest, name.length * 7.4 + 12);
  const left = Math.min(widest, width < 500 ? 96 : 190);
  // What a run ends in needs room to be seen, although no time passes in it.
  const tail = Math.min(56, width * 0.08);
  return { width, left, right: width - tail, tail };
}

let area = null;

function x(stop) {
  const room = area.right - area.left;
  if (reader.axis === "ticks") return area.left + (room * stop) / Math.max(1, stops.length - 1);
  return xOf(stops[stop][0]);
}

const longest = Math.max(...data.runs.map((run) => +run.end), 1e-9);

function xOf(t) {
  return area.left + ((area.right - area.left) * t) / longest;
}

// stopAt is the stop that a place on the axis shows.
function stopAt(place) {
  return Math.max(
    0,
    lastUpTo(stops.length, (i) => x(i) <= place + 0.5),
  );
}
