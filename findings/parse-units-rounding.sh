#!/usr/bin/env bash
# The guess: the libraries of wallets turn an amount with more decimals than the token has into the same units, or all
# refuse it.
# What is so: ethers and @klever/connect refuse it, viem rounds it to the nearest, @klever/connect-transactions cuts it
# off. "1.9999999" of a token with six decimals is 2000000 units in viem, more than was typed; "0.5" of one without
# decimals is a whole token.
# Why it matters here: rounding up a payment or a minimum spends what nobody typed. Swapdesk refuses such an amount and
# says how many decimals the token has.
# Versions: ethers 6.17.0, viem 2.57.20, @klever/connect 0.1.6, @klever/connect-transactions 0.1.5. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund \
  ethers@6.17.0 viem@2.57.20 @klever/connect@0.1.6 @klever/connect-transactions@0.1.5 >/dev/null

cat >read.cjs <<'JS'
const readers = {
  ethers: require("ethers").parseUnits,
  viem: require("viem").parseUnits,
  connect: require("@klever/connect").parseUnits,
  "connect-transactions": require("@klever/connect-transactions").toUnits,
};
for (const [text, decimals] of [["1.9999999", 6], ["0.0000004", 6], ["0.0000005", 6], ["0.5", 0], ["1.25", 2]]) {
  const told = Object.entries(readers).map(([name, read]) => {
    try {
      return `${name} ${read(text, decimals)}`;
    } catch {
      return `${name} refuses`;
    }
  });
  console.log(`${text} with ${decimals} decimals: ${told.join(", ")}`);
}
process.exit(0);
JS
npm ls --depth=0 | tail -n +2
answer="$(node read.cjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
1.9999999 with 6 decimals: ethers refuses, viem 2000000, connect refuses, connect-transactions 1999999
0.0000004 with 6 decimals: ethers refuses, viem 0, connect refuses, connect-transactions 0
0.0000005 with 6 decimals: ethers refuses, viem 1, connect refuses, connect-transactions 0
0.5 with 0 decimals: ethers refuses, viem 1, connect refuses, connect-transactions 0
1.25 with 2 decimals: ethers 125, viem 125, connect 125, connect-transactions 125
TXT
