// Drawing. Everything here is given what it draws and remembers nothing but patterns.

// A revision has a colour, a state a shape: the two can be told apart without seeing colours. A pod fills up on its way
// to Ready: an outline is Pending, half a bar Running, a full one Ready; stripes go away, a cross has failed.
const REVISION_COLOURS = 6;
const SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

// colours reads the style sheet, which knows whether it is dark, light or paper.
function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue("--" + name).trim();
  const all = {};
  for (const name of ["bg", "panel", "ink", "muted", "line", "grid", "accent", "bad", "good", "warn", "rest", "on", "area"]) {
    all[name] = of(name);
  }
  all.template = (n) => (n > 0 ? of("t" + (((n - 1) % REVISION_COLOURS) + 1)) : all.muted);
  const known = new Map();
  const slow = all.template;
  all.template = (n) => {
    if (!known.has(n)) known.set(n, slow(n));
    return known.get(n);
  };
  return all;
}

// fitted gives a canvas as many pixels as the screen has, and a context that counts in CSS pixels.
function fitted(canvas, width, height) {
  const scale = Math.max(window.devicePixelRatio || 1, document.documentElement.classList.contains("paper") ? 2 : 1);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + "px";
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  return g;
}

// stripes fills a box with slanted lines.
function stripes(g, x, y, w, h, colour, gap) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.strokeStyle = colour;
  g.lineWidth = gap / 2.6;
  g.beginPath();
  for (let at = x - h; at < x + w; at += gap) {
    g.moveTo(at, y + h);
    g.lineTo(at + h, y);
  }
  g.stroke();
  g.restore();
}

const SHADES = { Pending: 0.28, Running: 0.5, Unready: 0.5, Succeeded: 0.65, Terminating: 0.4 };

// bar draws a state of a pod. Where a lane is too thin for shapes, shades stand for them.
function bar(g, box, state, colour, c) {
  let { x, y, w, h } = box;
  w = Math.max(w, 1);
  if (h < 7) shade(g, { x, y, w, h }, state, colour, c);
  else shape(g, { x, y, w, h }, state, colour, c);
}

function shade(g, { x, y, w, h }, state, colour, c) {
  g.globalAlpha = SHADES[state] || 1;
  g.fillStyle = state === "Failed" ? c.bad : state === "Terminating" ? c.ink : colour;
  g.fillRect(x, y, w, h);
  g.globalAlpha = 1;
}

function shape(g, { x, y, w, h }, state, colour, c) {
  g.fillStyle = colour;
  switch (state) {
    case "Ready":
      g.fillRect(x, y, w, h);
      return;
    case "Running":
      g.fillRect(x, y + h / 2, w, h / 2);
      break;
    case "Unready":
      g.fillRect(x, y + h / 2, w, h / 2);
      stripes(g, x, y, w, h / 2, c.bad, 4);
      break;
    case "Succeeded":
      g.globalAlpha = 0.45;
      g.fillRect(x, y, w, h);
      g.globalAlpha = 1;
      break;
    case "Failed":
      colour = c.bad;
      stripes(g, x, y, w, h, colour, 9);
      cross(g, x, y, Math.min(w, h), h, colour);
      break;
    case "Terminating":
      stripes(g, x, y, w, h, colour, 6);
      break;
  }
  if (w >= 3) {
    g.strokeStyle = colour;
    g.lineWidth = 1.25;
    g.strokeRect(x + 0.6, y + 0.6, w - 1.2, h - 1.2);
  }
}

function cross(g, x, y, w, h, colour) {
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x + 2, y + 2);
  g.lineTo(x + w - 2, y + h - 2);
  g.moveTo(x + 2, y + h - 2);
  g.lineTo(x + w - 2, y + 2);
  g.stroke();
}

// caption writes into a bar as much as fits; on a shape that is not solid it needs a ground of its own.
function caption(g, { x, y, w, h }, texts, solid, c) {
  g.font = "600 11px " + SANS;
  const text = texts.find((t) => t && g.measureText(t).width + 10 <= w);
  if (!text) return;
  const width = g.measureText(text).width;
  if (!solid) {
    g.globalAlpha = 0.85;
    g.fillStyle = c.bg;
    g.fillRect(x + 4, y + 2, width + 5, h - 4);
    g.globalAlpha = 1;
  }
  g.fillStyle = solid ? c.on : c.ink;
  g.textBaseline = "middle";
  g.textAlign = "left";
  g.fillText(text, x + 6, y + h / 2 + 0.5);
}

// decision marks where somebody made (up) or deleted (down) a pod: filled for the controller, hollow for the user.
function decision(g, x, y, h, up, byUser, c) {
  g.beginPath();
  if (up) {
    g.moveTo(x, y + h - 6);
    g.lineTo(x - 4.5, y + h + 1.5);
    g.lineTo(x + 4.5, y + h + 1.5);
  } else {
    g.moveTo(x, y + 6);
    g.lineTo(x - 4.5, y - 1.5);
    g.lineTo(x + 4.5, y - 1.5);
  }
  g.closePath();
  g.fillStyle = byUser ? c.bg : c.ink;
  g.fill();
  g.strokeStyle = byUser ? c.accent : c.bg;
  g.lineWidth = byUser ? 1.6 : 0.8;
  g.stroke();
}

// warning is the mark of a fault: a triangle on its base, where a step has a flag.
function warning(g, x, y, c) {
  g.fillStyle = c.bad;
  g.beginPath();
  g.moveTo(x + 8, y);
  g.lineTo(x + 17, y + 16);
  g.lineTo(x - 1, y + 16);
  g.closePath();
  g.fill();
  g.fillStyle = c.bg;
  g.font = "700 11px " + SANS;
  g.textAlign = "center";
  g.fillText("!", x + 8, y + 14);
}

// ring marks where a pod gets an owner (filled) or loses it (hollow).
function ring(g, x, y, filled, c) {
  g.beginPath();
  g.arc(x, y, 4, 0, 7);
  g.fillStyle = filled ? c.ink : c.bg;
  g.fill();
  g.strokeStyle = filled ? c.bg : c.ink;
  g.lineWidth = 1.6;
  g.stroke();
}

// veil takes the colour out of a bar: the pod belongs to nobody.
function veil(g, { x, y, w, h }, c) {
  g.globalAlpha = 0.72;
  g.fillStyle = c.bg;
  g.fillRect(x + 1.5, y + 1.5, w - 3, h - 3);
  g.globalAlpha = 1;
}

// clipped writes text no wider than a width.
function clipped(g, text, x, y, width) {
  if (g.measureText(text).width > width) {
    while (text.length > 1 && g.measureText(text + "…").width > width) text = text.slice(0, -1);
    text += "…";
  }
  g.fillText(text, x, y);
}
