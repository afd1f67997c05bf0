#!/usr/bin/env bash
# The guess: packages that encode a contract's arguments write signed numbers in two's complement, as the contracts'
# codec reads them, and read what they wrote.
# What is so: @klever/connect-contracts 0.2.1 writes every negative BigInt as nothing, which is 0, and 128 as 80, which is
# -128. @klever/sdk-node 2.4.2 writes a BigInt of -128 as 03e0, which is 992, an i64 of 128 as -128, and the greatest i64
# as the least. As parts of others, an i64 of a few digits is right in both, which hides it in a test of structs.
# Why it matters here: no contract that the bot calls takes a signed number, and that is one reason less to add one.
# docs/compatibility.md has the whole table.
# Versions: @klever/connect-contracts 0.2.1, @klever/sdk-node 2.4.2. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect-contracts@0.2.1 @klever/sdk-node@2.4.2 >/dev/null

cat >encode.cjs <<'JS'
const { encodeByType } = require("@klever/connect-contracts");
const { abiEncoder } = require("@klever/sdk-node");
const abi = { name: "", constructor: { inputs: [], outputs: [] }, endpoints: [], types: {} };
const read = (hex) => (hex === "" ? 0n : BigInt.asIntN(4 * hex.length, BigInt(`0x${hex}`)));
for (const [type, value] of [["BigInt", -1n], ["BigInt", 128n], ["BigInt", -128n], ["BigInt", -256n], ["i64", 128n], ["i64", 2n ** 63n - 1n]]) {
  const connect = Buffer.from(encodeByType(value, type, abi, false)).toString("hex");
  const sdk = abiEncoder.encodeABIValue(value, type, false);
  console.log(`${type} ${value}: connect-contracts [${connect}] = ${read(connect)}, sdk-node [${sdk}] = ${read(sdk)}`);
}
process.exit(0);
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node encode.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
BigInt -1: connect-contracts [] = 0, sdk-node [ff] = -1
BigInt 128: connect-contracts [80] = -128, sdk-node [0080] = 128
BigInt -128: connect-contracts [] = 0, sdk-node [03e0] = 992
BigInt -256: connect-contracts [] = 0, sdk-node [0ff0] = 4080
i64 128: connect-contracts [80] = -128, sdk-node [80] = -128
i64 9223372036854775807: connect-contracts [7fffffffffffffff] = 9223372036854775807, sdk-node [8000000000000000] = -9223372036854775808
TXT
