#!/usr/bin/env bash
# The guess: a client that asks the node for the next number of an account counts what that account has sent and what isn't
# in a block yet, as the node tells both, and as other chains' clients do.
# What is so: KleverProvider.buildTransaction asks /address/{address}/nonce and takes `nonce`, which is the account's own
# (klever-io/klever-go, node/nodeAccount.go at 7cf5835d), and leaves `firstPendingNonce` and `txPending` beside it alone.
# Of two transfers before the next block both are taken and get a hash, with one number: at most one of them is executed.
# Account.quickSend of @klever/sdk-node counts by itself, and sends two numbers.
# Why it matters here: a second trade within a block would put the first out of force, or never be executed, after a hash for
# each. Swapdesk reads `txPending`, and builds nothing for an account of which something waits.
# Versions: @klever/connect 0.1.6 (connect-provider 0.2.0), @klever/sdk-node 2.4.2. Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect@0.1.6 @klever/connect-provider@0.2.0 @klever/sdk-node@2.4.2 >/dev/null

cat >send.cjs <<'JS'
const { createServer } = require("node:http");
const { KleverProvider, NodeWallet } = require("@klever/connect");
const { Account, utils } = require("@klever/sdk-node");
// A key that everybody knows, of the phrase that begins with "abandon".
const key = "8734062c1158f26a3ca8a4a0da87b527a7c168653f7f4c77045e5cf571497d9d";
const receiver = "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy";

/** A node whose account has had 7 transactions executed, in the forms of klever-go; no block comes. */
const pool = [];
const asked = [];
const answers = {
  nonce: () => ({ nonce: 7, firstPendingNonce: pool[0]?.RawData.Nonce ?? 0, txPending: pool.length }),
  send: ({ nonce }) => ({ result: { RawData: { Nonce: nonce, Version: 1, KAppFee: 500000, BandwidthFee: 1000000 } }, txHash: "a".repeat(64) }),
  decode: () => ({ tx: { hash: "a".repeat(64) } }),
  broadcast: ({ txs }) => (pool.push(...txs), { txsHashes: txs.map(() => String(pool.length).repeat(64)) }),
};
const node = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  const name = request.url.split("/").at(-1);
  asked.push(name);
  const data = answers[name]?.(text && JSON.parse(text)) ?? { account: { Balance: 1000000000, Nonce: 7 } };
  if (name === "nonce") console.log("the node says", JSON.stringify(data));
  response.end(JSON.stringify({ data, error: "", code: "successful" }));
}).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${node.address().port}`;
  utils.setProviders({ node: url, api: url });

  const wallet = new NodeWallet(new KleverProvider({ url, chainId: "109" }), key);
  await wallet.connect();
  for (const amount of [1n, 2n]) {
    const { hash, status } = await wallet.transfer({ receiver, amount });
    console.log("connect", amount, status, hash.slice(0, 8));
  }
  console.log("connect's numbers", JSON.stringify(pool.splice(0).map(({ RawData }) => RawData.Nonce)));

  const account = new Account(key);
  await account.ready;
  for (const amount of [1, 2]) await account.quickSend([{ type: 0, payload: { amount, receiver, kda: "KLV" } }]);
  console.log("sdk-node's numbers", JSON.stringify(pool.map(({ RawData }) => RawData.Nonce)));
  node.close();
  node.closeAllConnections();
});
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node send.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
the node says {"nonce":7,"firstPendingNonce":0,"txPending":0}
connect 1n pending 11111111
the node says {"nonce":7,"firstPendingNonce":7,"txPending":1}
connect 2n pending 22222222
connect's numbers [7,7]
sdk-node's numbers [7,8]
TXT
