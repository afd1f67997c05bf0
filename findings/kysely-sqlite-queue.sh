#!/usr/bin/env bash
# The guess: reads that wait for Kysely's one SQLite connection queue for it, so each costs the same however many wait.
# What is so: every query that ends wakes all that wait, and all but one go back to sleep. 100 reads at once resume about
# 5,000 times for it, 200 about 20,000, in Kysely 0.28 and 0.29 alike, though SQLite has answered at once.
# Why it matters here: a burst of updates is just that, many small reads at once; it was 11 % of what an update allocated.
# src/store/sqlite.ts therefore has a driver without a queue, from Kysely's own parts.
# Versions: kysely 0.28.18 and 0.29.9, @photostructure/sqlite 1.2.1. Date: 2026-11-27.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 0.28.18 0.29.9; do
  mkdir "$version"
  (cd "$version" && npm init -y >/dev/null && npm install --ignore-scripts --no-audit --no-fund --loglevel error "kysely@$version" @photostructure/sqlite@1.2.1 >/dev/null)
done

cat >ask.mjs <<'JS'
import { createHook } from "node:async_hooks";
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const { Kysely, SqliteDialect, sql } = require("kysely");
const { DatabaseSync } = require("@photostructure/sqlite");
const file = new DatabaseSync(":memory:");
const database = {
  prepare(text) {
    const statement = file.prepare(text);
    return { reader: true, all: (values) => statement.all(...values) };
  },
  close: () => file.close(),
};
const db = new Kysely({ dialect: new SqliteDialect({ database }) });
let resumed = 0;
const hook = createHook({ init() {}, before: () => void resumed++ });
async function count(reads) {
  resumed = 0;
  hook.enable();
  await Promise.all(Array.from({ length: reads }, () => sql`select 1 as one`.execute(db)));
  hook.disable();
  return resumed;
}
await count(1);
const counts = {};
for (const reads of [1, 100, 200]) counts[reads] = await count(reads);
console.log(`kysely ${process.argv[2]}: ${JSON.stringify(counts)} times resumed, by reads at once`);
if (!(counts[100] > 100 * counts[1] + 4_500 && counts[200] > 200 * counts[1] + 18_000)) process.exit(1);
JS
for version in 0.28.18 0.29.9; do (cd "$version" && node ../ask.mjs "$version"); done
echo "Each query that ends wakes all that wait."
