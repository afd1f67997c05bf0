#!/usr/bin/env bash
# The guess: two functions of one family of packages, which turn an amount as people write it into base units, agree.
# What is so: parseUnits (@klever/connect) is exact; toUnits (@klever/connect-transactions) counts in floating point and
# cuts off: 1.005 with three decimals is 1004, 2^53+1 units one less, and 1.5 of a token without decimals is 1 without
# an error. fromUnits writes one unit of eight decimals as 1e-8, which parseUnits refuses.
# Why it matters here: an amount that a bot signs must be the one that was typed. Swapdesk counts in bigint; what its
# tests take from these packages goes through parseUnits.
# Versions: @klever/connect 0.1.6, @klever/connect-transactions 0.1.5. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @klever/connect@0.1.6 @klever/connect-transactions@0.1.5 >/dev/null

cat >compare.cjs <<'JS'
const { parseUnits, formatUnits } = require("@klever/connect");
const { toUnits, fromUnits } = require("@klever/connect-transactions");
const told = (run) => {
  try {
    return String(run());
  } catch {
    return "refused";
  }
};
for (const [text, decimals] of [["1.005", 3], ["9007199254740993", 0], ["1.5", 0], ["92233720368.54775807", 8]]) {
  console.log(`${text} with ${decimals}: parseUnits ${told(() => parseUnits(text, decimals))}, toUnits ${told(() => toUnits(text, decimals))}`);
}
const [one, other] = [formatUnits(1n, 8), fromUnits(1n, 8)];
console.log(`1 unit with 8: formatUnits ${one}, fromUnits ${other}, and back ${told(() => parseUnits(other, 8))}`);
JS
npm ls --depth=0 | grep -o '@klever/.*'
answer="$(node compare.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
1.005 with 3: parseUnits 1005, toUnits 1004
9007199254740993 with 0: parseUnits 9007199254740993, toUnits 9007199254740992
1.5 with 0: parseUnits refused, toUnits 1
92233720368.54775807 with 8: parseUnits 9223372036854775807, toUnits 9223372036854776000
1 unit with 8: formatUnits 0.00000001, fromUnits 1e-8, and back refused
TXT
