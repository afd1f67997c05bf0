import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFault } from "../../src/fault.js";
import { operatorSentence } from "../../src/operator-sentence.js";
import { openPostgres } from "../../src/store/postgres.js";
import { createSeen, readSeen } from "../../src/store/seen-server.js";
import type { Transaction } from "../../src/store/store.js";
import { tryPostgres } from "../../src/store/trial.js";
import { newDatabase } from "../support/engine.js";
import { ask, twoServers } from "../support/failover.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const note = (id: string) => (tx: Transaction) =>
  tx.insertInto("operator_log").values({ id, at: 1, operator: 2, action: "note", about: "" }).execute();

const open = (url: string, directory: string, more: Partial<Parameters<typeof openPostgres>[0]> = {}) =>
  openPostgres({ url, directory, signal: AbortSignal.timeout(60_000), ...more });

const faultOf = (task: Promise<unknown>) =>
  task.then(
    () => "done",
    (error: unknown) => (isFault(error) ? operatorSentence(error) : String(error)),
  );

const EXPIRED_MS = 6_000;
/** As if its holder had been gone for that long. */
const leaseExpires = (url: string) => ask(url, `UPDATE lease SET renewed_at = renewed_at - ${EXPIRED_MS}`);

const marks = (url: string) => ask(url, "SELECT value FROM settings WHERE name = 'restored'");
const LOST = /^PostgreSQL can't be used any more/;
const OLD = /^PostgreSQL can't be used any more \(an old primary on timeline 1, while this bot has been on 2\)/;

it("a bot goes on with a promoted replica that lacks nothing, and never again with the old primary, not even once it is started again", async () => {
  const { url, first, second, failOver, leadTo } = await twoServers({ isSynchronous: true });
  const directory = await temporaryFolder();
  const store = await open(url, directory);
  await store.write(note("before"));
  await failOver();
  await until(async () => (await faultOf(store.write(note("after")))) === "done");
  expect(await marks(second.url)).toEqual([]);
  // Already on disk, whatever ends the bot now.
  expect(readSeen(directory)).toMatchObject({ timeline: 2 });
  await first.start();
  const untouched = await ask(first.url, "SELECT * FROM lease");
  leadTo(first);
  const oldOnes = await faultOf(store.write(note("lost")));
  await until(async () => OLD.test(oldOnes) || OLD.test(await faultOf(store.write(note("lost")))));
  await store.close();
  expect(await faultOf(open(url, directory))).toMatch(OLD);
  expect(await ask(first.url, "SELECT * FROM lease")).toEqual(untouched);
  expect(await ask(first.url, "SELECT id FROM operator_log")).toEqual([{ id: "before" }]);
  leadTo(second);
  await leaseExpires(second.url);
  const again = await open(url, directory);
  expect(await again.db.selectFrom("operator_log").select("id").orderBy("id").execute()).toEqual([
    { id: "after" },
    { id: "before" },
  ]);
  await again.close();
});

it.runIf(process.env["FULL"])(
  "a replica promoted without the last writes says so to a bot that was on its way, and to one that is started only then",
  async () => {
    const { url, first, second, cutOff, failOver } = await twoServers();
    const [running, ended] = [await temporaryFolder(), await temporaryFolder()];
    const store = await open(url, running);
    await store.write(note("kept"));
    const [lease] = await ask(first.url, "SELECT renewed_at FROM lease");
    await cutOff();
    await store.write(note("lost"));
    await until(() => (readSeen(running)?.writes ?? 0) >= 2);
    // As the folder of a bot that was killed now.
    writeFileSync(join(ended, "postgres.json"), readFileSync(join(running, "postgres.json")));
    await failOver();
    await until(async () => LOST.test(await faultOf(store.write(note("late")))));
    await store.close();
    const [mark] = await marks(second.url);
    const { from } = JSON.parse(String(mark?.["value"])) as { from: number };
    expect(from).toBeGreaterThanOrEqual(Number(lease?.["renewed_at"]));
    expect(from).toBeLessThan(Date.now());

    await ask(second.url, "DELETE FROM settings WHERE name = 'restored'");
    await leaseExpires(second.url);
    const again = await open(url, ended);
    expect(await marks(second.url)).toEqual([{ value: `{"from":${from - EXPIRED_MS},"until":null}` }]);
    await ask(second.url, `UPDATE settings SET value = '{"from":1,"until":2}' WHERE name = 'restored'`);
    await again.write(note("next"));
    expect(await again.db.selectFrom("operator_log").select("id").orderBy("id").execute()).toEqual([
      { id: "kept" },
      { id: "next" },
    ]);
    await again.close();
    // It is said once.
    await (await open(url, ended)).close();
    expect(await marks(second.url)).toEqual([{ value: '{"from":1,"until":2}' }]);
  },
);

