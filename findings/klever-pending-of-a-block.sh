#!/usr/bin/env bash
# The guess: KleverProvider's `pending` event, which its documentation calls "pending transaction in mempool", comes once
# for each transaction, before it is in a block, with its hash and sender.
# What is so: it is made of the node feed's `transactions` messages, of which there is one for each block, after the block
# is committed, whose `data` is an array of all its transactions (klever-io/klever-go, indexer/eventsProcessor.go at
# 06e33828, websocket/websocket.go at ff2ce14f). The client reads the array as one object: for a block with two
# transactions there is one event, and its hash and sender are empty strings. Listeners hear of no transaction at all.
# Why it matters here: a bot that waits for its transaction by this event waits for ever, or takes "" for a hash.
# Swapdesk reads blocks, and asks the node for a hash that it knows.
# Versions: @klever/connect-provider 0.2.0, ws 8.18.3 (the node's part). Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect-provider@0.2.0 ws@8.18.3 >/dev/null

cat >listen.cjs <<'JS'
const { WebSocket, WebSocketServer } = require("ws");
// Node 20 has none of its own.
globalThis.WebSocket = WebSocket;
const { KleverProvider } = require("@klever/connect-provider");

const sender = "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy";
const transaction = (digit) => ({ hash: digit.repeat(64), blockNum: 7, sender, nonce: 1, status: "success", receipts: [], contract: [] });
const header = { hash: "b".repeat(64), nonce: 7, parentHash: "a".repeat(64), timestamp: 1764288000000, slot: 7, epoch: 0, txCount: 2 };
const messages = [
  { type: "blocks", address: "", hash: "", data: header },
  { type: "transactions", address: "", hash: "", data: [transaction("1"), transaction("2")] },
];

const node = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => {
  const provider = new KleverProvider({ network: "local", ws: `ws://127.0.0.1:${node.address().port}/subscribe` });
  for (const event of ["block", "pending"]) provider.on(event, (data) => console.log(event, JSON.stringify(data)));
  node.on("connection", (socket) => {
    socket.once("message", (handshake) => {
      console.log("asked", String(handshake));
      for (const message of messages) socket.send(JSON.stringify(message));
      // Answered in order: what comes after this has been heard.
      socket.once("pong", () => {
        provider.disconnect();
        node.close();
      });
      socket.ping();
    });
  });
  provider.connect();
});
JS
npm ls --depth=0 | grep -oE '(@klever/|ws@).*'
answer="$(node listen.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
asked {"addresses":[],"subscribed_types":["blocks","transactions","accounts","user_transactions"]}
block {"blockNumber":7,"hash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","timestamp":1764288000000}
pending {"hash":"","from":""}
TXT
