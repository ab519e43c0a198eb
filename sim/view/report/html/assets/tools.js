// The tools above the figures: the axis, the zoom, the link; and the buttons that copy.

// aligns are the ways in which the runs can stand above each other: from the start, or from a step that all have.
function aligns() {
  const all = [{ value: "start", text: "the start" }];
  const [first, ...others] = data.runs;
  for (const step of first.steps.filter((it) => !it.fault && it.stop > 0)) {
    const same = (run) => run.steps.some((it) => !it.fault && it.number === step.number);
    if (others.every(same)) all.push({ value: String(step.number), text: "step " + step.number });
  }
  return all;
}

// showTools lets the tools show how the reader looks at the runs.
function showTools() {
  $("ticks").checked = reader.axis === "ticks";
  $("folded").checked = reader.folded;
  $("align").value = reader.align;
}

// otherAxis draws again after the axis has changed in kind: the reader stays at the same stop of their run.
function otherAxis(change) {
  const run = data.runs[reader.run];
  const stop = local(run, reader.stop);
  change();
  join();
  numberSteps();
  reader.stop = run.at[Math.max(0, stop)] || 0;
  Object.assign(view, { from: 0, to: 1 });
  $("slider").max = Math.max(0, stops.length - 1);
  drawAll();
  show();
  remember();
}

function listenToTools() {
  $("ticks").addEventListener("change", (event) => otherAxis(() => (reader.axis = event.target.checked ? "ticks" : "time")));
  $("folded").addEventListener("change", (event) => otherAxis(() => (reader.folded = event.target.checked)));
  $("align").addEventListener("change", (event) => otherAxis(() => (reader.align = event.target.value)));
  $("closer").addEventListener("click", () => zoom(0.7));
  $("wider").addEventListener("click", () => zoom(1 / 0.7));
  $("all").addEventListener("click", () => look(0, 1));
  // A page in a frame has no address of its own: whoever holds the frame is told the place instead, and the line of the
  // scenario that is asked for.
  const framed = parent !== window;
  $("link").hidden = framed;
  document.addEventListener("click", (event) => {
    const line = event.target.closest("a.line");
    if (!line) return;
    const [, run, number] = line.hash.split("-");
    if (!framed) return void ($("source-" + run).open = true);
    event.preventDefault();
    parent.postMessage({ line: Number(number) }, "*");
  });
  $("link").addEventListener("click", () => copy(location.href.split("#")[0] + place_(), $("link")));
  $("help").addEventListener("click", toggleHelp);
  $("low").addEventListener("click", toggleLow);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (button) copy(button.dataset.copy ?? button.parentElement.querySelector("code, pre").textContent, button);
  });
  for (const button of document.querySelectorAll("button.download")) {
    button.addEventListener("click", () => download(button));
  }
}

// toggleLow folds what happens at the cursor away, and out again.
function toggleLow() {
  const low = $("panel").classList.toggle("low");
  $("low").setAttribute("aria-expanded", !low);
}

function toggleHelp() {
  $("keys").open = !$("keys").open;
  if ($("keys").open) $("keys").scrollIntoView({ block: "nearest" });
}

// copy puts a text on the clipboard, and says so on the button.
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    copyBySelection(text);
  }
  const before = button.dataset.text || button.textContent;
  button.dataset.text = before;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1500);
}

// copyBySelection copies where the page may not write to the clipboard, as in a frame.
function copyBySelection(text) {
  const area_ = el("textarea", { value: text, className: "unseen" });
  document.body.append(area_);
  area_.select();
  document.execCommand("copy");
  area_.remove();
}

// download unpacks the timeline that the page carries, and saves it.
async function download(button) {
  const packed = Uint8Array.from(atob($(button.dataset.from).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const link = el("a", { href: URL.createObjectURL(await new Response(stream).blob()), download: button.dataset.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
