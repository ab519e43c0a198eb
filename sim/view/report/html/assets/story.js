// The whole story in words: the picture as text, a part of it at a time.

const PART = 600; // So many lines are written at once, and the rest of their tick.

// story begins to write when somebody wants to read it.
function story() {
  const list = $("story").querySelector("ol");
  if (list.children.length) return;
  const told = data.runs.flatMap((run, r) => run.lines.map((lines, i) => [r, i]).filter(([, i]) => run.lines[i].length));
  const more = el("button", { type: "button" });
  let next = 0;
  const write = () => {
    for (let lines = 0; next < told.length && lines < PART; next++) {
      const [r, i] = told[next];
      list.append(storyItem(r, i));
      lines += data.runs[r].lines[i].length / 3;
    }
    more.textContent = "Go on: " + (told.length - next) + " more moments";
    more.hidden = next === told.length;
  };
  more.addEventListener("click", write);
  $("story").append(more);
  write();
}

function storyItem(r, i) {
  const run = data.runs[r],
    lines = run.lines[i];
  const title = (data.runs.length > 1 ? run.name + ", " : "") + clock(+run.times[i]);
  const item = el("li", {}, el("h3", {}, el("a", { href: address(r, i), textContent: title })));
  for (let k = 0; k < lines.length; k += 3) item.append(el("p", {}, ...lineOf(lines, k, k ? lines[k - 3] : -1)));
  return item;
}
