// Uses the playground as people do, in Chromium and in Firefox: it loads, plays, complains in place, compares, plans,
// explains, explores, stops, restores a link, breaks no policy, asks nobody else, and works with its server gone.
// usage: node .ci/playground.mjs FOLDER-OF-PACKAGES SITE [BROWSER...]
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

process.chdir(path.join(import.meta.dirname, ".."));
const [folder, site, ...asked] = process.argv.slice(2);
const puppeteer = createRequire(path.resolve(folder, "package.json"))("puppeteer-core");

const onPath = (names) => names.flatMap((name) => (process.env.PATH || "").split(":").map((dir) => path.join(dir, name))).find(fs.existsSync);
const programs = { chromium: onPath(["chromium", "chromium-browser", "google-chrome"]), firefox: onPath(["firefox-esr", "firefox"]) };

// serve is a server that does nothing but give files, as a host of static sites does: it packs nothing.
function serve() {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };
  const server = http.createServer((request, reply) => {
    const name = new URL(request.url, "http://localhost").pathname;
    const file = path.join(site, name === "/" ? "index.html" : path.basename(name));
    if (!fs.existsSync(file)) return reply.writeHead(404).end();
    reply.writeHead(200, { "Content-Type": types[path.extname(file)] || "application/octet-stream", "Cache-Control": "max-age=600" });
    fs.createReadStream(file).pipe(reply);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

// patience is how long something may take on a machine that does a lot besides, in milliseconds.
const patience = 240_000;

function launched(name) {
  const common = { executablePath: programs[name], headless: true, timeout: patience, protocolTimeout: patience };
  if (name === "firefox") return puppeteer.launch({ ...common, browser: "firefox" });
  return puppeteer.launch({ ...common, args: ["--no-sandbox", "--disable-quic", "--no-first-run"] });
}

const held = (what, is) => {
  if (!is) throw new Error(what);
};

// Site is a page of the playground, and what went wrong in it.
class Site {
  constructor(page, base) {
    Object.assign(this, { page, base, wrong: [], begun: 0 });
    page.setDefaultTimeout(patience);
    page.on("console", (it) => this.wrong.push(it.text()));
    page.on("pageerror", (it) => this.wrong.push(it.message));
    page.on("request", (it) => /^(blob|data|about):/.test(it.url()) || it.url().startsWith(base) || this.wrong.push("asks " + it.url()));
  }

  static async open(browser, base, hash = "") {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    const it = new Site(page, base);
    it.begun = Date.now();
    await page.goto(base + hash, { waitUntil: "domcontentloaded" });
    return it;
  }

  // shown waits until the picture holds a text and its script has run, and says until a part of the page does.
  async shown(text) {
    const end = Date.now() + patience;
    for (let seen = ""; ; await new Promise((done) => setTimeout(done, 100))) {
      const frame = this.page.frames().find((it) => it !== this.page.mainFrame());
      seen = frame ? await frame.evaluate(() => (document.readyState === "complete" ? document.body.innerText : "")).catch(() => "") : "";
      if (seen.includes(text)) return seen;
      if (Date.now() > end) {
        throw new Error(`the picture does not say "${text}", but: ${seen.slice(0, 500)} (status: ${await this.read("#status")})`);
      }
    }
  }

  async says(selector, text) {
    await this.page.waitForFunction((where, what) => document.querySelector(where).textContent.includes(what), {}, selector, text)
      .catch(async (error) => {
        throw new Error(`${selector} does not say "${text}", but: ${await this.read(selector)} (${error.message})`);
      });
  }

  read(selector) {
    return this.page.$eval(selector, (it) => it.textContent);
  }

  // paste puts a text in the place of all that is in the editor.
  async paste(text) {
    await this.page.click("#editor .cm-content");
    await this.page.keyboard.down("Control");
    await this.page.keyboard.press("a");
    await this.page.keyboard.up("Control");
    await this.page.$eval("#editor .cm-content", (it, pasted) => {
      // Firefox lets no script fill the clipboard of an event.
      const event = new Event("paste", { bubbles: true, cancelable: true });
      Object.defineProperty(event, "clipboardData", { value: { getData: () => pasted } });
      it.dispatchEvent(event);
    }, text);
  }

  click(selector) {
    return this.page.$eval(selector, (it) => it.click());
  }

  fine() {
    held("the page complains: " + this.wrong.join("; "), !this.wrong.length);
  }
}

const rollout = (extra, image = "app:v2") => `name: pasted
steps:
  - create: {name: db, replicas: 4, image: "app:v1"${extra}}
  - setImage: {statefulset: db, image: "${image}"}
`;

const manifest = (image) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ledger}
spec:
  replicas: 3
  serviceName: ledger
  selector: {matchLabels: {app: ledger}}
  template:
    metadata: {labels: {app: ledger}}
    spec: {containers: [{name: app, image: "${image}"}]}
`;

const checks = {
  "the first picture": async (at) => {
    await at.shown("a first rollout");
    const seen = Date.now() - at.begun;
    const frame = at.page.frames().find((it) => it !== at.page.mainFrame());
    await frame.evaluate(() => (window.drawnAhead = true));
    await at.says("#status", "All held");
    const played = Date.now() - at.begun;
    // What sim prints is what was drawn ahead, so that the picture stays.
    held("the picture was drawn again", await frame.evaluate(() => window.drawnAhead));
    return `after ${seen} ms; played after ${played} ms`;
  },
  "an error stands in its line": async (at) => {
    await at.paste(rollout(", replcas: 3"));
    await at.says("#problems", "replcas");
    held("the editor marks nothing", (await at.page.$$(".cm-lintRange-error, .cm-lint-marker-error")).length > 0);
    await at.page.click("#problems button");
    await at.says(".cm-activeLine", "replcas");
    await at.paste(rollout(""));
    await at.shown("pasted");
    await at.page.waitForFunction(() => document.getElementById("problems").hidden);
  },
  "versions beside each other": async (at) => {
    await at.page.waitForSelector("#versions-list input");
    for (const version of ["1.34", "1.37"]) await at.click(`#versions-list input[value="${version}"]`);
    const seen = await at.shown("2 runs compared");
    held("the versions are not named", seen.includes("1.34") && seen.includes("1.37"));
  },
  "a link restores all": async (at, browser) => {
    const frame = at.page.frames().find((it) => it !== at.page.mainFrame());
    await frame.$eval("#slider", (it) => {
      it.value = 3;
      it.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const chosen = await frame.$eval("#now", (it) => it.textContent);
    await at.page.waitForFunction(() => location.hash.includes("at="));
    await at.click("#share");
    await at.page.waitForFunction(() => /link (is copied|stands)/.test(document.getElementById("status").textContent));
    const other = await Site.open(browser, at.base, new URL(at.page.url()).hash);
    await other.shown("2 runs compared");
    held("other versions", (await other.read("#versions-shown")) === "1.34, 1.37");
    held("another text", (await other.read("#editor .cm-content")).includes("name: db"));
    const restored = other.page.frames().find((it) => it !== other.page.mainFrame());
    const now = await restored.$eval("#now", (it) => it.textContent);
    held(`another instant: ${now}, not ${chosen}`, now === chosen);
    other.fine();
    await other.page.close();
    await at.page.bringToFront();
    for (const version of ["1.34", "1.37"]) await at.click(`#versions-list input[value="${version}"]`);
  },
  "a search that is stopped": async (at) => {
    await at.paste(rollout(", podManagementPolicy: Parallel"));
    await at.shown("pasted");
    // The first of the longer and longer searches may be over before anybody looks.
    const searching = () => at.page.waitForFunction(() => /Exploring \d{4,} runs/.test(document.getElementById("status").textContent));
    await at.click("#explore");
    await searching();
    held("nothing was found out", (await at.read("#text")).length > 0);
    await at.click("#stop");
    await at.says("#status", "Stopped");
    await at.click("#explore");
    await searching();
    await at.click('[data-mode="explain"]');
    await at.says("#status", "Paste a dump");
    held("the search goes on", await at.page.$eval("#stop", (it) => it.hidden));
    await at.click('[data-mode="scenario"]');
    await at.paste(rollout("", "app:v3"));
    await at.shown("app:v3");
  },
  "a search that is asked for before sim is here": async (at, browser) => {
    const early = await Site.open(browser, at.base);
    await early.page.waitForFunction(() => document.getElementById("explore").onclick);
    await early.click("#explore");
    await early.page.waitForSelector("#versions-list input");
    early.fine();
    await early.page.close();
    await at.page.bringToFront();
  },
  "a change is planned": async (at) => {
    await at.click('[data-mode="plan"]');
    await at.shown("web");
    await at.paste(manifest("ledger:1"));
    await at.click('#files [role="tab"]:nth-child(2)');
    await at.paste(manifest("ledger:2"));
    await at.shown("ledger-2");
  },
  "a dump is explained": async (at) => {
    await at.click('[data-mode="explain"]');
    await at.says("#status", "Paste a dump");
    await at.click("#example");
    await at.shown("STUCK");
    await at.paste(fs.readFileSync("scenario/testdata/manifests/dump.yaml", "utf8"));
    await at.says("#status", "All is at rest");
    held("no page", await at.page.$("iframe.shown"));
  },
  "an upgrade": async (at) => {
    await at.click('[data-mode="upgrade"]');
    await at.shown("default/web");
  },
  "pages lead here": async (at, browser) => {
    const pages = {
      "run -o html scenarios/rolling-update/reverse-order.yaml": "web-3",
      "plan -o html scenarios/manifests/list/v1.yaml scenarios/manifests/list/v2.yaml": "queue-2",
      "explain -o html docs/stuck.yaml": "STUCK",
      "upgrade -o html --from 1.36 --to 1.37 scenarios/manifests/list/v1.yaml": "Kubernetes 1.36 to 1.37",
      "learn 5 --report": "web-2",
    };
    for (const [line, text] of Object.entries(pages)) {
      const page = spawnSync("bin/sim", line.split(" "), { encoding: "utf8", env: { ...process.env, SIM_PLAYGROUND: at.base }, maxBuffer: 1 << 28 });
      const [, link] = page.stdout.match(/<p class="playground"><a href="[^#"]*(#[^"]*)">/) || [];
      held(`the page of sim ${line} leads nowhere: ${page.stderr}`, link);
      const other = await Site.open(browser, at.base, link.replaceAll("&amp;", "&"));
      await other.shown(text);
      other.fine();
      await other.page.close();
    }
    await at.page.bringToFront();
  },
  "a thumb": async (at, browser) => {
    const page = await browser.newPage();
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(at.base);
    await page.waitForSelector("iframe.shown", { visible: true, timeout: patience });
    await page.click("#more");
    await page.waitForSelector("#gallery-open", { visible: true });
    await page.click('.sides [data-side="edit"]');
    await page.waitForSelector("#editor", { visible: true });
    await page.click("#intro-close");
    held("what the site is stays in the way", await page.$eval("#intro", (it) => it.hidden));
    await page.close();
    await at.page.bringToFront();
  },
  "the gallery": async (at) => {
    await at.click("#gallery-open");
    await at.page.waitForSelector("#gallery-list button");
    await at.page.type("#gallery-filter", "reverse-order");
    await at.page.waitForFunction(() => document.querySelectorAll("#gallery-list button:not([hidden])").length === 1);
    await at.click("#gallery-list button:not([hidden])");
    await at.shown("web-3");
  },
  "the newest picture stays": async (at) => {
    await at.page.evaluate(async () => {
      const { framed } = await import("./frame.js");
      framed("the older picture", "", () => undefined);
      framed("the newer picture" + "<p>long".repeat(100_000), "", () => undefined);
    });
    await at.shown("the newer picture");
    held("an older picture is there still", (await at.page.$$("#frames iframe")).length === 1);
  },
};

async function tried(name) {
  const server = await serve();
  const base = `http://localhost:${server.address().port}/`;
  const browser = await launched(name);
  try {
    const at = await Site.open(browser, base);
    for (const [what, check] of Object.entries(checks)) {
      console.log(`${name}: ${what}${await check(at, browser).then((said) => (said ? " " + said : ""))}`);
      at.fine();
    }
    await at.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    server.close();
    server.closeAllConnections();
    at.wrong = [];
    // A page that is left cannot put what it shows into the address of the next one.
    await at.page.goto("about:blank");
    await at.page.goto(base, { waitUntil: "domcontentloaded" });
    await at.shown("a first rollout");
    at.fine();
    console.log(`${name}: without its server`);
  } finally {
    await browser.close();
    server.close();
  }
}

// What a host sends that packs nothing: the module alone, and all of the site.
const sizes = Object.fromEntries(fs.readdirSync(site).map((it) => [it, fs.statSync(path.join(site, it)).size]));
held(`the module is ${sizes["sim.wasm.xz"]} bytes, more than 7.5 MB`, sizes["sim.wasm.xz"] <= 7_500_000);
const wanted = (asked.length ? asked : Object.keys(programs)).filter((name) => programs[name] || console.log(`${name}: not here, not tried`));
for (const name of wanted) await tried(name);
console.log(`${wanted.length * (Object.keys(checks).length + 1)} passed, 0 failed`);
