// Keys, and playing the run.

const MOVES = {
  ArrowLeft: () => go({ stop: reader.stop - 1 }),
  ArrowRight: () => go({ stop: reader.stop + 1 }),
  Home: () => go({ stop: 0 }),
  End: () => go({ stop: stops.length - 1 }),
  ArrowUp: () => move(-1),
  ArrowDown: () => move(1),
};

const KEYS = {
  k: () => move(-1),
  j: () => move(1),
  w: () => zoom(0.7),
  "+": () => zoom(0.7),
  "=": () => zoom(0.7),
  s: () => zoom(1 / 0.7),
  "-": () => zoom(1 / 0.7),
  a: () => pan(-0.2),
  d: () => pan(0.2),
  f: () => zoomToStep(reader.stop, data.runs[reader.run]),
  0: () => look(0, 1),
  n: () => nextHit(1),
  N: () => nextHit(-1),
  p: () => play(),
  "/": () => $("search").focus(),
  "?": () => toggleHelp(),
};

// move chooses the next pod or the one before, across the sets of the run.
function move(by) {
  const sets = data.runs[reader.run].sets;
  let set = reader.set;
  let pod = reader.pod + by;
  if (pod < 0 && set > 0) {
    set--;
    pod = sets[set].pods.length - 1;
  } else if (sets[set] && pod >= sets[set].pods.length && set + 1 < sets.length) {
    set++;
    pod = 0;
  }
  go({ set, pod });
}

// toStep goes to the step of a number, in the run that was chosen.
function toStep(number) {
  const step = data.runs[reader.run].steps.find((it) => !it.fault && it.number === number);
  if (step) go({ stop: step.at });
}

// key acts on a key, unless it belongs to what has the focus. Up, down, Home and End are left to the browser's
// scrolling unless the reader is in the player.
function key(event) {
  const { target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches("input[type=search], select, textarea, pre")) return;
  const inside = target.id === "slider" || target.classList.contains("lanes");
  const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (MOVES[event.key] && (inside || sideways)) {
    event.preventDefault();
    stopPlaying();
    MOVES[event.key]();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    if (event.key !== "p") stopPlaying();
    KEYS[event.key]();
  } else if (/^[1-9]$/.test(event.key)) {
    stopPlaying();
    toStep(Number(event.key));
  }
}

function play() {
  if (reader.playing) {
    stopPlaying();
    return;
  }
  if (reader.stop === stops.length - 1) go({ stop: 0 });
  $("play").textContent = "Pause";
  // A long run is played faster, so that nobody has to wait for its end.
  const pause = Math.max(60, Math.min(900, 45000 / stops.length));
  reader.playing = setInterval(() => {
    if (reader.stop >= stops.length - 1) stopPlaying();
    else go({ stop: reader.stop + 1 });
  }, pause);
}

function stopPlaying() {
  clearInterval(reader.playing);
  reader.playing = 0;
  $("play").textContent = "Play";
}

function listenToPlayer() {
  const on = (id, act) =>
    $(id).addEventListener("click", () => {
      stopPlaying();
      act();
    });
  on("first", MOVES.Home);
  on("previous", MOVES.ArrowLeft);
  on("next", MOVES.ArrowRight);
  on("last", MOVES.End);
  $("play").addEventListener("click", play);
  $("slider").addEventListener("input", (event) => go({ stop: Number(event.target.value) }));
  document.addEventListener("keydown", key);
}
