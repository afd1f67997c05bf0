#!/usr/bin/env bash
# The guess: a status such as PARTIALLY_CANCELED, TRIGGERED or closed says whether an exchange's order is over, so a list of
# words for an end can be shared between exchanges.
# What is so: as ccxt reads 82 exchanges, PARTIALLY_CANCELED is an open order at coinone and foxbit and over at five others;
# TRIGGERED is open at four and filled at three; PENDING_CANCEL is open, being cancelled or over; PARTIALLY_FILLED_CANCELED
# is a filled order at bybit. A number means whatever its exchange likes: 3 is open, filled or cancelled.
# Why it matters here: a watch that ends at a word of another exchange loses the alert about what is filled after it.
# docs/exchange-orders.md has all words; test/services/alerts/order-status.test.ts holds the bot to them.
# Versions: ccxt 4.5.84. Date: 2026-11-28.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund ccxt@4.5.84 >/dev/null

cat >read.mjs <<'JS'
import ccxt from "ccxt";
const seen = new Set();
const own = ccxt.exchanges.flatMap((id) => {
  const exchange = new ccxt[id]();
  const read = exchange.parseOrderStatus;
  if (typeof read !== "function" || seen.has(read)) return [];
  seen.add(read);
  return [{ id, exchange, source: read.toString() }];
});
console.log(`${own.length} exchanges with words of their own`);
for (const word of ["PARTIALLY_CANCELED", "TRIGGERED", "PENDING_CANCEL", "PARTIALLY_FILLED_CANCELED", "3"]) {
  const written = new RegExp(`['"]?\\b(${word.replaceAll("_", "[_-]?")})['"]?\\s*:`, "i");
  const readings = new Map();
  for (const { id, exchange, source } of own) {
    const spelt = written.exec(source)?.[1];
    if (spelt === undefined) continue;
    const reading = exchange.parseOrderStatus(spelt);
    readings.set(reading, [...(readings.get(reading) ?? []), id]);
  }
  console.log(`${word}: ${[...readings].map(([reading, ids]) => `${reading} at ${ids.join(" ")}`).join("; ")}`);
}
process.exit(0);
JS
npm ls --depth=0 | grep -o 'ccxt@.*'
answer="$(node read.mjs)"
echo "$answer"

for word in PARTIALLY_CANCELED TRIGGERED PENDING_CANCEL 3; do
  [ "$(grep "^$word: " <<<"$answer" | grep -o "[a-z]* at " | sort -u | wc -l)" -ge 2 ]
done
grep -q "^PARTIALLY_FILLED_CANCELED: closed at bybit" <<<"$answer"
