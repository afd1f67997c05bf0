import { spawnSync } from "node:child_process";
import { connect, createServer } from "node:net";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { isFault, type Fault } from "../../src/fault.js";
import { move } from "../../src/store/copies.js";
import { openPostgres } from "../../src/store/postgres.js";
import { openStore } from "../../src/store/sqlite.js";
import type { Reader, Transaction, Tables } from "../../src/store/store.js";
import { newDatabase } from "../support/engine.js";
import { listen } from "../support/listen.js";
import { startPostgres } from "../support/postgres.js";
import { project } from "../support/process.js";
import { intentOf, packDue, intentRow } from "../../src/services/intent/intent-row.js";
import { holdRestored, putStandingOrder } from "../../src/services/standing/standing-queries.js";
import { standingSample } from "../services/standing/standing-world.js";
import { migrations } from "../../src/store/schema.js";
import { intent, swapTerms } from "../cards/arrange.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { stopwatch } from "../support/stopwatch.js";

const open = (url: string, more: Partial<Parameters<typeof openPostgres>[0]> = {}) =>
  openPostgres({ url, signal: AbortSignal.timeout(60_000), ...more });

const note =
  (id: string, about = "something") =>
  (tx: Transaction) =>
    tx.insertInto("operator_log").values({ id, at: 1, operator: 2, action: "note", about }).execute();

const BUSY_MS = process.env["FULL"] === undefined ? 6_000 : 60_000;

const codeOf = (task: Promise<unknown>) =>
  task.then(
    () => "done",
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );

