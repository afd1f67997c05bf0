#!/usr/bin/env bash
# The guess: abort an HTTP request, and it ends; destroy its client, and its connection is given up.
# What is so: an undici request hears its signal only once its connection is made or has failed, and `destroy` leaves a
# socket that is still connecting alone. A host behind a firewall that drops what it gets takes no connection, so there an
# aborted request, and the process, last as long as the connection may take: ten seconds by default. What is aborted
# before its connection is made is never sent, though.
# Why it matters here: a time limit on a trade's request that may last half as long again, and a bot that doesn't stop.
# src/services/base/requests.ts therefore ends requests itself, and the sockets that connect.
# Versions: undici 7.30.2, node 20.20.2. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund undici@7.30.2 >/dev/null

cat >ask.cjs <<'JS'
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const net = require("node:net");
const { version } = require("undici/package.json");
const { buildConnector, Pool } = require("undici");

/** A host that takes no connection, since as many wait already as may. */
async function busyHost() {
  const source = `const server = require("net").createServer();
    server.listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => console.log(server.address().port));`;
  const host = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number((await once(host.stdout, "data"))[0]);
  host.kill("SIGSTOP");
  for (let count = 0; count < 2; count += 1) await once(net.connect(port, "127.0.0.1").on("error", () => {}), "connect");
  return { host, port };
}

busyHost().then(({ host, port }) => {
  const connect = buildConnector({ timeout: 3_000 });
  const origin = `http://127.0.0.1:${port}`;
  const asked = () => ({ path: "/", method: "GET", signal: AbortSignal.timeout(200) });
  console.log(`node ${process.versions.node}, undici ${version}`);

  let socket;
  const destroyed = new Pool(origin, { connect: (...given) => (socket = connect(...given)) });
  destroyed.request(asked()).catch(() => undefined);
  setTimeout(() => {
    void destroyed.destroy();
    console.log(`  a client that is destroyed after a second: its socket is ${socket.connecting ? "connecting" : "gone"}`);
  }, 1_000);

  const begun = performance.now();
  new Pool(origin, { connect }).request(asked()).catch(() => {
    console.log(`  a request that is aborted after 0.2 s ends after ${Math.round((performance.now() - begun) / 1000)} s`);
    host.kill("SIGKILL");
    process.exit();
  });
});
JS
told="$(node ask.cjs)"
echo "$told"
grep -q "ends after [2-9] s$" <<<"$told"
grep -q "its socket is connecting$" <<<"$told"
