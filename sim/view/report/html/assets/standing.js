// How things stand at a stop, kept from stop to stop: a step of the cursor changes a few of 10,000 pods, and it takes the
// time of those alone.

// standing is how the pods of a set stand at a run's own stop, as flat lists with a number for each pod: the offset of its
// bar (bar), -1 where there is no pod, the stop of that bar (from) and of its creation (born), and what a row of the
// table shows of it (look), the same number for the same.
function standing(run, set, stop) {
  const all = (set.standing ||= begun(run, set));
  const { starts, pods, bars } = all;
  while (all.stop < stop) {
    all.stop++;
    for (let i = starts[all.stop]; i < starts[all.stop + 1]; i++) stand(all, set, pods[i], bars[i]);
  }
  while (all.stop > stop) {
    for (let i = starts[all.stop + 1] - 1; i >= starts[all.stop]; i--) stand(all, set, pods[i], bars[i] - BAR);
    all.stop--;
  }
  return all;
}

// begun is how a set stands before its first stop, with its changes in the order of the stops: those of a stop are from
// starts[stop] up to starts[stop + 1].
function begun(run, set) {
  const n = set.pods.length;
  const starts = new Int32Array(run.times.length + 1);
  for (const { bars } of set.pods) for (let i = 0; i < bars.length; i += BAR) starts[bars[i] + 1]++;
  for (let stop = 1; stop < starts.length; stop++) starts[stop] += starts[stop - 1];
  const next = starts.slice(),
    total = starts[starts.length - 1];
  const all = { stop: -1, starts, pods: new Int32Array(total), bars: new Int32Array(total), looks: new Map() };
  set.pods.forEach(({ bars }, pod) => {
    for (let i = 0; i < bars.length; i += BAR) {
      const at = next[bars[i]]++;
      all.pods[at] = pod;
      all.bars[at] = i;
    }
  });
  for (const list of ["bar", "from", "born", "look"]) all[list] = new Int32Array(n).fill(-1);
  return all;
}

// stand lets a pod stand at a bar, or nowhere before its first.
function stand(all, set, pod, i) {
  const b = set.pods[pod].bars;
  if (i < 0 || b[i + B_STATE] === GONE) {
    all.bar[pod] = -1;
    return;
  }
  all.bar[pod] = i;
  all.from[pod] = b[i];
  all.born[pod] = b[i + B_BORN];
  const words_ = numbered(all.looks, b[i + B_READY] * data.words.length + b[i + B_STATUS]);
  all.look[pod] = numbered(all.looks, -1 - (words_ * 1e4 + b[i + B_TEMPLATE]) * 1e6 - b[i + B_RESTARTS]);
}

// numbered gives each key a number.
function numbered(known, key) {
  let n = known.get(key);
  if (n === undefined) known.set(key, (n = known.size));
  return n;
}

// changesAt is the number of pods that change at a run's own stop.
function changesAt(all, stop) {
  return stop < 0 ? 0 : all.starts[stop + 1] - all.starts[stop];
}

const BLOCK = 64;

// openAt lists the waits of a set that are open at a run's own stop, by their offsets. A block of waits that are all over
// is passed by.
function openAt(set, stop) {
  const w = set.waits,
    list = [];
  set.until ||= untils(w);
  for (let i = 0; i < w.length && w[i + W_FROM] <= stop; i += WAIT) {
    if (i % (BLOCK * WAIT) === 0 && set.until[i / (BLOCK * WAIT)] <= stop) {
      i += (BLOCK - 1) * WAIT;
      continue;
    }
    if (w[i + W_TO] < 0 || w[i + W_TO] > stop) list.push(i);
  }
  return list;
}

// untils is when the last wait of each block is over.
function untils(w) {
  const all = [];
  for (let i = 0; i < w.length; i += WAIT) {
    const block = Math.floor(i / (BLOCK * WAIT));
    all[block] = Math.max(all[block] ?? -1, w[i + W_TO] < 0 ? Infinity : w[i + W_TO]);
  }
  return all;
}