it("the test set-up leaves a run's exit code as it is, so that a failed run stays failed", () => {
  const run = `process.exitCode = 3; await import("./test/support/postgres.ts");`;
  expect(spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", run]).status).toBe(3);
});

it("the test set-up runs the server's programs from where its user may go, as the project may be in a private folder", async () => {
  const client = new pg.Client({ connectionString: await newDatabase() });
  await client.connect();
  const { rows } = await client.query<{ setting: string }>("SELECT setting FROM pg_config WHERE name = 'BINDIR'");
  expect(rows).toHaveLength(1);
  expect(rows[0]?.setting).not.toContain(project);
  await client.end();
});

describe("PostgreSQL", () => {
  it("keeps what was written, and nothing of a write with a failed statement", async () => {
    const url = await newDatabase();
    const store = await open(url);
    await store.write(note("one"));
    // In PostgreSQL a failed statement ends the transaction, even if its error is caught.
    expect(
      await codeOf(
        store.write(async (tx) => {
          await note("three")(tx);
          await note("one")(tx).catch(() => undefined);
        }),
      ),
    ).toBe("store-write-failed");
    await store.write(note("four"));
    await store.close();
    const again = await open(url);
    expect(await again.db.selectFrom("operator_log").select(["id", "at"]).orderBy("id").execute()).toEqual([
      { id: "four", at: 1 },
      { id: "one", at: 1 },
    ]);
    await again.close();
  });

  it("refuses a server that may lose commits, one that is not UTF-8 or a replica, and tables of a newer version", async () => {
    const url = await newDatabase();
    await (await open(url)).close();
    const query = async (sql: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(sql);
      await client.end();
    };
    const { pathname } = new URL(url);
    await query(`ALTER DATABASE ${pathname.slice(1)} SET synchronous_commit = off`);
    expect(await codeOf(open(url))).toBe("database-unusable");
    await query(`ALTER DATABASE ${pathname.slice(1)} RESET synchronous_commit`);
    await query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'");
    expect(await codeOf(open(url.replace(pathname, "/latin")))).toBe("database-unusable");
    await query("UPDATE lease SET schema = 999");
    expect(await codeOf(open(url))).toBe("store-newer");
    const replica = await startPostgres({ isReplica: true });
    expect(await codeOf(open(replica.url))).toBe("database-unusable");
    await replica.close();
  });

  it("lets the server end a write's transaction if this process freezes", async () => {
    const url = await newDatabase();
    const store = await open(url);
    const settings = await store.write(async (tx) => {
      const { rows } = await sql`SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`.execute(tx as Kysely<Tables>);
      return rows;
    });
    expect(settings).toEqual([{ statement: "3s", idle: "3s" }]);
    await store.close();
  });
});

describe("reads", () => {
  it("that hang on a locked table end after three seconds, on the server too, and cost no write and no lease", async () => {
    const url = await newDatabase();
    let isLost = false;
    const store = await open(url, { onLost: () => (isLost = true) });
    const stopping = new AbortController();
    const standby = codeOf(open(url, { signal: stopping.signal }));
    // As VACUUM FULL would, or a migration by hand.
    const [client, watch] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
    await Promise.all([client.connect(), watch.connect()]);
    await client.query("BEGIN; LOCK TABLE prices IN ACCESS EXCLUSIVE MODE");
    const hanging = async (since = "") => {
      const { rows } = await watch.query<{ count: number }>(
        `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'
          AND datname = current_database() ${since}`,
      );
      return rows[0]?.count ?? Number.NaN;
    };

    let [settled, written] = [0, 0];
    const reads = Array.from({ length: 40 }, () =>
      codeOf(store.db.selectFrom("prices").select("grain").execute()).finally(() => (settled += 1)),
    );
    await until(async () => (await hanging()) >= 5);
    while (settled < reads.length) {
      expect(await codeOf(store.write(note(String((written += 1)))))).toBe("done");
      // Those that this end has just given up may take the server a moment longer.
      expect(await hanging("AND query_start > clock_timestamp() - interval '2.5 s'")).toBeLessThanOrEqual(5);
    }
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["store-read-failed"]));
    // The table is still locked.
    await until(async () => (await hanging()) === 0);
    expect(await codeOf(store.db.selectFrom("operator_log").select("id").execute())).toBe("done");
    expect(isLost).toBe(false);
    await client.query("COMMIT");
    expect(await codeOf(store.db.selectFrom("prices").select("grain").execute())).toBe("done");
    stopping.abort();
    expect(await standby).toContain("Abort");
    await Promise.all([client.end(), watch.end(), store.close()]);
  }, 120_000);

  it("tell the server their limit, and that they change nothing", async () => {
    const store = await open(await newDatabase());
    const read = sql`select current_setting('statement_timeout') AS most, current_setting('transaction_read_only') AS only`;
    expect((await read.execute(store.db as Kysely<Tables>)).rows).toEqual([{ most: "3s", only: "on" }]);
    await store.close();
  });
});

