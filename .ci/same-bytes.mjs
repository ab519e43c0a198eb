// Plays the whole library by bin/sim.wasm, as the playground does, and by bin/sim: the same bytes in every format.
// usage: node .ci/same-bytes.mjs [FORMAT...]
import { execSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

process.chdir(path.join(import.meta.dirname, ".."));
const formats = process.argv.length > 2 ? process.argv.slice(2) : ["jsonl", "text"];
const most = 64; // files a call

const files = fs.readdirSync("scenarios").sort().flatMap((theme) => {
  if (!fs.statSync("scenarios/" + theme).isDirectory()) return [];
  return fs.readdirSync("scenarios/" + theme).sort().filter((name) => name.endsWith(".yaml")).map((name) => `scenarios/${theme}/${name}`);
});

// begun is the command of the module, as a function of its arguments.
async function begun() {
  const root = execSync("go env GOROOT", { encoding: "utf8" }).trim();
  Object.assign(globalThis, { fs, path });
  createRequire(import.meta.url)(path.join(root, "lib/wasm/wasm_exec.js"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(fs.readFileSync("bin/sim.wasm"), go.importObject);
  const command = new Promise((resolve) => (globalThis.simReady = (_, run) => resolve(run)));
  go.run(instance);
  const run = await command;
  return (args) => new Promise((resolve) => run(args, (code, out, err) => resolve({ code, out, err })));
}

function native(args) {
  const done = spawnSync("bin/sim", args, { encoding: "utf8", maxBuffer: 1 << 30, env: { ...process.env, NO_COLOR: "1" } });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const wasm = await begun();
let different = 0;
for (const format of formats) {
  let bytes = 0;
  for (let i = 0; i < files.length; i += most) {
    const args = ["run", "-o", format, ...files.slice(i, i + most)];
    const [here, there] = [await wasm(args), native(args)];
    bytes += there.out.length;
    if (here.code === there.code && here.out === there.out && here.err === there.err && there.code < 2) continue;
    different++;
    console.log(`${format}, ${files[i]} and on: code ${here.code} and ${there.code}, ${digest(here.out)} and ${digest(there.out)}`);
    console.log(here.err.slice(0, 2000));
  }
  console.log(`${format}: ${files.length} scenarios, ${bytes} characters, on js/wasm and natively`);
}
console.log(`${formats.length * Math.ceil(files.length / most) - different} passed, ${different} failed`);
process.exit(different ? 1 : 0);
