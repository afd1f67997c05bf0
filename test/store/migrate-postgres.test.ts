import pg from "pg";
import { expect, it } from "vitest";
import { migrations } from "../../src/store/schema.js";
import { openPostgres } from "../../src/store/postgres.js";
import { tryPostgres } from "../../src/store/trial.js";
import { newDatabase } from "../support/engine.js";
import { seededRandom } from "../support/seed.js";
import { startChild } from "./child.js";
import { firstStore, withMigrations } from "./older-stores.js";

const open = (url: string) => openPostgres({ url, signal: AbortSignal.timeout(60_000) });

async function query<Row>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answer: unknown = await client.query(text);
    return ((Array.isArray(answer) ? answer.at(-1) : answer) as pg.QueryResult).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Tables of the first version, with rows, whose lease nobody holds. */
async function firstDatabase(): Promise<string> {
  const url = await newDatabase();
  await withMigrations(1, [], async () => (await open(url)).close());
  await query(url, firstStore().slice(1).join(""));
  return url;
}

/** Every row of every table, and the version; waits until no transaction is under way. */
async function everythingIn(url: string): Promise<unknown> {
  const lease = await query<{ schema: number }>(url, "SELECT schema FROM lease FOR UPDATE");
  const tables = await query<{ name: string }>(
    url,
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'lease' ORDER BY relname",
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, await query(url, `SELECT * FROM ${name} AS one ORDER BY one::text`)]),
  );
  return { lease, rows };
}

const faultOf = (task: Promise<unknown>) =>
  task.then(
    () => undefined,
    (error: unknown) => error,
  );

it("migrations that are killed between any two statements are all done, or none is", async () => {
  const random = seededRandom("kills of migrations on PostgreSQL");
  const whole = await firstDatabase();
  const count = Number(await (await startChild("migrate", whole, "9999")).line());
  expect(count).toBeGreaterThan(migrations.length * 2);
  const all = Array.from({ length: count }, (_, index) => index);
  const chosen = process.env["FULL"] === undefined ? all.filter(() => random() < 5 / count) : all;
  const url = await firstDatabase();
  const before = await everythingIn(url);
  for (const at of chosen) {
    const child = await startChild("migrate", url, String(at));
    await expect(child.line()).rejects.toThrow("the child ended");
    expect(await everythingIn(url)).toEqual(before);
    // Instead of waiting until the lease is over.
    await query(url, "UPDATE lease SET renewed_at = 0");
  }
  await withMigrations(1, [], async () => (await open(url)).close());
  await (await open(url)).close();
  expect(await everythingIn(url)).toEqual(await everythingIn(whole));
}, 600_000);

it("migrations of which one doesn't fit leave every row as it was, which a trial tells without changing anything", async () => {
  const url = await firstDatabase();
  const before = await everythingIn(url);
  const trial = { version: 1, newest: migrations.length, isTried: true, tellsTimeline: true };
  expect(await tryPostgres(url)).toEqual(trial);
  const unmigrated = (reason: string) => ({ code: "store-unmigrated", parameters: { document: "PostgreSQL", reason } });
  const failing = [...migrations.slice(1), "CREATE TABLE next (id TEXT); INSERT INTO next SELECT gone FROM intents;"];
  await withMigrations(1, failing, async () => {
    const refused = unmigrated('column "gone" does not exist');
    expect(await faultOf(tryPostgres(url))).toMatchObject(refused);
    expect(await faultOf(open(url))).toMatchObject(refused);
  });
  // As in development versions before these columns.
  await query(url, "ALTER TABLE watches RENAME COLUMN share TO shares");
  const refused = unmigrated("a development version made it, since its table watches has no column share");
  expect(await faultOf(tryPostgres(url))).toMatchObject(refused);
  expect(await faultOf(open(url))).toMatchObject(refused);
  await query(url, "ALTER TABLE watches RENAME COLUMN shares TO share");
  expect(await everythingIn(url)).toEqual(before);
  await (await open(url)).close();
  expect(await tryPostgres(url)).toEqual({ ...trial, version: migrations.length });
});

it("a trial says so if there is nothing, and if the role may not make temporary tables", async () => {
  const url = await newDatabase();
  expect(await tryPostgres(url)).toBeUndefined();
  const older = await firstDatabase();
  const name = new URL(older).pathname.slice(1);
  await query(
    older,
    `CREATE ROLE ${name} LOGIN PASSWORD 'none'; REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`,
  );
  const role = new URL(older);
  [role.username, role.password] = [name, "none"];
  const untried = { version: 1, newest: migrations.length, isTried: false, tellsTimeline: true };
  expect(await tryPostgres(role.href)).toEqual(untried);
  await query(older, `DROP OWNED BY ${name}; DROP ROLE ${name}`);
});
