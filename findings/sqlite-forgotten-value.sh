#!/usr/bin/env bash
# The guess: a value that was forgotten in a query (undefined) stays an error when the package for SQLite is updated.
# What is so: @photostructure/sqlite 1.2 throws for undefined; in 2.6 it is NULL, so that a DELETE whose condition
# says "is not" a forgotten value deletes every row that has one. Kysely 0.28 and 0.29 pass it on without a word.
# Why it matters here: tests that relied on the error are green before the update, and rows are gone after it. src/store
# refuses a forgotten value of a query before anything is asked, on either engine.
# Versions: @photostructure/sqlite 1.2.1 and 2.6.0, kysely 0.28.18 and 0.29.9. Date: 2026-11-29.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --loglevel error old@npm:@photostructure/sqlite@1.2.1 new@npm:@photostructure/sqlite@2.6.0 \
  kysely-old@npm:kysely@0.28.18 kysely-new@npm:kysely@0.29.9 >/dev/null

cat >ask.mjs <<'JS'
const packages = ["old", "new"];
for (const kysely of ["kysely-old", "kysely-new"]) {
  const { Kysely, SqliteDialect } = await import(kysely);
  for (const sqlite of packages) {
    const { DatabaseSync } = await import(sqlite);
    const file = new DatabaseSync(":memory:");
    file.exec("create table orders (id text, owner text); insert into orders values ('a', 'x'), ('b', 'y'), ('c', null)");
    const prepare = (query) => {
      const statement = file.prepare(query);
      const reader = /^select/.test(query);
      return { reader, all: (values) => statement.all(...values), run: (values) => statement.run(...values) };
    };
    const database = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => file.close() } }) });
    const forgotten = {}.owner;
    const deletion = database.deleteFrom("orders").where("owner", "is not", forgotten);
    const end = await deletion.executeTakeFirst().then(({ numDeletedRows }) => `${numDeletedRows} rows deleted`, (error) => error.message);
    console.log(`${kysely}, sqlite ${sqlite}: ${end}`);
    await database.destroy();
  }
}
JS
npm ls --depth=0 | grep -oE '(old|new|kysely-).*'
answer="$(node ask.mjs)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
kysely-old, sqlite old: Provided value cannot be bound to SQLite parameter 1.
kysely-old, sqlite new: 2 rows deleted
kysely-new, sqlite old: Provided value cannot be bound to SQLite parameter 1.
kysely-new, sqlite new: 2 rows deleted
TXT