it("a standby that has seen more writes than there are when it takes the lease says so", async () => {
  const url = await newDatabase();
  await (await open(url, await temporaryFolder())).close();
  const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
  await ask(url, `UPDATE lease SET writes = 10, renewed_at = ${now}`);
  let isStandby = false;
  const standby = open(url, await temporaryFolder(), { onStandby: () => (isStandby = true) });
  await until(() => isStandby);
  await ask(url, "UPDATE lease SET writes = 8, renewed_at = 1700000000000");
  await (await standby).close();
  expect(await marks(url)).toEqual([{ value: '{"from":1700000000000,"until":null}' }]);
});

it("what another goes on with is no loss any more, of another system nothing is known, and what can't be read isn't nothing", async () => {
  const directory = await temporaryFolder();
  const seen = createSeen(directory);
  seen.meet({ system: "one", timeline: 2 });
  seen.reach(2);
  const after = [10, 8, 8, 9].map((writes) => {
    seen.look(writes);
    return seen.writes();
  });
  expect(after).toEqual([10, 10, 10, 9]);
  seen.keep();
  const again = createSeen(directory);
  expect([again.timeline(), again.writes()]).toEqual([2, 9]);
  again.meet({ system: "other", timeline: 1 });
  expect([again.timeline(), again.writes()]).toEqual([0, 0]);
  writeFileSync(join(directory, "postgres.json"), "{");
  expect(() => createSeen(directory)).toThrow("store-unreadable");
  const unkept: unknown[] = [];
  const nowhere = createSeen("/dev/null/store", (error) => unkept.push(error));
  nowhere.reach(3);
  expect([nowhere.timeline(), unkept.length]).toEqual([3, 1]);
});

it.skipIf(process.env["POSTGRES_URL"])(
  "a role that may not read the timeline is told so, and its counted writes alone decide",
  async () => {
    const url = await newDatabase();
    const [role, directory] = [`plain_${process.pid}`, await temporaryFolder()];
    await ask(
      url,
      `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; GRANT ALL ON SCHEMA public TO ${role};
      REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC; REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC`,
    );
    const own = new URL(url);
    [own.username, own.password] = [role, "plain"];
    const store = await open(own.href, directory);
    for (const id of ["one", "two", "three"]) await store.write(note(id));
    await store.close();
    expect(readSeen(directory)).toMatchObject({ timeline: 0 });
    expect(await tryPostgres(own.href)).toMatchObject({ tellsTimeline: false });
    expect(await tryPostgres(url)).toMatchObject({ tellsTimeline: true });
    await ask(url, "UPDATE lease SET writes = writes - 1");
    await (await open(own.href, directory)).close();
    // When the last write was is unknown, as the lease was given up.
    expect(await marks(url)).toEqual([{ value: '{"from":null,"until":null}' }]);
    await ask(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  },
);

it.runIf(process.env["FULL"])(
  "a synchronous replica that is away is named, and the bot goes on once it is back",
  async () => {
    const { url, cutOff, follow } = await twoServers({ isSynchronous: true });
    const directory = await temporaryFolder();
    const store = await open(url, directory);
    await cutOff();
    const WAITS = "its commits wait for a replica of synchronous_standby_names";
    expect(await faultOf(store.write(note("waits")))).toContain(WAITS);
    await store.close();
    const away: unknown[] = [];
    const again = open(url, directory, { onAway: (error) => away.push((error as Error).message) });
    await until(() => away.length > 0);
    expect(away).toEqual([WAITS]);
    await follow();
    const ids = (await again).db.selectFrom("operator_log").select("id");
    expect(await ids.execute()).toEqual([{ id: "waits" }]);
    await (await again).close();
  },
);
