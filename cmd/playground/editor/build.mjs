// Makes what the playground takes from npm: the editor as one file, what unpacks the module, and the licences of both.
// usage: npm run build -- FOLDER
import { build } from "esbuild";
import fs from "node:fs";

const [out = "dist"] = process.argv.slice(2);
const unpacker = "node_modules/xz-decompress/";
fs.mkdirSync(out, { recursive: true });

const { metafile } = await build({
  entryPoints: ["editor.js"],
  outfile: out + "/codemirror.js",
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  banner: { js: "/*! See licences-npm.txt */" },
  target: "es2022",
  charset: "utf8",
  metafile: true,
});
fs.copyFileSync(unpacker + "dist/package/xz-decompress.min.js", out + "/xz.js");

const inPackage = /^node_modules\/(@[^/]+\/)?[^/]+\//;
const folders = Object.keys(metafile.inputs).flatMap((file) => file.match(inPackage)?.[0] ?? []);
// notice returns the licence file of a package. xz-decompress has none: its own names are at the top of its script.
function notice(folder) {
  const { name, version, license, author } = JSON.parse(fs.readFileSync(folder + "package.json"));
  const file = fs.readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
  if (!file && folder !== unpacker) throw new Error(folder + ": there is no licence");
  const own = `${license}, by ${author}; see also the top of xz.js`;
  const text = file ? fs.readFileSync(folder + file, "utf8").trim() : own;
  return `${name} ${version}\n\n${text}\n`;
}
const licences = [...new Set([...folders, unpacker])].sort().map(notice);
fs.writeFileSync(out + "/licences-npm.txt", licences.join("\n" + "-".repeat(80) + "\n\n"));
