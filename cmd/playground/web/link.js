// The link that holds everything: it stands behind the #, which no browser sends anywhere.

const through = (stream, bytes) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

// pack makes a text of what can be written as JSON.
async function pack(value) {
  const bytes = new Uint8Array(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value))));
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

// fragment is the link's end: v is sim's version, m what to do, k the versions of Kubernetes, at the place in the
// picture, s the files.
export async function fragment({ version, mode, kubernetes, place, files }) {
  const asked = new URLSearchParams({ v: version, m: mode });
  if (kubernetes.length) asked.set("k", kubernetes.join(","));
  if (place) asked.set("at", place.replace(/^#/, ""));
  asked.set("s", await pack(files));
  return "#" + asked;
}

// restored is what a link holds, or null where it holds nothing.
export async function restored(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  if (!asked.has("s")) return asked.has("example") ? { example: asked.get("example") } : null;
  const files = await unpack(asked.get("s"));
  const texts = Object.entries(files).every(([name, text]) => /^[\w./-]+$/.test(name) && typeof text === "string");
  if (!texts) throw new Error("the link holds something else than files");
  return {
    version: asked.get("v"), mode: asked.get("m"), files,
    kubernetes: (asked.get("k") || "").split(",").filter(Boolean), place: asked.has("at") ? "#" + asked.get("at") : "",
  };
}
