// Gives what sim prints to the programs that read it elsewhere: the gantt charts to Mermaid's parser, the Markdown to
// markdown-it and to remark, the pictures to resvg, the JUnit report to two programs that read it for dashboards. The trace
// is checked against the rules of the Trace Event Format.
// usage: node .ci/consumers.mjs FOLDER-OF-PACKAGES [SCENARIO...]
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

process.chdir(path.join(import.meta.dirname, ".."));
const [folder, ...asked] = process.argv.slice(2);
const from = createRequire(path.resolve(folder, "package.json"));
const load = async (name) => import(pathToFileURL(from.resolve(name)).href);
const files = asked.length ? asked : fs.readdirSync("scenarios", { recursive: true }).filter((it) => it.endsWith(".yaml"))
  .filter((it) => !it.startsWith("manifests")).sort().map((it) => "scenarios/" + it);

const { JSDOM } = await load("jsdom");
const { window } = new JSDOM("");
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await load("mermaid");
const { default: MarkdownIt } = await load("markdown-it");
const { unified } = await load("unified");
const { default: remarkParse } = await load("remark-parse");
const { default: remarkGfm } = await load("remark-gfm");
const { Resvg } = from("@resvg/resvg-js");
const { parse: results } = from("test-results-parser");
const { parse: junit } = await load("junit2json");
const markdownIt = new MarkdownIt({ html: true });
const remark = unified().use(remarkParse).use(remarkGfm);

let wrong = 0;
const seen = { gantt: 0, markdown: 0, trace: 0, svg: 0 };

function print(format, file) {
  try {
    return execFileSync("bin/sim", ["run", "-o", format, file], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (failed) {
    return failed.stdout; // The exit code says how the run ended.
  }
}

// The only HTML that Markdown may have is the fold around its picture.
const OURS = /^(<details><summary>The run as a picture<\/summary>|<\/details>)\s*$/;

function markdown(text) {
  const html = markdownIt.parse(text, {}).flatMap((it) => [it, ...(it.children || [])]).filter((it) => it.type.startsWith("html"));
  for (const it of html) if (!OURS.test(it.content)) throw new Error("markdown-it finds HTML: " + it.content);
  const walk = (node) => {
    if (node.type === "html" && !OURS.test(node.value)) throw new Error("remark finds HTML: " + node.value);
    if (node.type === "table") {
      for (const row of node.children) if (row.children.length !== node.children[0].children.length) throw new Error("a table with odd rows");
    }
    (node.children || []).forEach(walk);
  };
  walk(remark.parse(text));
}

// Each event has a phase that Perfetto knows with what that needs, and what begins asynchronously ends.
function trace(text) {
  const open = new Map();
  for (const event of JSON.parse(text).traceEvents) {
    if (!"XMiICsftbeBEnN".includes(event.ph)) throw new Error("an unknown phase: " + event.ph);
    if (event.ph !== "M" && !(event.ts >= 0)) throw new Error("no time: " + JSON.stringify(event));
    if (event.ph === "X" && !(event.dur >= 0)) throw new Error("no duration: " + JSON.stringify(event));
    const key = [event.cat, event.id, event.pid].join();
    if (event.ph === "b") open.set(key, (open.get(key) || 0) + 1);
    if (event.ph === "e") open.set(key, (open.get(key) || 0) - 1);
  }
  for (const [key, n] of open) if (n !== 0) throw new Error("begins and ends do not match: " + key);
}

async function check(format, file, act) {
  const text = print(format, file);
  if (!text) return; // A run that is too large for a picture says so, and has none.
  seen[format]++;
  try {
    await act(text);
  } catch (error) {
    wrong++;
    console.error(`${file}: ${format}: ${error.message}`);
  }
}

for (const file of files) {
  await check("gantt", file, (text) => mermaid.parse(text));
  await check("markdown", file, async (text) => {
    markdown(text);
    for (const [, chart] of text.matchAll(/```mermaid\n([\s\S]*?)\n```/g)) await mermaid.parse(chart);
  });
  await check("trace", file, trace);
  await check("svg", file, (text) => {
    if (new Resvg(text).render().pixels.every((byte) => byte === 255)) throw new Error("resvg draws nothing");
  });
}
// What passes, fails and cannot be read is counted as sim counts it, and says why where it is shown.
async function tests() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "junit-"));
  const [failing, broken, report] = ["failing.yaml", "broken.yaml", "report.xml"].map((name) => path.join(dir, name));
  fs.writeFileSync(failing, "steps:\n  - create: {name: web, replicas: 1, image: \"app:v1\"}\nexpect:\n  - never: web-0 Ready\n");
  fs.writeFileSync(broken, "stepps: []\n");
  const told = spawnSync("bin/sim", ["test", "--junit", report, ...files, failing, broken], { encoding: "utf8" }).stdout;
  const [, passed, failed] = told.match(/(\d+) passed, (\d+) failed/).map(Number);
  const read = results({ type: "junit", files: [report] });
  const also = await junit(fs.readFileSync(report, "utf8"));
  const counts = [read.passed, read.failed + read.errors, read.total, also.tests - also.failures - also.errors, also.testsuite.length];
  const want = [passed, failed, passed + failed, passed, passed + failed];
  if (String(counts) !== String(want)) throw new Error(`counted ${counts}, not ${want}`);
  const said = read.suites.filter((it) => it.status !== "PASS").map((it) => it.cases[0].failure + it.cases[0].stack_trace).join();
  if (!said.includes("1 expectation failed") || !said.includes("stepps")) throw new Error("a failure says not why: " + said);
  seen.junit = counts[2];
  seen.jenkins = jenkins(report);
  fs.rmSync(dir, { recursive: true });
}

// jenkins holds the report to the schema of Jenkins' xUnit plugin, where JUNIT_XSD names it and xmllint is installed.
function jenkins(report) {
  const schema = process.env.JUNIT_XSD;
  if (!schema || !fs.existsSync(schema)) return "not checked, there is no schema";
  const done = spawnSync("xmllint", ["--noout", "--schema", schema, report], { encoding: "utf8" });
  if (done.error) return "not checked, there is no xmllint";
  if (done.status !== 0) throw new Error("Jenkins' schema refuses it: " + done.stderr.slice(0, 2000));
  return "valid";
}

await tests().catch((error) => {
  wrong++;
  console.error("junit: " + error.message);
});
console.log(JSON.stringify(seen), wrong ? wrong + " are wrong" : "all are read");
process.exit(wrong ? 1 : 0);
