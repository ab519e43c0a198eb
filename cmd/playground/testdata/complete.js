// What is completed where | stands: some of it, and what is not.
import assert from "node:assert";
import fs from "node:fs";
import { options } from "../complete.js";

const schema = JSON.parse(fs.readFileSync(new URL("../schema.json", import.meta.url)));
const cases = [
  ["|", ["kubelet", "steps", "expect", "seed"], ["setImage"]],
  ["kubelet:\n  |", ["start", "ready", "rules"], ["steps"]],
  ["kubelet:\n  rules:\n    - match: {|", ["image", "ordinal", "nth"], ["steps", "start"]],
  ["kubelet:\n  rules:\n    - match: {image: x}\n      |", ["start", "reason", "fail"], ["image"]],
  ["steps:\n  - |", ["create", "setImage", "at"], ["kubelet"]],
  ["steps:\n- |", ["create", "setImage", "at"], ["kubelet"]],
  ["steps:\n  - create: {name: web, |", ["replicas", "image"], ["steps", "at"]],
  ["steps:\n  - create:\n      name: web\n      |", ["replicas", "image"], ["steps", "at"]],
  ["steps:\n  - create: {name: web}\n  - at: 5s\n    |", ["scale", "delete"], ["replicas"]],
  ["steps:\n  - delete: pod/web-0\n    cascade: |", ["orphan", "foreground"], ["create"]],
  ["expect:\n  - |", ["order", "always", "completes"], ["create"]],
  ["expect:\n  - stuck: {|", ["pod", "reason"], ["always"]],
];
for (const [text, some, none] of cases) {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  const labels = options(schema, before, before.length - 1, before.at(-1).length).map((it) => it.label);
  for (const label of some) assert(labels.includes(label), `${JSON.stringify(text)}: no ${label} in ${labels}`);
  for (const label of none) assert(!labels.includes(label), `${JSON.stringify(text)}: ${label}`);
}
console.log(cases.length + " passed, 0 failed");
