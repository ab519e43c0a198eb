// A sheet: its table with a filter, and the runs behind it as tabs.

const allRuns = data.runs;
allRuns.forEach((run, n) => (run.n = n));
if (data.tabs) data.runs = allRuns.slice(0, 1);

function listenToFilter() {
  if (!$("filter")) return;
  $("filter").addEventListener("input", filter);
  $("look")?.addEventListener("change", filter);
  for (const link of document.querySelectorAll('#rows a[href^="#section-"]')) {
    link.addEventListener("click", () => ($(link.hash.slice(1)).open = true));
  }
}

// nameCells gives each cell of a table the name of its column, which stands beside it on a phone.
function nameCells() {
  const table = $("rows");
  if (!table) return;
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => (cell.dataset.of = names[i]));
}

// filter leaves in the table and among the sections what has all the words that were asked for.
function filter() {
  const asked = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = (it) =>
    (!$("look")?.checked || it.classList.contains("look")) &&
    asked.every((word) => it.textContent.toLowerCase().includes(word));
  let left = 0;
  for (const row of document.querySelectorAll("#rows tbody tr")) {
    row.hidden = !kept(row);
    if (!row.hidden) left++;
  }
  for (const section of document.querySelectorAll(".section")) section.hidden = !kept(section);
  $("left").textContent = left + " of " + document.querySelectorAll("#rows tbody tr").length;
}

// buildTabs makes a button for each run.
function buildTabs() {
  if (!data.tabs || allRuns.length < 2) return;
  $("tabs").hidden = false;
  allRuns.forEach((run, n) => {
    const button = el("button", { type: "button", textContent: run.name });
    button.setAttribute("aria-pressed", n === 0);
    button.addEventListener("click", () => {
      toTab(n);
      remember();
    });
    $("tabs").append(button);
  });
}

// toTab shows another run in the place of the one that is shown.
function toTab(n) {
  if (!data.tabs || !allRuns[n] || data.runs[0] === allRuns[n]) return;
  stopPlaying();
  data.runs = [allRuns[n]];
  [...$("tabs").children].forEach((button, k) => button.setAttribute("aria-pressed", k === n));
  plots.length = 0;
  for (const id of ["plots", "steps"]) $(id).replaceChildren();
  Object.assign(reader, { run: 0, set: 0, pod: 0, align: "start" });
  Object.assign(view, { from: 0, to: 1 });
  join();
  build();
  Object.assign(reader, beginning());
  drawAll();
  legend();
  show();
}
