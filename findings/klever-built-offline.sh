#!/usr/bin/env bash
# The guess: a builder whose documentation offers to build a transaction offline puts into it what it was asked for.
# What is so: TxBuilder.buildProto of @klever/connect 0.1.6 returns a transaction without any contract, and no error. A
# transfer of 5 units of KLV, one of 7 of KFI and a contract call have the same bytes and the same hash; signing it signs nothing
# but a sender, a nonce and fees. buildRequest, which a node turns into a transaction, holds the transfer.
# Why it matters here: a wallet must never be shown a card for one transaction and sign another. Swapdesk writes a
# transaction's bytes itself and compares them with what the node built; its tests build offline with @klever/sdk-node.
# Versions: @klever/connect 0.1.6 (connect-transactions 0.1.5). Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect@0.1.6 @klever/connect-transactions@0.1.5 >/dev/null

cat >build.cjs <<'JS'
const { TxBuilder } = require("@klever/connect");
const sender = "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy";
const contract = "klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz";
const wishes = {
  "5 KLV": (builder) => builder.transfer({ receiver: sender, amount: 5n }),
  "7 KFI": (builder) => builder.transfer({ receiver: sender, amount: 7n, kda: "KFI" }),
  "a call": (builder) => builder.smartContract({ scType: 0, address: contract, callValue: { KLV: 5n } }),
};
for (const [name, wish] of Object.entries(wishes)) {
  const builder = wish(new TxBuilder()).sender(sender).nonce(1);
  const built = builder.buildProto({ chainId: "108", fees: { kAppFee: 1, bandwidthFee: 1 } });
  console.log(`${name}: ${built.RawData?.Contract?.length ?? 0} contracts, hash ${built.getHash()}; buildRequest has ${builder.buildRequest().contracts.length}`);
}
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node build.cjs)"
echo "$answer"

[ "$(grep -c ": 0 contracts, .*has 1$" <<<"$answer")" = 3 ]
[ "$(grep -o "hash [0-9a-f]*" <<<"$answer" | sort -u | wc -l)" = 1 ]
