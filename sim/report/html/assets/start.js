// Keys, buttons, time.

const MOVES = {
  ArrowLeft: () => go({ stop: reader.stop - 1 }),
  ArrowRight: () => go({ stop: reader.stop + 1 }),
  Home: () => go({ stop: 0 }),
  End: () => go({ stop: stops.length - 1 }),
  ArrowUp: () => move(-1),
  ArrowDown: () => move(1),
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

// key steps. Up, down, Home and End are left to the browser's scrolling unless the reader is in the player.
function key(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.name === "axis") return;
  const inside = event.target.id === "slider" || event.target.classList.contains("lanes");
  const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (event.key === "p") {
    play();
  } else if (MOVES[event.key] && (inside || sideways)) {
    event.preventDefault();
    stopPlaying();
    MOVES[event.key]();
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

function listen() {
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
  $("axis").addEventListener("change", (event) => {
    reader.axis = event.target.value;
    drawAll();
  });
  $("story").addEventListener("toggle", story);
  document.addEventListener("keydown", key);
  addEventListener("hashchange", () => {
    if (recall()) {
      go({});
      $("controls").scrollIntoView({ block: "nearest" });
    }
  });
  new ResizeObserver(() => {
    if (!area || area.width !== $("plots").clientWidth) drawAll();
  }).observe($("plots"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawAll();
    show();
  });
  // Paper is white, whatever the screen is.
  const paper = (on) => {
    document.documentElement.classList.toggle("paper", on);
    drawAll();
    show();
  };
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
}

// choose begins with the pod that somebody waits for at the end, if there is one: that is what a reader wants to know.
function choose() {
  data.runs[0].sets.some((set, s) => {
    for (let i = 0; i < set.waits.length; i += WAIT) {
      const name = data.words[set.waits[i + 2]].split(" ")[1];
      const pod = set.waits[i + 1] < 0 ? set.pods.findIndex((it) => it.name === name) : -1;
      if (pod >= 0) {
        Object.assign(reader, { set: s, pod });
        return true;
      }
    }
    return false;
  });
}

function start() {
  if (!stops.length) return;
  build();
  listen();
  choose();
  recall();
  drawAll();
  show();
  $("slider").focus({ preventScroll: true, focusVisible: false });
}

start();
