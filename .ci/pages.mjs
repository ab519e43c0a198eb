// Looks at every kind of page that sim prints, and at the playground, as people do who see and use them in different
// ways: on small and large screens, in the light, in the dark and in forced colours, with the keyboard alone, on paper.
// No rule of axe-core is broken, nothing is wider than its window, nothing is asked of anybody, nothing complains.
// usage: BROWSERS="chromium firefox" WINDOWS="390-dark" PICTURES=FOLDER node .ci/pages.mjs FOLDER-OF-PACKAGES SITE [KIND...]
// Without BROWSERS it tries all that are here, without WINDOWS all of them. Each page is drawn into the folder PICTURES.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

process.chdir(path.join(import.meta.dirname, ".."));
const [folder, site, ...asked] = process.argv.slice(2);
const from = createRequire(path.resolve(folder, "package.json"));
const puppeteer = from("puppeteer-core");
const axe = fs.readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
const out = path.resolve("bin/pages");
fs.mkdirSync(out, { recursive: true });

const onPath = (names) => names.flatMap((name) => (process.env.PATH || "").split(":").map((dir) => path.join(dir, name))).find(fs.existsSync);
const programs = { chromium: onPath(["chromium", "chromium-browser", "google-chrome"]), firefox: onPath(["firefox-esr", "firefox"]) };
const pictures = process.env.PICTURES;
if (pictures) fs.mkdirSync(pictures, { recursive: true });

