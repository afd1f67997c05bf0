#!/usr/bin/env bash
# The guess: a message that an account signs with one package of a family is verified by another, as transactions are.
# What is so: NodeWallet.signMessage (@klever/connect) signs the letters of a text; Account.signMessage (@klever/sdk-node)
# takes the same text for hex and signs those bytes: "123456" is three of them, and "hello" or "12345" throws. Neither verifies
# what the other signed, though both take a text and return a signature in base64.
# Why it matters here: a service that lets people prove an account by a code of six digits refuses honest signatures of one
# package. Swapdesk asks nobody to sign a message: what is signed is a transaction that it checked.
# Versions: @klever/connect 0.1.6 (connect-wallet 0.2.1), @klever/sdk-node 2.4.2. Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect@0.1.6 @klever/connect-wallet@0.2.1 @klever/sdk-node@2.4.2 >/dev/null

cat >sign.cjs <<'JS'
const { createServer } = require("node:http");
const { KleverProvider, NodeWallet } = require("@klever/connect");
const { Account, utils } = require("@klever/sdk-node");
// A key that everybody knows, of the phrase that begins with "abandon".
const key = "8734062c1158f26a3ca8a4a0da87b527a7c168653f7f4c77045e5cf571497d9d";
// An account of sdk-node asks a node for itself before it is ready.
const node = createServer((_request, response) => response.end('{"data":{"account":{}},"error":""}')).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${node.address().port}`;
  utils.setProviders({ node: url, api: url });
  const account = new Account(key);
  await account.ready;
  const wallet = new NodeWallet(new KleverProvider({ url, chainId: "109" }), key);
  await wallet.connect();
  console.log("one account:", account.getAddress() === wallet.address);

  for (const text of ["123456", "12345", "hello"]) {
    const connect = (await wallet.signMessage(text)).toBase64();
    const own = await wallet.verifyMessage(text, connect);
    const sdk = await account.signMessage(text).catch(() => undefined);
    console.log(
      `"${text}": connect verifies its own: ${own};`,
      sdk === undefined
        ? "sdk-node throws"
        : `sdk-node's as text: ${await wallet.verifyMessage(text, sdk)}, as ${text.length / 2} bytes: ${await wallet.verifyMessage(Buffer.from(text, "hex"), sdk)}`,
    );
  }
  node.close();
  node.closeAllConnections();
});
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node sign.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
one account: true
"123456": connect verifies its own: true; sdk-node's as text: false, as 3 bytes: true
"12345": connect verifies its own: true; sdk-node throws
"hello": connect verifies its own: true; sdk-node throws
TXT