describe("the lease", () => {
  it("lets a standby take over at once after a stop", async () => {
    const url = await newDatabase();
    const first = await open(url);
    let isStandby = false;
    const second = open(url, { onStandby: () => (isStandby = true) });
    await until(() => isStandby);
    await first.write(note("first"));
    const took = stopwatch();
    await first.close();
    const store = await second;
    expect(took()).toBeLessThan(3_000);
    expect(await store.db.selectFrom("operator_log").select("id").execute()).toEqual([{ id: "first" }]);
    await store.close();
  });

  it.each([3_600_000, 86_400_000])(
    "from %d ms in the future is taken once it hasn't changed for as long as it lasts",
    async (ahead) => {
      const url = await newDatabase();
      await (await open(url)).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      // A process died, and then the server's clock was set back.
      await client.query(
        `UPDATE lease SET renewed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${ahead}`,
      );
      const begun = performance.now();
      const store = await open(url);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(4_990);
      await store.write(note("after"));
      await store.close();
      await client.end();
    },
    60_000,
  );

  it("from the future is not taken from a process that still renews it", async () => {
    const url = await newDatabase();
    let isLost = false;
    const store = await open(url, { onLost: () => (isLost = true) });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const stopping = new AbortController();
    let isOver = false;
    const other = codeOf(open(url, { signal: stopping.signal })).finally(() => (isOver = true));
    // The server's clock is set back again and again.
    for (let steps = 0; steps < 7; steps += 1) {
      await client.query("UPDATE lease SET renewed_at = renewed_at + 3600000");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    expect([isLost, isOver]).toEqual([false, false]);
    await store.write(note("still"));
    stopping.abort();
    expect(await other).toContain("Abort");
    await client.end();
    await store.close();
  }, 60_000);

  it("is kept while eight writers are busy, and while none is", async () => {
    const url = await newDatabase();
    let isLost = false;
    const store = await open(url, { onLost: () => (isLost = true) });
    const stopping = new AbortController();
    const other = codeOf(open(url, { signal: stopping.signal }));
    const end = performance.now() + BUSY_MS;
    let written = 0;
    const writer = async () => {
      // Longer on a busy machine, until enough are written to be called busy.
      while (performance.now() < end || written <= BUSY_MS / 200) {
        await store.write(async (tx) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          await note(String(written))(tx);
          written += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(isLost).toBe(false);
    expect(written).toBeGreaterThan(BUSY_MS / 200);
    stopping.abort();
    expect(await other).toContain("Abort");
    await store.close();
  }, 120_000);

  it("lets the previous holder write nothing once another has taken it, and reports that once", async () => {
    const url = await newDatabase();
    const faults: Fault[] = [];
    const first = await open(url, { onLost: (fault) => faults.push(fault) });
    await first.write(note("first"));
    // As if the whole process had been paused: the lease has expired.
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("UPDATE lease SET renewed_at = 0");
    const second = await open(url);
    expect(await codeOf(first.write(note("late")))).toBe("store-lost");
    expect(await codeOf(first.assertOwned())).toBe("store-lost");
    expect(faults).toHaveLength(1);
    expect(await second.db.selectFrom("operator_log").select("id").execute()).toEqual([{ id: "first" }]);
    await client.end();
    await first.close();
    await second.close();
  });
});

describe("a server that goes away", () => {
  it("fails writes and reads with a fault, and both work once it is back", async () => {
    const own = await startPostgres();
    const store = await open(await newDatabase(own.url));
    await store.write(note("before"));
    await own.kill();
    expect(await codeOf(store.write(note("meanwhile")))).toBe("store-write-failed");
    expect(await codeOf(store.db.selectFrom("operator_log").select("id").execute())).toBe("store-read-failed");
    await own.start();
    await until(async () => (await codeOf(store.write(note("after")))) === "done");
    expect(await store.db.selectFrom("operator_log").select("id").orderBy("id").execute()).toEqual([
      { id: "after" },
      { id: "before" },
    ]);
    await store.close();
    await own.close();
  }, 60_000);

  it("that never answers fails all waiting writes together, not each after its own timeout", async () => {
    const own = await startPostgres();
    const store = await open(await newDatabase(own.url));
    own.hang();
    const took = stopwatch();
    const writes = Array.from({ length: 20 }, (_, id) => codeOf(store.write(note(String(id)))));
    expect(new Set(await Promise.all(writes))).toEqual(new Set(["store-write-failed"]));
    expect(took()).toBeLessThan(10_000);
    own.goOn();
    await until(async () => (await codeOf(store.write(note("after")))) === "done");
    expect(await store.db.selectFrom("operator_log").select("id").execute()).toEqual([{ id: "after" }]);
    await store.close();
    await own.close();
  }, 60_000);

  it("is waited for at the start, and reported once", async () => {
    const own = await startPostgres();
    const url = await newDatabase(own.url);
    await own.kill();
    let reports = 0;
    const opening = open(url, { onAway: () => (reports += 1) });
    await until(() => reports > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await own.start();
    await (await opening).close();
    expect(reports).toBe(1);
    await own.close();
  }, 60_000);
});

it("a migration may take longer than any other statement", async () => {
  const url = await newDatabase();
  await (await open(url)).close();
  const versions = migrations as string[];
  versions.push("SELECT pg_sleep(3.5)");
  try {
    await (await open(url)).close();
  } finally {
    versions.pop();
  }
}, 60_000);

const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });

describe("a move between engines", () => {
  const rows = async (db: Reader) => (await db.selectFrom("operator_log").selectAll().orderBy("id").execute()).length;

  it("copies everything to an empty database and back, but never overwrites data or copies a store in use", async () => {
    const url = await newDatabase();
    const [directory, back] = [await temporaryFolder(), await temporaryFolder()];
    const folder = openStore({ directory });
    // More than one batch.
    for (let index = 0; index < 1_200; index += 400) {
      await folder.write(async (tx) => {
        for (let id = index; id < index + 400; id += 1) await note(String(id), "ü😀")(tx);
      });
    }
    expect(await codeOf(move(directory, url, "postgres"))).toBe("store-locked");
    await folder.close();
    expect(await move(directory, url, "postgres")).toBe(1_200);
    expect(await codeOf(move(directory, url, "postgres"))).toBe("store-not-empty");
    expect(await move(back, url, "sqlite")).toBe(1_200);
    const store = await open(url);
    expect(await codeOf(move(back, url, "sqlite"))).toBe("store-locked");
    await store.assertOwned();
    expect(await rows(store.db)).toBe(1_200);
    await store.close();
    const again = openStore({ directory: back });
    expect(await rows(again.db)).toBe(1_200);
    await again.close();
  }, 60_000);

  it("copies packed calls byte for byte, and brings an older store up to date first", async () => {
    const url = await newDatabase();
    const [directory, back] = [await temporaryFolder(), await temporaryFolder()];
    const versions = migrations as string[];
    const since = versions.splice(1);
    try {
      const older = openStore({ directory });
      await older.write(async (tx) => {
        for (const id of ["a", "b"]) {
          const {
            pack_at: _at,
            packed: _packed,
            standing: _standing,
            occurrence: _occurrence,
            ...row
          } = intentRow({ ...done, id });
          await tx.insertInto("intents").values(row).execute();
        }
      });
      await older.close();
    } finally {
      versions.push(...since);
    }
    expect(await move(directory, url, "postgres")).toBe(2);
    const intentsIn = (db: Reader) => db.selectFrom("intents").selectAll().orderBy("id").execute();
    const store = await open(url);
    expect(await intentsIn(store.db)).toMatchObject(["a", "b"].map((id) => intentRow({ ...done, id })));
    // One of the two.
    await store.write((tx) => packDue(tx, 0, Number.MAX_SAFE_INTEGER, 1));
    const rows = await intentsIn(store.db);
    expect(rows.map(({ packed }) => packed === null).toSorted()).toEqual([false, true]);
    await store.close();
    expect(await move(back, url, "sqlite")).toBe(2);
    const again = openStore({ directory: back });
    expect((await intentsIn(again.db)).map(intentOf)).toEqual(["a", "b"].map((id) => ({ ...done, id })));
    const bytes = (all: typeof rows) => all.map(({ packed }) => packed && Buffer.from(packed).toString("hex"));
    expect(bytes(await intentsIn(again.db))).toEqual(bytes(rows));
    await again.close();
  }, 60_000);
});

it("a write whose connection breaks before its commit fails, and nothing of it is kept", async () => {
  const own = await startPostgres();
  const url = await newDatabase(own.url);
  const store = await open(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The write's connection ends before its commit; the server knows what became of the transaction.
  const cut = store.write(async (tx) => {
    await note("cut")(tx);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state LIKE 'idle in%'",
    );
  });
  expect(await codeOf(cut)).toBe("store-write-failed");
  await store.write(note("next"));
  expect(await store.db.selectFrom("operator_log").select("id").execute()).toEqual([{ id: "next" }]);
  await client.end();
  await store.close();
  await own.close();
}, 60_000);

it.each([
  ["writes", "UPDATE lease SET writes = writes - 2, renewed_at = 1700000000000"],
  ["writes, and this process's lease with them", "UPDATE lease SET epoch = epoch - 1, renewed_at = 1700000000000"],
])(
  "a server that has lost %s, as a replica promoted too early, is lost, and its data says from when",
  async (_, goBack) => {
    const url = await newDatabase();
    const lost: string[] = [];
    const store = await open(url, { onLost: ({ code }) => lost.push(code) });
    for (const id of ["one", "two", "three"]) await store.write(note(id));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(goBack);
    expect(await codeOf(store.write(note("four")))).toBe("store-lost");
    expect(lost).toEqual(["store-lost"]);
    const { rows } = await client.query("SELECT value FROM settings WHERE name = 'restored'");
    expect(rows).toEqual([{ value: '{"from":1700000000000,"until":null}' }]);
    expect(await codeOf(store.write(note("five")))).toBe("store-lost");
    const { rows: kept } = await client.query("SELECT id FROM operator_log ORDER BY id");
    expect(kept).toEqual([{ id: "one" }, { id: "three" }, { id: "two" }]);
    await client.end();
    await store.close();
  },
);

it("a lease that another process took leaves no such mark", async () => {
  const url = await newDatabase();
  const store = await open(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("UPDATE lease SET epoch = epoch + 1");
  expect(await codeOf(store.write(note("late")))).toBe("store-lost");
  expect((await client.query("SELECT name FROM settings WHERE name = 'restored'")).rows).toEqual([]);
  await client.end();
  await store.close();
});

it("orders of data that went back wait, and each owner is asked once", async () => {
  const store = await open(await newDatabase());
  await store.write(async (tx) => {
    for (const [id, userId] of [
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ] as const)
      await putStandingOrder(tx, standingSample({ id, userId }), 5, 5);
    await holdRestored(tx, 5, 5);
  });
  const rows = store.db.selectFrom("outbox").select(["user_id", "topic", "due_at"]).orderBy("user_id");
  expect(await rows.execute()).toEqual([1, 2].map((user_id) => ({ user_id, topic: "standing", due_at: 5 })));
  const waiting = store.db.selectFrom("standing_orders").select("id").where("paused", "=", "restored").orderBy("id");
  expect((await waiting.execute()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  await store.close();
});

it("a commit that was made counts even if its answer was lost", async () => {
  const url = await newDatabase();
  let isCutting = false;
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), "127.0.0.1");
    let isCommitting = false;
    client.on("data", (sent) => {
      isCommitting ||= isCutting && sent.includes("COMMIT");
      server.write(sent);
    });
    server.on("data", (answer) => (isCommitting ? client.destroy() : client.write(answer)));
    client.on("error", () => undefined).on("close", () => server.destroy());
    server.on("error", () => undefined).on("close", () => client.destroy());
  });
  const store = await open(url.replace(/:\d+\//, `:${await listen(proxy)}/`));
  isCutting = true;
  await store.write(note("made"));
  isCutting = false;
  await store.write(note("next"));
  const ids = await store.db.selectFrom("operator_log").select("id").orderBy("id").execute();
  expect(ids).toEqual([{ id: "made" }, { id: "next" }]);
  await store.close();
  proxy.close();
});

it("a process loses its claim on the database if it can't find out in time whether a commit was made", async () => {
  const own = await startPostgres();
  const store = await open(await newDatabase(own.url));
  const doubtful = store.write(async (tx) => {
    await note("doubtful")(tx);
    await own.kill();
  });
  expect(await codeOf(doubtful)).toBe("store-lost");
  expect(await codeOf(store.write(note("late")))).toBe("store-lost");
  await store.close();
  await own.close();
}, 60_000);