// print writes what a command prints into a file, and write lets a command write a folder. Exit codes say how runs end.
function sim(args) {
  const done = spawnSync("bin/sim", args, { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, SIM_PLAYGROUND: "../" } });
  if (done.status > 1) throw new Error(`sim ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}
const print = (name, ...args) => () => {
  fs.writeFileSync(path.join(out, name), sim(args));
  return name;
};
const write = (name, ...args) => () => (sim(args), name);

const dir = (name) => path.join("bin/pages", name);

// No scenario of the library fails.
const failing = dir("failing.yaml");
fs.writeFileSync(failing, `name: failing
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - setImage: {statefulset: web, image: "app:v2"}
expect:
  - never: web-1@1 Terminating
  - completes: {within: 1s}
`);

const kinds = {
  run: print("run.html", "run", "-o", "html", "scenarios/rolling-update/reverse-order.yaml"),
  stuck: print("stuck.html", "run", "-o", "html", "scenarios/stuck/reverting-does-not-heal.yaml"),
  runs: print("runs.html", "run", "-o", "html", "scenarios/parallel/create-ordered.yaml", "scenarios/parallel/create-parallel.yaml"),
  nodes: print("nodes.html", "run", "-o", "html", "scenarios/nodes/down-for-ever.yaml"),
  compare: print("compare.html", "compare", "-o", "html", "--kubernetes", "1.34,1.35.0,1.36,1.37", "scenarios/versions/hot-loop-unready-pod.yaml"),
  plan: print("plan.html", "plan", "-o", "html", "scenarios/manifests/list/v1.yaml", "scenarios/manifests/list/v2.yaml"),
  upgrade: print("upgrade.html", "upgrade", "-o", "html", "--from", "1.36", "--to", "1.37", "scenarios/manifests/cockroachdb/cockroachdb.yaml"),
  explain: print("explain.html", "explain", "-o", "html", "docs/stuck.yaml"),
  explore: print("explore.html", "explore", "-o", "html", "--runs", "60", "scenarios/max-unavailable/a-broken-pod-uses-it-up-1.36.yaml"),
  index: write("index/index.html", "test", "--html", dir("index"), "scenarios/stuck", failing),
  test: write("test/bin-pages-failing.html", "test", "--html", dir("test"), failing),
  course: write("course/index.html", "learn", "--report", "all", "--dir", dir("course")),
  lesson: write("course/09-stuck.html", "learn", "--report", "all", "--dir", dir("course")),
  playground: () => "",
};

// Each is a window: its width and height, and how it is coloured.
const windows = [
  [390, 844, "light"], [390, 844, "dark"], [768, 1024, "light"], [1024, 768, "light"], [1440, 900, "light"], [1440, 900, "dark"],
  [1440, 900, "forced"], [390, 844, "forced"], [2560, 1300, "light"],
].filter(([width, , colours]) => !process.env.WINDOWS || process.env.WINDOWS.split(" ").includes(`${width}-${colours}`));

function serve() {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };
  const server = http.createServer((request, reply) => {
    const name = path.basename(new URL(request.url, "http://localhost").pathname) || "index.html";
    const file = path.join(site, name);
    if (!fs.existsSync(file)) return reply.writeHead(404).end();
    reply.writeHead(200, { "Content-Type": types[path.extname(file)] || "application/octet-stream" });
    fs.createReadStream(file).pipe(reply);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

const wrong = [];
let held = 0;
const hold = (what, problems) => (problems.length ? wrong.push(`${what}: ${problems}`) : held++);

// launched starts a browser whose reader has chosen these colours. Chromium is told so page by page.
const patience = 240_000;
function launched(name, colours) {
  const common = { executablePath: programs[name], headless: true, timeout: patience, protocolTimeout: patience };
  if (name === "chromium") return puppeteer.launch({ ...common, args: ["--no-sandbox", "--disable-quic", "--no-first-run"] });
  const extraPrefsFirefox = {
    "layout.css.prefers-color-scheme.content-override": colours === "light" ? 1 : 0,
    "browser.display.document_color_use": colours === "forced" ? 2 : 1,
    // A window that nobody sees has the focus too, and the colours of what is chosen are those of a theme for contrast.
    "focusmanager.testmode": true,
    "ui.highlight": "#1aebff",
    "ui.highlighttext": "#000000",
  };
  return puppeteer.launch({ ...common, browser: "firefox", extraPrefsFirefox });
}

// coloured has a page of Chromium believe in a reader who has chosen these colours.
async function coloured(page, colours) {
  const features = [{ name: "prefers-color-scheme", value: colours === "light" ? "light" : "dark" }];
  if (colours === "forced") features.push({ name: "forced-colors", value: "active" });
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features });
}

// settled waits until there is something to see: the playground draws in a frame once it has loaded.
async function settled(page, kind) {
  if (kind === "playground") await page.waitForSelector("iframe.shown", { timeout: patience });
  await new Promise((done) => setTimeout(done, 300));
}

// rules are the rules of axe-core that the page breaks, each with where.
async function rules(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => (await axe.run(document, { iframes: false })).violations.map((it) =>
    it.id + " at " + it.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")).join("; "));
}

// unseen are the things that a reader with those colours could not see: what is the colour of what it stands on.
const unseen = () => [".cursor", "button", ".flag"].filter((name) => {
  const it = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
  if (!it) return false;
  const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(it);
  const ground = getComputedStyle(document.body).backgroundColor;
  return backgroundColor === ground && (borderTopWidth === "0px" || borderTopColor === ground);
}).join();

// walked goes through the page by the Tab key, and says what cannot be reached, and what does not show that it has been.
async function walked(page) {
  await page.evaluate(() => {
    for (const it of document.querySelectorAll("details:not(#versions)")) it.open = true;
    document.activeElement.blur();
    document.body.scrollIntoView();
  });
  const want = await page.evaluate(() => {
    const radios = new Set();
    window.wanted = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0'], [contenteditable=true]")]
      .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled && it.tabIndex >= 0)
      .filter((it) => it.type !== "radio" || (!radios.has(it.name) && radios.add(it.name)));
    return wanted.length;
  });
  const dim = new Set();
  for (let i = 0; i < want + 80; i++) {
    await page.keyboard.press("Tab");
    const dark = await page.evaluate(() => {
      const it = document.activeElement;
      // Firefox without a window shows no focus on the second round, after the focus was in its own controls.
      if ((window.reached ||= new Set()).has(it)) return "";
      reached.add(it);
      if (it === document.body || it.tagName === "IFRAME" || it.closest(".cm-editor")) return "";
      const { outlineStyle, outlineWidth } = getComputedStyle(it);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 ? "" : it.tagName + "#" + it.id + "." + it.className;
    });
    if (dark) dim.add(dark);
  }
  const missed = await page.evaluate(() => wanted.filter((it) => !reached.has(it) && !it.closest(".cm-editor"))
    .map((it) => `${it.tagName} ${it.id} ${it.textContent.trim().slice(0, 30)}`).slice(0, 5).join(", "));
  return [missed && `the Tab key does not reach ${missed}`, dim.size && `${[...dim].join(", ")} do not show that they have the focus`]
    .filter(Boolean).join("; ");
}

// printed prints the page on A4, and holds that each sheet has a text on it, and that nothing is too wide for it.
async function printed(page, kind) {
  const file = path.join(out, kind + ".pdf");
  await page.pdf({ path: file, format: "A4", printBackground: false });
  const text = spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  if (text.error) return "";
  const sheets = text.stdout.split("\f").slice(0, -1);
  return sheets.map((it, i) => (it.trim().length > 20 ? "" : `sheet ${i + 1} of ${sheets.length} is empty`)).filter(Boolean).join("; ");
}

// states are those in which a page of some kinds looks different than at first, each with what leads there from the last.
const click = (page, selector) => page.$eval(selector, (it) => it.click());
const states = {
  lesson: { "after the answer": (page) => click(page, "#reveal") },
  plan: { "with all open": (page) => page.$$eval("details", (all) => all.forEach((it) => (it.open = true))) },
  explain: { "with all open": (page) => page.$$eval("details", (all) => all.forEach((it) => (it.open = true))) },
  run: { "with a search": (page) => page.$eval("#search", (it) => {
    it.value = "terminating";
    it.dispatchEvent(new Event("input", { bubbles: true }));
  }) },
  playground: {
    "with its versions": (page) => page.waitForSelector("#versions-list input").then(() => click(page, "#versions summary")),
    "with its gallery": async (page) => {
      await click(page, "#versions summary");
      await click(page, "#gallery-open");
      await page.waitForSelector("#gallery-list button");
    },
    "with what is wrong": async (page) => {
      await click(page, "#gallery form button");
      await page.$eval("#editor .cm-content", (it) => {
        const event = new Event("paste", { bubbles: true, cancelable: true });
        Object.defineProperty(event, "clipboardData", { value: { getData: () => "stepps:\n" } });
        it.dispatchEvent(event);
      });
      await page.waitForSelector("#problems li");
    },
    "with a dump to paste": (page) => click(page, '[data-mode="explain"]'),
  },
};

// looked looks at a page in one window, in each of its states.
async function looked(at, [width, height, colours]) {
  const page = await opened(at, { width, height, colours });
  const where = `${at.name}, ${at.kind}, ${width} pixels, ${colours}`;
  if (pictures) await page.screenshot({ path: path.join(pictures, `${at.kind}-${width}-${colours}-${at.name}.png`) });
  hold(where + ": axe-core", await rules(page));
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  hold(where + ": width", over > 0 ? `${over} pixels too wide` : "");
  if (colours === "forced") hold(where + ": colours", await page.evaluate(unseen));
  for (const [what, act] of Object.entries(states[at.kind] || {})) {
    await act(page);
    hold(`${where}: axe-core ${what}`, await rules(page));
  }
  await page.close();
}

// used prints a page, and goes through it by the keyboard.
async function used(at) {
  const page = await opened(at, { width: 1440, height: 900, colours: "light" });
  await page.bringToFront();
  if (at.kind !== "playground") hold(`${at.name}, ${at.kind}: paper`, await printed(page, at.kind));
  hold(`${at.name}, ${at.kind}: keyboard`, await walked(page));
  await page.close();
}

// tried looks at the pages of all kinds in one browser, which is started once for each choice of colours.
async function tried(name, made) {
  for (const chosen of ["light", "dark", "forced"].filter((it) => windows.some(([, , colours]) => colours === it))) {
    const browser = await launched(name, chosen);
    try {
      for (const { kind, address } of made) {
        const before = wrong.length;
        const at = { browser, name, kind, address, told: [] };
        for (const window of windows.filter(([, , colours]) => colours === chosen)) await looked(at, window);
        if (chosen === "light") await used(at);
        hold(`${name}, ${kind}, ${chosen}: silence`, [...new Set(at.told)].join("; "));
        console.log(`${name}, ${chosen}, ${kind}: ${wrong.length === before ? "ok" : wrong.slice(before).join("\n  ")}`);
      }
    } finally {
      await browser.close();
    }
  }
}

// opened is a page in a window. What it says on the console, and what it asks of anybody, is told.
async function opened({ browser, name, kind, address, told }, { width, height, colours }) {
  // A tab of its own: Chromium keeps some of the forced colours.
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.on("console", (it) => told.push(it.text()));
  page.on("pageerror", (it) => told.push(it.message));
  page.on("request", (it) => {
    const own = it.url().split("#")[0] === address || /^(data|blob|about):/.test(it.url());
    if (!own && !(kind === "playground" && it.url().startsWith(address))) told.push("asks " + it.url());
  });
  const small = name === "chromium" && width < 500;
  await page.setViewport({ width, height, isMobile: small, hasTouch: small });
  if (name === "chromium") await coloured(page, colours);
  await page.goto(address);
  await settled(page, kind);
  return page;
}

const server = await serve();
const made = (asked.length ? asked : Object.keys(kinds)).filter((kind) => {
  const here = kind !== "playground" || fs.existsSync(site);
  return here || console.log("playground: not built, not tried");
}).map((kind) => {
  const address = kind === "playground" ? `http://localhost:${server.address().port}/` : "file://" + path.join(out, kinds[kind]());
  return { kind, address };
});
const names = (process.env.BROWSERS || Object.keys(programs).join(" ")).split(" ").filter((name) => programs[name] || console.log(`${name}: not here, not tried`));
try {
  for (const name of names) await tried(name, made);
} finally {
  server.close();
}
console.log(`${held} passed, ${wrong.length} failed`);
process.exit(wrong.length ? 1 : 0);
