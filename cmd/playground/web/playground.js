// The playground: an editor, sim in a worker, and the page that it prints in a frame beside the editor.
import * as cm from "./codemirror.js";
import { source } from "./complete.js";
import { ahead, framed } from "./frame.js";
import { fragment, restored } from "./link.js";
import { Runner } from "./runner.js";

const $ = (id) => document.getElementById(id);
const say = (text, wrong = false) => {
  $("status").textContent = text;
  $("status").classList.toggle("wrong", wrong);
};

// What the editor begins with: first.yaml.
const first = "@first";

const manifest = (image, spec = "") => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web${spec}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: app, image: "${image}"}
`;

// What can be done, each with the files that it begins with, and the command that is played while one types, under the
// versions that are chosen, the oldest first.
const under = (versions) => (versions.length ? ["--kubernetes", versions.join(",")] : []);
const one = (versions) => (versions.length === 1 ? under(versions) : []);
const modes = {
  scenario: { files: { "scenario.yaml": first }, command: (chosen) => ["run", "-o", "html", ...under(chosen), "scenario.yaml"] },
  plan: {
    words: ["The plan goes through", "Not all of the plan goes through"],
    files: { "old.yaml": manifest("app:v1"), "new.yaml": manifest("app:v2") },
    command: (chosen) => ["plan", "-o", "html", ...one(chosen), "old.yaml", "new.yaml"],
  },
  explain: {
    words: ["All is at rest, or continues by itself", "Something does not continue by itself"],
    files: { "dump.yaml": "# Paste a dump here.\n" },
    command: (chosen) => ["explain", "-o", "html", ...one(chosen), "dump.yaml"],
  },
  upgrade: {
    words: ["Nothing gets worse", "Something gets worse"],
    files: { "manifests.yaml": manifest("app:v1", "\n  podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}") },
    command: (chosen) => {
      const [from, to] = chosen.length > 1 ? [chosen[0], chosen.at(-1)] : at.versions.slice(0, 2).reverse();
      return ["upgrade", "-o", "html", "--from", from, "--to", to, "manifests.yaml"];
    },
  },
};

const at = { mode: "scenario", files: {}, file: "", kubernetes: [], place: "", html: "", version: "", versions: [], exploring: false };
const states = new Map();
const schema = await (await fetch("schema.json")).json();

// The editor.

const style = cm.HighlightStyle.define([
  { tag: [cm.tags.propertyName, cm.tags.definition(cm.tags.propertyName)], class: "key" },
  { tag: [cm.tags.string, cm.tags.content], class: "string" },
  { tag: cm.tags.comment, class: "comment" },
]);

const view = new cm.EditorView({ parent: $("editor") });

function stateOf(name, text) {
  const extensions = [
    cm.lineNumbers(), cm.highlightActiveLineGutter(), cm.highlightSpecialChars(), cm.history(), cm.foldGutter(), cm.drawSelection(),
    cm.indentOnInput(), cm.syntaxHighlighting(style), cm.bracketMatching(), cm.closeBrackets(), cm.highlightActiveLine(),
    cm.highlightSelectionMatches(), cm.yaml(), cm.lintGutter(), cm.EditorView.lineWrapping,
    cm.autocompletion(name === "scenario.yaml" ? { override: [source(schema)] } : {}),
    cm.keymap.of([...cm.closeBracketsKeymap, ...cm.defaultKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.foldKeymap,
      ...cm.completionKeymap, ...cm.lintKeymap]),
    cm.EditorView.contentAttributes.of({ "aria-label": name }),
    cm.EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      at.files[name] = update.state.doc.toString();
      at.place = "";
      soon();
    }),
  ];
  return cm.EditorState.create({ doc: text, extensions });
}

function show(name) {
  if (at.file) states.set(at.file, view.state);
  at.file = name;
  if (!states.has(name)) states.set(name, stateOf(name, at.files[name]));
  view.setState(states.get(name));
  for (const tab of $("files").children) {
    tab.setAttribute("aria-selected", String(tab.textContent === name));
    tab.tabIndex = tab.textContent === name ? 0 : -1;
  }
}

// load puts files into the editor in the place of all that is there.
function load(mode, files) {
  Object.assign(at, { mode, files: { ...files }, file: "" });
  states.clear();
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
  $("explore").hidden = mode !== "scenario";
  $("files").replaceChildren(...Object.keys(files).map((name) => {
    const tab = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    tab.setAttribute("role", "tab");
    tab.onclick = () => show(name);
    return tab;
  }));
  show(Object.keys(files)[0]);
}

$("files").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...$("files").children];
  const next = tabs[(tabs.findIndex((it) => it.tabIndex === 0) + step + tabs.length) % tabs.length];
  show(next.textContent);
  next.focus();
});

// What is wrong, from sim's own words: FILE:LINE:COLUMN: what is wrong.

function problems(err) {
  const found = [];
  for (const line of err.split("\n")) {
    const hit = line.match(/^(?:sim: |error: |warning: )*([\w./-]+):(\d+):(\d+): (.*)$/);
    if (hit) found.push({ file: hit[1], line: +hit[2], column: +hit[3], message: hit[4] });
    else if (found.length && /^\s+\S/.test(line)) found[found.length - 1].message += " " + line.trim();
  }
  return found;
}

function mark(found) {
  const doc = view.state.doc;
  const here = found.filter((it) => it.file === at.file && it.line <= doc.lines).map((it) => {
    const line = doc.line(it.line);
    const from = Math.min(line.from + it.column - 1, line.to);
    const word = line.text.slice(from - line.from).match(/^[^\s:,}\]]+/);
    return { from, to: Math.min(line.to, from + (word ? word[0].length : 1)), severity: "error", message: it.message };
  });
  view.dispatch(cm.setDiagnostics(view.state, here));
  $("problems").hidden = !found.length;
  $("problems").replaceChildren(...found.map((it) => {
    const item = document.createElement("li");
    const to = Object.assign(document.createElement("button"), { type: "button", textContent: `${it.file}:${it.line}:${it.column}` });
    to.onclick = () => {
      if (at.files[it.file] !== undefined) show(it.file);
      goTo(it.line, it.column);
    };
    item.append(to, " " + it.message);
    return item;
  }));
}

function goTo(number, column = 1) {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: Math.min(line.from + column - 1, line.to) }, scrollIntoView: true });
  side("edit");
  view.focus();
}

// Playing.

const runner = new Runner((told) => {
  if (told.broken) return say("sim does not run here: " + told.broken, true);
  at.version = told.ready;
  $("about").title = "sim " + told.ready;
  if (at.asked && at.asked !== told.ready) {
    $("about").textContent = `The link was made with sim ${at.asked}, and this is ${told.ready}: the run may differ.`;
  }
  if (!$("versions-list").children.length) listVersions();
});

let waiting = 0;

// soon plays what stands in the editor once nobody has typed for a moment.
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(play, 250);
}

const isEmpty = (text) => text.split("\n").every((line) => /^\s*(#|$)/.test(line));

// turn counts what was to be played: what comes late of an earlier one is not shown.
let turn = 0;

async function play() {
  clearTimeout(waiting);
  remember();
  const mine = ++turn;
  if (at.mode === "explain" && isEmpty(at.files["dump.yaml"])) return empty();
  if (!at.versions.length) return;
  say("Playing…");
  const answer = await runner.run(modes[at.mode].command(at.kubernetes), { ...at.files });
  if (!answer || mine !== turn) return;
  if (answer.late) return say(`It took longer than ${answer.late} s, and was stopped.`, true);
  told(answer, modes[at.mode].words);
}

// empty says what is to be done where there is no dump yet.
function empty() {
  if (at.exploring) $("stop").onclick();
  mark([]);
  keep();
  reveal("hint");
  say("Paste a dump into the editor.");
}

$("example").onclick = async () => {
  const dump = await (await fetch("dump.yaml")).text();
  if (at.mode !== "explain") return;
  load("explain", { "dump.yaml": dump });
  side("picture");
  play();
};

// reveal shows one of the things that can stand beside the editor.
function reveal(which) {
  for (const id of ["hint", "text", "frames"]) $(id).hidden = id !== which;
}

// told shows what came of a command; its exit codes 0 and 1 have words.
function told(answer, words = ["All held", "Not all held"]) {
  const wrong = answer.code === 2 || answer.code === 3;
  mark(wrong ? problems(answer.err) : []);
  if (answer.out.startsWith("<!DOCTYPE")) picture(answer.out);
  else if (answer.out) text(answer.out);
  const took = `${Math.round(answer.took)} ms`;
  if (!wrong) return say(`${words[answer.code] || "Ended"} · ${took}`);
  const first = answer.err.split("\n")[0];
  say(problems(answer.err).length ? `Something is wrong: see below the editor · ${took}` : first, true);
}

function text(out) {
  keep();
  reveal("text");
  $("text").textContent = out;
}

// picture shows a page, unless it is the one that is shown already.
function picture(html) {
  reveal("frames");
  if (html === at.html && $("frames").lastElementChild) return keep();
  at.html = html;
  framed(html, at.place, keep);
}

// keep has the browser keep the site, once something is seen: until then the network is there for what is looked at.
let kept = false;

function keep() {
  if (kept || !("serviceWorker" in navigator) || !isSecureContext) return;
  kept = true;
  navigator.serviceWorker.register("sw.js").catch(() => undefined);
}

// The page in the frame says where its reader is, and which line of the scenario is asked for.
addEventListener("message", (event) => {
  const frame = $("frames").lastElementChild;
  if (!frame || event.source !== frame.contentWindow) return;
  if (typeof event.data.place === "string") {
    at.place = event.data.place;
    remember();
  }
  if (Number.isInteger(event.data.line) && at.mode === "scenario") {
    show("scenario.yaml");
    goTo(event.data.line);
  }
});

// Exploring: longer and longer searches, until one is stopped. What was found last stays.

async function explore() {
  if (!at.versions.length) return say("sim is on its way still: explore in a moment.");
  clearTimeout(waiting); // What was typed just now is searched, and not played beside it.
  $("explore").hidden = true;
  $("stop").hidden = false;
  at.exploring = true;
  side("picture");
  for (const runs of [100, 1000, 5000, 20000]) {
    say(`Exploring ${runs} runs…`);
    const answer = await runner.run(["explore", ...under(at.kubernetes), "--runs", String(runs), "scenario.yaml"], { ...at.files }, 600000);
    if (!at.exploring || !answer || answer.late) break;
    told(answer, ["Nothing was found", "Something was found"]);
    if (answer.code > 1) break;
  }
  at.exploring = false;
  $("explore").hidden = at.mode !== "scenario";
  $("stop").hidden = true;
}

$("explore").onclick = explore;
$("stop").onclick = () => {
  at.exploring = false;
  runner.stop();
  say("Stopped.");
};

// Versions of Kubernetes.

async function listVersions() {
  const answer = await runner.run(["versions", "-o", "json"], {});
  if (answer && answer.code === 0) {
    at.versions = JSON.parse(answer.out).versions.map((it) => it.version || it).reverse();
    $("versions-list").replaceChildren(...at.versions.map((name) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked: at.kubernetes.includes(name) });
      box.onchange = () => {
        at.kubernetes = [...$("versions-list").querySelectorAll(":checked")].map((it) => it.value).reverse();
        shownVersions();
        play();
      };
      label.append(box, " " + name);
      return label;
    }));
  }
  play();
}

function shownVersions() {
  $("versions-shown").textContent = at.kubernetes.join(", ") || "newest";
}

// The gallery.

async function openGallery() {
  $("gallery").showModal();
  if ($("gallery-list").children.length) return;
  const themes = await (await fetch("gallery.json")).json();
  $("gallery-list").replaceChildren(); // It may have been opened twice meanwhile.
  for (const { theme, scenarios } of themes) {
    const section = document.createElement("section");
    section.append(Object.assign(document.createElement("h2"), { textContent: theme }));
    for (const it of scenarios) {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      if (it.image) button.append(Object.assign(document.createElement("img"), { src: it.image, alt: "", width: 132, height: 44 }));
      const text = document.createElement("span");
      text.append(Object.assign(document.createElement("b"), { textContent: it.name }), " " + it.description);
      button.append(text);
      button.onclick = () => {
        $("gallery").close();
        at.place = "";
        load("scenario", it.files);
        side("picture");
        play();
      };
      section.append(button);
    }
    $("gallery-list").append(section);
  }
}

$("gallery-open").onclick = openGallery;
$("gallery-filter").oninput = () => {
  const wanted = $("gallery-filter").value.toLowerCase().split(/\s+/);
  for (const section of $("gallery-list").children) {
    const buttons = [...section.querySelectorAll("button")];
    for (const it of buttons) {
      const words = (section.firstChild.textContent + " " + it.textContent).toLowerCase();
      it.hidden = !wanted.every((word) => words.includes(word));
    }
    section.hidden = buttons.every((it) => it.hidden);
  }
};

// The link, and the page as a file.

let remembering = 0;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", await fragment(at)), 400);
}

$("share").onclick = async () => {
  clearTimeout(remembering);
  const hash = await fragment(at);
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied: ${location.href.length} characters${location.href.length > 8000 ? ", which some programs cut off" : ""}.`);
  } catch (refused) {
    say("The link stands in the address bar.");
  }
};

