#!/usr/bin/env bash
# The guess: joining formatted texts walks over each once.
# What is so: FormattedString.join of @grammyjs/parse-mode formats anew for each piece all that came before it. Joining 200
# bold words copies each entity 200 times on average, so twice as many pieces cost four times as much. One fmt call with all
# pieces walks over each once and gives the same text.
# Why it matters here: a card is a list of lines; it was three quarters of the memory that a card took. src/cards/card.ts
# therefore joins by one fmt call.
# Versions: @grammyjs/parse-mode 2.3.0, grammy 1.46.0. Date: 2026-11-27.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @grammyjs/parse-mode@2.3.0 grammy@1.46.0 >/dev/null

cat >ask.cjs <<'JS'
const { FormattedString, fmt } = require("@grammyjs/parse-mode");
function bold(text) {
  return new FormattedString(text, [{ type: "bold", offset: 0, length: text.length }]);
}
const split = (pieces) => pieces.flatMap((piece) => [piece, "\n"]).slice(0, -1);
const once = (pieces) => {
  const parts = split(pieces);
  return fmt(["", ...parts.map(() => "")], ...parts);
};
/** How many entities the arrays that a call spreads or fills hold in all, by the pushes and spreads that it makes. */
function copied(join, count) {
  const pieces = Array.from({ length: count }, (_, at) => bold(`word ${at}`));
  const { push } = Array.prototype;
  let seen = 0;
  Array.prototype.push = function (...items) {
    seen += items.filter((item) => item?.type === "bold").length;
    return push.apply(this, items);
  };
  const text = join(pieces);
  Array.prototype.push = push;
  return { seen, text: JSON.stringify([text.text, text.entities]) };
}
const byJoin = (pieces) => FormattedString.join(pieces, "\n");
const [join100, join200] = [copied(byJoin, 100), copied(byJoin, 200)];
const [once100, once200] = [copied(once, 100), copied(once, 200)];
console.log(`parse-mode ${require("@grammyjs/parse-mode/package.json").version}: entities copied for 100 and 200 pieces`);
console.log(`  join: ${join100.seen} and ${join200.seen}; one fmt call: ${once100.seen} and ${once200.seen}`);
console.log(`  the same text: ${join200.text === once200.text}`);
if (join200.text !== once200.text || join200.seen < 3.5 * join100.seen || once200.seen > 2.5 * once100.seen) process.exit(1);
JS
node ask.cjs
echo "Joining copies what was joined so far for each piece."
