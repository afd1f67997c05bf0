#!/usr/bin/env bash
# The guess: what a view of a contract returns as a list is read as an array, with all that is in it.
# What is so: Contract.call of @klever/connect-contracts returns the only entry itself if a list of many entries
# (`variadic`) has just one, so that a loop over the pairs of a router with one pair goes through the letters of its address.
# A list that is one entry (`List`) has no count in front as a result, as contracts write it; decodeByType and
# abiDecoder.decodeList of @klever/sdk-node take its first item for the count: [1, 2] is read as [2], without an error.
# Why it matters here: a route answers with such a list of payments, and a router with such addresses. Swapdesk decodes by the
# contracts' own codec (test/vectors), and a list of one is a list.
# Versions: @klever/connect-contracts 0.2.1, @klever/connect-provider 0.2.0, @klever/sdk-node 2.4.2. Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect-contracts@0.2.1 @klever/connect-provider@0.2.0 @klever/sdk-node@2.4.2 >/dev/null

cat >read.cjs <<'JS'
const { createServer } = require("node:http");
const { Contract, decodeByType } = require("@klever/connect-contracts");
const { KleverProvider } = require("@klever/connect-provider");
const { abiDecoder } = require("@klever/sdk-node");
const output = { type: "variadic<Address>", multi_result: true };
const view = { name: "getPairs", mutability: "readonly", inputs: [], outputs: [output] };
const abi = { name: "Router", constructor: { inputs: [], outputs: [] }, endpoints: [view], types: {} };
const pair = Buffer.from("00000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6", "hex").toString("base64");
const contract = "klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz";

let returnData;
const api = createServer((_request, response) =>
  response.end(JSON.stringify({ data: { returnData, returnCode: "Ok" }, error: "" })),
).listen(0, "127.0.0.1", async () => {
  const provider = new KleverProvider({ url: `http://127.0.0.1:${api.address().port}`, chainId: "109" });
  for (const count of [0, 1, 2]) {
    returnData = Array.from({ length: count }, () => pair);
    const pairs = await new Contract(contract, JSON.stringify(abi), provider).call("getPairs");
    console.log(`${count} of variadic<Address>: ${Array.isArray(pairs) ? "an array" : typeof pairs} of length ${pairs.length}`);
  }
  for (const [items, hex] of [["[1, 2]", "0000000100000002"], ["[2, 7, 9]", "000000020000000700000009"]]) {
    const connect = decodeByType(Buffer.from(hex, "hex"), "List<u32>", abi, 0, false).value;
    const sdk = abiDecoder.decodeList(hex, "List<u32>", JSON.stringify(abi));
    console.log(`List<u32> ${items}: connect ${JSON.stringify(connect)}, sdk-node ${JSON.stringify(sdk)}`);
  }
  api.close();
  api.closeAllConnections();
});
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node read.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
0 of variadic<Address>: an array of length 0
1 of variadic<Address>: string of length 62
2 of variadic<Address>: an array of length 2
List<u32> [1, 2]: connect [2], sdk-node [[2]]
List<u32> [2, 7, 9]: connect [7,9], sdk-node [[7,9]]
TXT
