#!/usr/bin/env bash
# The guess: BigNumber makes NaN of a text that is no number, as it always has, and "1_000" is one of those texts.
# What is so: since version 10 it is strict unless told otherwise: an empty or unreadable text and null throw, so that
# code which asks isNaN() afterwards is never reached. "1_000" is 1000 in 11, and toFraction with a greatest denominator
# gives another fraction.
# Why it matters here: exchanges write an empty text for a price that they don't have, and NaN was shown as a dash; after
# an update the whole order can't be read. Swapdesk checks the text before it makes a number of it.
# Versions: bignumber.js 9.3.1 and 11.1.5. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund old@npm:bignumber.js@9.3.1 new@npm:bignumber.js@11.1.5 >/dev/null

cat >read.cjs <<'JS'
const [{ BigNumber: Old }, { BigNumber: New }] = [require("old"), require("new")];
const told = (BigNumber, text) => {
  try {
    return String(new BigNumber(text));
  } catch {
    return "throws";
  }
};
for (const text of ["", "n/a", null, "1_000", "1e-7"]) {
  console.log(`${JSON.stringify(text)}: bignumber.js 9 ${told(Old, text)}, 11 ${told(New, text)}`);
}
const fraction = (BigNumber) => new BigNumber("907843.1878").toFraction(1000).join("/");
console.log(`907843.1878 as a fraction: bignumber.js 9 ${fraction(Old)}, 11 ${fraction(New)}`);
console.log(`strict: ${New.config().STRICT}`);
JS
npm ls --depth=0 | grep -o '[a-z]*@npm:.*'
answer="$(node read.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
"": bignumber.js 9 NaN, 11 throws
"n/a": bignumber.js 9 NaN, 11 throws
null: bignumber.js 9 NaN, 11 throws
"1_000": bignumber.js 9 NaN, 11 1000
"1e-7": bignumber.js 9 1e-7, 11 1e-7
907843.1878 as a fraction: bignumber.js 9 565586306/623, 11 758956905/836
strict: true
TXT
