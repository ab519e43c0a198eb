"use strict";
// Keeps the site, so that it works offline. All files of one build stand in one cache.
const cache = "sim-" + "@digest";
const files = "@files";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(cache).then((it) => it.addAll(["./", ...files.filter((name) => name !== "sw.js")])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("sim-") && name !== cache);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const kept = () => caches.open(cache).then((it) => it.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept().then((hit) => hit || fetch(event.request)));
});
