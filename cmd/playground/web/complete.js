// Completion by the schema of scenarios: the keys that fit where the cursor is, and the values of those that have a list.

// resolve follows references, and puts alternatives together: all keys that one of them knows.
function resolve(schema, root, depth = 0) {
  if (!schema || depth > 8) return {};
  if (schema.$ref) {
    const to = schema.$ref.split("/").slice(1).reduce((it, part) => it && it[part], root);
    return { ...resolve(to, root, depth + 1), ...(schema.description ? { description: schema.description } : {}) };
  }
  const merged = { ...schema, properties: { ...schema.properties } };
  for (const part of [...(schema.anyOf || []), ...(schema.oneOf || []), ...(schema.allOf || [])]) {
    const one = resolve(part, root, depth + 1);
    Object.assign(merged.properties, one.properties);
    merged.items ||= one.items;
    if (one.enum) merged.enum = [...(merged.enum || []), ...one.enum];
    if (one.type === "boolean") merged.type ||= "boolean";
  }
  return merged;
}

// below is the schema of what stands below a key; "-" is an entry of a list.
function below(schema, key, root) {
  const it = resolve(schema, root);
  if (key === "-") return it.items;
  const rest = typeof it.additionalProperties === "object" ? it.additionalProperties : null;
  return (it.properties && it.properties[key]) || rest || (it.items && below(it.items, key, root));
}

// pathAt is where a column of a line is in the file: the keys above it, by the indents. {a: {b: in one line counts too.
export function pathAt(lines, row, column) {
  const path = [];
  const line = lines[row].slice(0, column);
  let indent = line.match(/^[\s-]*/)[0].length;
  if (/^\s*-\s/.test(line) || /^\s*-$/.test(line)) path.unshift("-");
  let edge = line.match(/^\s*/)[0].length;
  for (let i = row - 1; i >= 0 && (indent > 0 || path[0] === "-"); i--) {
    const found = lines[i].match(/^(\s*)((?:- +)*)([\w.-]+):/);
    if (!found) continue;
    const [, space, dashes] = found;
    const at = space.length + dashes.length;
    if (path[0] === "-" && edge >= at && at === space.length && at <= edge) {
      path.unshift(found[3]);
      indent = edge = at;
    } else if (at < indent && path[0] !== "-") {
      path.unshift(found[3]);
      indent = at;
      edge = space.length;
      if (dashes) path.unshift("-");
    } else if (at === indent && dashes && path[0] !== "-") {
      path.unshift("-");
      edge = space.length;
    }
  }
  return path.concat(flow(line));
}

// flow are the keys of maps in one line that are open at its end, as in `- create: {name: web, `.
function flow(line) {
  const path = [];
  const start = line.match(/^\s*(?:- +)*([\w.-]+):\s*(?=[{[])/);
  let key = start ? start[1] : "";
  const rest = start ? line.slice(start[0].length) : "";
  for (const [, word, sign] of rest.matchAll(/([\w.-]*)\s*([{}[\],:])/g)) {
    if (sign === ":") key = word;
    else if (sign === "{") path.push(key);
    else if (sign === "[") path.push(key, "-");
    else if (sign === "}") path.pop();
    else if (sign === "]") path.splice(-2);
  }
  return path.filter(Boolean);
}

// options are what may stand at a place: keys, or values where the line has its key already.
export function options(root, lines, row, column) {
  const line = lines[row].slice(0, column);
  const value = line.match(/(?:^|[\s{,])([\w.-]+):\s+("?[\w.-]*)$/);
  let schema = pathAt(lines, row, column).reduce((it, key) => it && below(it, key, root), root);
  if (value) {
    const of = resolve(schema && below(schema, value[1], root), root);
    const words = of.enum || (of.type === "boolean" ? [true, false] : []);
    return words.map((word) => ({ label: String(word), type: "constant" }));
  }
  const it = resolve(schema, root);
  const keys = Object.keys(it.properties || {}).length ? it.properties : resolve(it.items, root).properties || {};
  return Object.entries(keys).map(([label, of]) => ({
    label, type: "property", info: resolve(of, root).description, apply: label + ": ",
  }));
}

// source is options as CodeMirror asks for them.
export function source(root) {
  return (context) => {
    const word = context.matchBefore(/[\w.-]*/);
    const before = context.state.doc.lineAt(context.pos);
    const empty = word.from === word.to;
    if (empty && !context.explicit) return null;
    const found = options(root, context.state.doc.toString().split("\n"), before.number - 1, word.from - before.from);
    return found.length ? { from: word.from, options: found, validFor: /^[\w.-]*$/ } : null;
  };
}
