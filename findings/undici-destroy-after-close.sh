#!/usr/bin/env bash
# The guess: close an HTTP client, and once its requests have had their time, destroy it: then those still under way end.
# What is so: an undici Agent forgets its connections as soon as it begins to close. `destroy` then resolves at once and
# ends nothing: the request goes on to its own time limit, five minutes by default, and keeps the process alive. A Pool,
# which an Agent makes of each origin, ends it.
# Why it matters here: a bot that stops gives its last messages some seconds. One file that Telegram's server took in
# without a word kept it from ending for two minutes, when systemd and Docker have long killed it.
# src/services/base/requests.ts therefore waits for its requests itself, and destroys without closing.
# Versions: undici 7.30.2, node 20.20.2. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund undici@7.30.2 >/dev/null

cat >ask.cjs <<'JS'
const { createServer } = require("node:http");
const { version } = require("undici/package.json");
const { Agent, Pool } = require("undici");
const server = createServer((request) => request.resume()).listen(0, "127.0.0.1", async () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  console.log(`node ${process.versions.node}, undici ${version}`);
  for (const client of [new Agent(), new Pool(origin)]) {
    let end = "goes on";
    const limits = { headersTimeout: 5_000 };
    client.request({ origin, path: "/", method: "POST", body: "a file", ...limits }).catch((error) => (end = error.code));
    await new Promise((resolve) => server.once("request", resolve));
    const closed = client.close().catch(() => undefined);
    await client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    console.log(`  ${client.constructor.name}: a second after close() and destroy(), its request: ${end}`);
    await closed;
  }
  server.closeAllConnections();
  server.close();
});
JS
told="$(node ask.cjs)"
echo "$told"
grep -q "Agent: .* its request: goes on$" <<<"$told"
grep -q "Pool: .* its request: UND_ERR_DESTROYED$" <<<"$told"
