/**
 * Keeps a site without a server usable offline: a service worker, which only pages that answer themselves start.
 *
 * Files come from the network while there is one, so that a new version is seen at once; else from what was kept.
 */

// `bgrace web --static` puts a digest of the files here, and their names.
const FOLDER = ` ${self.registration.scope}`; // a host may have several sites
const KEPT = "bgrace-VERSION" + FOLDER;
const FILES = ["./"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = async () => {
    const isOld = (name) => name.startsWith("bgrace-") && name.endsWith(FOLDER) && name !== KEPT;
    await Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(others());
});

self.addEventListener("fetch", (event) => {
  const { method, url, headers } = event.request;
  if (method !== "GET" || headers.has("range") || new URL(url).origin !== location.origin) return;
  const kept = () => caches.match(url.replace("/index.html", "/"), { ignoreSearch: true }).then((found) => found ?? Response.error());
  event.respondWith(fetch(event.request).catch(kept));
});