$("download").onclick = () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([at.html], { type: "text/html" }));
  link.download = at.mode + ".html";
  link.click();
  URL.revokeObjectURL(link.href);
};

// On a narrow screen there is room for the editor or for the picture.
function side(which) {
  document.body.dataset.side = which;
  for (const button of document.querySelectorAll(".sides button")) {
    button.setAttribute("aria-pressed", String(button.dataset.side === which));
  }
}

$("more").onclick = () => $("more").setAttribute("aria-expanded", String(document.body.toggleAttribute("data-more")));
$("intro-close").onclick = () => ($("intro").hidden = true);
for (const button of document.querySelectorAll(".sides button")) button.onclick = () => side(button.dataset.side);
for (const button of document.querySelectorAll("[data-mode]")) {
  button.onclick = () => {
    at.place = "";
    load(button.dataset.mode, modes[button.dataset.mode].files);
    play();
  };
}

async function begin() {
  let from = null;
  try {
    from = await restored(location.hash);
  } catch (error) {
    say("The link cannot be read: " + error.message, true);
  }
  if (from && from.example) {
    const themes = await (await fetch("gallery.json")).json();
    const all = themes.flatMap(({ theme, scenarios }) => scenarios.map((it) => [theme + "/" + it.name, it.files]));
    const found = all.find(([name]) => name === from.example);
    return load("scenario", found ? found[1] : modes.scenario.files);
  }
  if (!from || !modes[from.mode]) return load("scenario", modes.scenario.files);
  Object.assign(at, { kubernetes: from.kubernetes, place: from.place, asked: from.version });
  shownVersions();
  load(from.mode, from.files);
}

ahead.then((html) => (at.html ||= html));
await begin();
addEventListener("hashchange", () => {
  clearTimeout(remembering); // The new address stays.
  location.reload();
});
