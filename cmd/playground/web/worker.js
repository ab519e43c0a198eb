"use strict";
// Runs sim, away from the page: it is asked for a command and its files, and answers with what the command prints.

// The first worker asks for the module before anything else; those after it are given the compiled one.
const asked = self.name === "first" ? fetch("sim.wasm.xz") : null;
importScripts("files.js", "wasm_exec.js", "xz.js");

let command = null;

globalThis.simReady = (version, run) => {
  command = run;
  postMessage({ ready: version });
};

// compiled compiles the module while it is being fetched and unpacked.
async function compiled() {
  const packed = await (asked || fetch("sim.wasm.xz"));
  if (!packed.ok) throw new Error("sim.wasm.xz: " + packed.status);
  const stream = new globalThis["xz-decompress"].XzReadableStream(packed.body);
  const module = await WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
  postMessage({ module });
  return module;
}

async function begin(module) {
  try {
    const go = new Go();
    go.exit = (code) => postMessage({ broken: "sim ended with code " + code });
    const instance = await WebAssembly.instantiate(module || (await compiled()), go.importObject);
    await go.run(instance);
  } catch (error) {
    postMessage({ broken: String(error) });
  }
}

addEventListener("message", ({ data }) => {
  if ("begin" in data) return void begin(data.begin);
  setFiles(data.files);
  const since = performance.now();
  command(data.args, (code, out, err) => postMessage({ id: data.id, code, out, err, took: performance.now() - since }));
});
