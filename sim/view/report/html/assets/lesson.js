// A lesson: what is still to come is behind a curtain, until the reader has answered and watched, or asks for it.

const curtain = { drawn: Boolean(data.lesson), upTo: 0 };

// hideFuture covers a picture to the right of the furthest tick that the reader has seen.
function hideFuture(g, p, height) {
  if (!curtain.drawn) return;
  const from = Math.max(area.left, x(Math.min(curtain.upTo, stops.length - 1)) + 2);
  if (curtain.upTo >= stops.length - 1 || from > area.width) return;
  g.fillStyle = palette.panel;
  g.fillRect(from, 0, area.width - from, height);
  stripes(g, from, 0, area.width - from, height, palette.grid, 16);
}

// seen moves the curtain along with the reader.
function seen() {
  if (!curtain.drawn || reader.stop <= curtain.upTo) return;
  curtain.upTo = reader.stop;
  redraw();
}

function listenToLesson() {
  if (!data.lesson) return;
  document.body.classList.add("curtained");
  $("watch").addEventListener("click", () => {
    judge("");
    play();
    $("player").scrollIntoView({ block: "start" });
  });
  $("reveal").addEventListener("click", reveal_);
}

// reveal_ opens the curtain, judges the answer and says why.
function reveal_() {
  stopPlaying();
  curtain.drawn = false;
  document.body.classList.remove("curtained");
  $("answer").hidden = false;
  const chosen_ = document.querySelector("[name=answer]:checked");
  const { right } = $("lesson").dataset;
  if (!chosen_) judge("The answer is " + right + ".");
  else if (chosen_.value === right) judge("Your answer " + right + " is right.", "right");
  else judge("Your answer was " + chosen_.value + "; right is " + right + ".", "wrong");
  go({ stop: stops.length - 1 });
  drawAll();
  legend();
}

function judge(text, tone) {
  $("judged").textContent = text;
  $("judged").className = tone || "";
}
