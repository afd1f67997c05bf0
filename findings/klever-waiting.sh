#!/usr/bin/env bash
# The guess: a function that waits for a transaction asks until it is in a block or the time is over, and what comes back is
# in a block.
# What is so: KleverProvider.waitForTransaction (@klever/connect) gives up at the first look if the transaction isn't known
# yet, whatever the form of that answer, though its documentation says null after two minutes: what was broadcast a moment
# ago ends as an error. If it is known and pending, it looks every three seconds, but for 15 at the provider's own cache, so that
# what is in a block after one second is seen after 15 at the earliest. transactionsProcessed of @klever/sdk-node is content with pending.
# Why it matters here: an error while waiting is no word about a trade, and "processed" is no proof of one. Swapdesk asks
# the node itself, without a cache, and takes no outcome from a block that no other stands on.
# Versions: @klever/connect 0.1.6 (connect-provider 0.2.0), @klever/sdk-node 2.4.2. Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect@0.1.6 @klever/connect-provider@0.2.0 @klever/sdk-node@2.4.2 >/dev/null

cat >wait.cjs <<'JS'
const { createServer } = require("node:http");
const { KleverProvider } = require("@klever/connect");
const { utils } = require("@klever/sdk-node");
const hash = "a".repeat(64);
const known = (status) => ({ data: { transaction: { hash, status, blockNum: status === "pending" ? 0 : 8 } }, error: "" });
let answer;
let asked = 0;
const api = createServer((_request, response) => {
  asked++;
  const [status, body] = answer();
  response.writeHead(status).end(JSON.stringify(body));
}).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${api.address().port}`;
  utils.setProviders({ node: url, api: url });
  const client = () => new KleverProvider({ url, chainId: "109" });

  const unknown = {
    "404": [404, { data: null, error: "transaction not found" }],
    "an error in 200": [200, { data: null, error: "transaction not found" }],
    "no transaction in 200": [200, { data: {}, error: "" }],
  };
  for (const [form, said] of Object.entries(unknown)) {
    asked = 0;
    answer = () => said;
    const told = await client().waitForTransaction(hash).catch(() => "an error");
    console.log(`connect, not known yet, ${form}: ${told} after ${asked} request`);
  }

  asked = 0;
  const began = Date.now();
  answer = () => [200, known(Date.now() - began < 1000 ? "pending" : "success")];
  const found = await client().waitForTransaction(hash);
  const isLate = Date.now() - began >= 14_900;
  console.log(`connect, in a block after 1 s: ${found.status} after ${isLate ? "15 s or more" : "less"}, ${asked} requests`);

  answer = () => [200, known("pending")];
  const [processed] = await utils.transactionsProcessed([Promise.resolve({ data: { txsHashes: [hash] } })]);
  console.log("sdk-node, processed:", processed.transaction.status);
  api.close();
  api.closeAllConnections();
});
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node wait.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
connect, not known yet, 404: an error after 1 request
connect, not known yet, an error in 200: an error after 1 request
connect, not known yet, no transaction in 200: an error after 1 request
connect, in a block after 1 s: success after 15 s or more, 2 requests
sdk-node, processed: pending
TXT
