#!/usr/bin/env bash
# The guess: a new major of a protobuf library writes the same message as the same bytes, as hashes and signatures are
# made over them.
# What is so: protobufjs 8 leaves out what is zero or empty, and packs repeated numbers, as the format's third version
# says and Go does; protobufjs 7 writes a zero that was given, and packs nothing that was read from a .proto text. So a
# transaction whose first nonce is given as 0 has another hash. Whether a lone half of a surrogate pair or a 64-bit map
# key is read also differs, and `verify` takes an enum's unknown number.
# Why it matters here: a chain hashes the bytes that Go writes. Swapdesk writes a transaction's bytes itself, zeros
# omitted, and compares them with what the node built. @klever/connect-encoding 0.1.3 writes the zero, too.
# Versions: protobufjs 7.6.6 and 8.8.1. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund old@npm:protobufjs@7.6.6 new@npm:protobufjs@8.8.1 >/dev/null

cat >encode.cjs <<'JS'
const { createHash } = require("node:crypto");
const schema = `syntax = "proto3";
  message Raw { uint64 Nonce = 1; bytes Sender = 2; repeated bytes Data = 10; int64 Fee = 13; repeated int64 Royalties = 14; }`;
const messages = {
  "a first nonce": { Nonce: 0, Fee: 5 },
  "no sender": { Sender: new Uint8Array(), Fee: 5 },
  "two royalties": { Royalties: [1, 2] },
  "an empty note": { Data: [new Uint8Array()] },
};
for (const [name, message] of Object.entries(messages)) {
  const [old, now] = ["old", "new"].map((each) => {
    const Raw = require(each).parse(schema).root.lookupType("Raw");
    return Buffer.from(Raw.encode(Raw.fromObject(message)).finish());
  });
  const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  console.log(`${name}: protobufjs 7 [${old.toString("hex")}] ${hash(old)}, 8 [${now.toString("hex")}] ${hash(now)}`);
}
JS
npm ls --depth=0 | grep -o '[a-z]*@npm:.*'
answer="$(node encode.cjs)"
echo "$answer"

grep -q "^a first nonce: protobufjs 7 \[08006805\] .*, 8 \[6805\]" <<<"$answer"
grep -q "^no sender: protobufjs 7 \[12006805\] .*, 8 \[6805\]" <<<"$answer"
grep -q "^two royalties: protobufjs 7 \[70017002\] .*, 8 \[72020102\]" <<<"$answer"
grep -q "^an empty note: protobufjs 7 \[5200\] .*, 8 \[5200\]" <<<"$answer"
