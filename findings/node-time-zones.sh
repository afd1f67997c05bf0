#!/usr/bin/env bash
# The guess: a Node that is still used knows what time it is anywhere, lists cities by their names of today, and refuses
# an abbreviation that belongs to several zones.
# What is so: Node 20.20.2, the last of its line, has the time zone rules of 2025 and is an hour off in Vancouver,
# Edmonton, Winnipeg and Casablanca since autumn 2026. It and Node 26 list Europe/Kiev, not Europe/Kyiv, and read BST as
# Dhaka, AST as Anchorage, ART as Cairo, NST as Auckland and IST as Kolkata, without a word.
# Why it matters here: quiet hours, the day of a limit and a history's local times follow a person's zone, and the bot
# runs on Node 20 to 26. src/services/person/zone.ts therefore asks moment-timezone's table.
# Versions: node 20.20.2 and 26.12.1 (npm packages node-<platform>), moment-timezone 0.6.6. Date: 2026-11-27.
set -euo pipefail

platform="$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 20.20.2 26.12.1; do
  mkdir "$version"
  (cd "$version" && npm init -y >/dev/null && npm install --ignore-scripts --no-audit --no-fund "node-$platform@$version" >/dev/null)
done
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund moment-timezone@0.6.6 >/dev/null

cat >ask.cjs <<'JS'
const moment = require("moment-timezone");
const at = Date.UTC(2026, 10, 27, 12);
const zones = ["America/Vancouver", "America/Edmonton", "America/Winnipeg", "Africa/Casablanca", "Europe/Lisbon"];
const hours = (zone) => {
  const text = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).format(at);
  const [, sign = "+", count = "0"] = /GMT(?:([+-])(\d+))?/.exec(text);
  return Number(`${sign}${count}`);
};
const listed = Intl.supportedValuesOf("timeZone");
const read = (name) => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
console.log(`node ${process.versions.node}, rules ${process.versions.tz}; moment-timezone ${moment.tz.dataVersion}`);
const off = zones.filter((zone) => hours(zone) !== -moment.tz.zone(zone).utcOffset(at) / 60);
console.log(`  off: ${off.join(" ") || "none"}`);
console.log(`  lists Europe/Kiev ${listed.includes("Europe/Kiev")}, Europe/Kyiv ${listed.includes("Europe/Kyiv")}`);
console.log(`  reads ${["BST", "AST", "ART", "NST", "IST"].map((name) => `${name} as ${read(name)}`).join(", ")}`);
JS
old="$("20.20.2/node_modules/node-$platform/bin/node" ask.cjs)"
new="$("26.12.1/node_modules/node-$platform/bin/node" ask.cjs)"
printf '%s\n%s\n' "$old" "$new"

grep -q "off: America/Vancouver America/Edmonton America/Winnipeg Africa/Casablanca$" <<<"$old"
for answer in "$old" "$new"; do
  grep -q "lists Europe/Kiev true, Europe/Kyiv false" <<<"$answer"
  grep -q "BST as Asia/Dhaka, AST as America/Anchorage, ART as Africa/Cairo, NST as Pacific/Auckland, IST as Asia/Calcutta" <<<"$answer"
done
