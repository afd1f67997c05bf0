import { withDocuments } from "../support/documents.js";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase, valueOf } from "../../src/store/database.js";
import { migrations } from "../../src/store/schema.js";
import { openStore } from "../../src/store/sqlite.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startChild } from "./child.js";
import { notes, write } from "./place.js";

function refusalOf(task: () => unknown): unknown {
  try {
    return task();
  } catch (error) {
    return error;
  }
}

const dataIn = (directory: string) => join(directory, "swapdesk.sqlite");

/** A store with access to its connection, and whose statements can be made to fail. */
async function openSeen() {
  const directory = await temporaryFolder();
  const lost: unknown[] = [];
  const seen: { data: DatabaseSyncInstance; failing: (sql: string) => void } = {
    data: new DatabaseSync(":memory:"),
    failing: () => undefined,
  };
  const store = withDocuments(
    openStore({
      directory,
      onLost: (fault) => lost.push(fault),
      open: (path) => {
        const data = openDatabase(path);
        seen.data = data;
        return new Proxy(data, {
          get: (_, name) => {
            if (name === "exec")
              return (sql: string) => {
                seen.failing(sql);
                data.exec(sql);
              };
            const value: unknown = data[name as keyof typeof data];
            return typeof value === "function" ? (value.bind(data) as unknown) : value;
          },
        });
      },
    }),
  );
  return {
    store,
    lost,
    directory,
    data: seen.data,
    failBy: (how: (sql: string) => void) => {
      seen.failing = how;
    },
  };
}

describe("the file", () => {
  it("has a write-ahead log, is synced at each commit, wipes what is deleted, and is readable only by its owner", async () => {
    const { directory, data, store } = await openSeen();
    const read = (name: string) => valueOf(data, `PRAGMA ${name}`);
    expect({
      journal_mode: read("journal_mode"),
      synchronous: read("synchronous"),
      secure_delete: read("secure_delete"),
      locking_mode: read("locking_mode"),
      cache_size: read("cache_size"),
    }).toEqual({ journal_mode: "wal", synchronous: 2, secure_delete: 1, locking_mode: "normal", cache_size: -500 });
    await store.update(notes, "1", write("hello"));
    for (const end of ["", "-wal", "-shm"]) {
      expect(statSync(dataIn(directory) + end).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });

  it.each<[string, (path: string) => void, string]>([
    [
      "is no database",
      (path) => writeFileSync(path, "something else that was put there ".repeat(100)),
      "store-damaged",
    ],
    ["was cut off", (path) => writeFileSync(path, readFileSync(path).subarray(0, 5_000)), "store-damaged"],
    ["lost its beginning", (path) => writeFileSync(path, Buffer.alloc(8_192)), "store-damaged"],
    [
      "belongs to another program",
      (path) => {
        writeFileSync(path, "");
        new DatabaseSync(path).exec("CREATE TABLE documents (id)");
      },
      "store-damaged",
    ],
    ["comes from a newer version", (path) => new DatabaseSync(path).exec("PRAGMA user_version = 99"), "store-newer"],
  ])("that %s is refused by name, and stays unchanged", async (_, spoil, code) => {
    const directory = await temporaryFolder();
    const before = withDocuments(openStore({ directory }));
    for (let id = 0; id < 50; id += 1) await before.update(notes, String(id), write("x".repeat(1_000)));
    await before.close();
    // A copy elsewhere, which this process can't have open.
    const path = dataIn(await temporaryFolder());
    writeFileSync(path, readFileSync(dataIn(directory)));
    spoil(path);
    const spoiled = readFileSync(path);
    for (let time = 0; time < 2; time += 1) {
      // The second attempt shows that the first did not leave the folder locked.
      const refused = refusalOf(() => withDocuments(openStore({ directory: dirname(path) })));
      expect(refused).toMatchObject({ code });
      expect(JSON.stringify((refused as { parameters: unknown }).parameters)).toContain(path);
      expect(readFileSync(path).equals(spoiled)).toBe(true);
    }
  });

  it("that can't be created is a fault", async () => {
    expect(() => withDocuments(openStore({ directory: "/dev/null/store" }))).toThrow(
      expect.objectContaining({ code: "store-write-failed", parameters: { document: "/dev/null/store" } }),
    );
  });

  it("of an older schema is migrated when it is opened", async () => {
    const path = dataIn(await temporaryFolder());
    openDatabase(path).close();
    const next = migrations as string[];
    next.push("CREATE TABLE next (id);");
    onTestFinished(() => void next.pop());
    for (let time = 0; time < 2; time += 1) {
      const again = openDatabase(path);
      expect(valueOf(again, "PRAGMA user_version")).toBe(next.length);
      expect(valueOf(again, "SELECT count(*) FROM next")).toBe(0);
      again.close();
    }
  });
});

describe("a folder", () => {
  it("has one owner: a second process is refused while the first lives, and gets it right after a kill", async () => {
    const directory = await temporaryFolder();
    for (let kills = 0; kills < 5; kills += 1) {
      const child = await startChild("hold", directory);
      expect(await child.line()).toBe("open");
      expect(() => withDocuments(openStore({ directory }))).toThrow(
        expect.objectContaining({ code: "store-locked", parameters: { directory } }),
      );
      await child.kill();
      const store = withDocuments(openStore({ directory }));
      await store.close();
    }
  });

  it("is left by an owner whose lock was removed or replaced: before it sends anything, and within five seconds", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const replaces of [false, true]) {
      const directory = await temporaryFolder();
      const lost: unknown[] = [];
      const first = openStore({ directory, onLost: (fault) => lost.push(fault) });
      await first.assertOwned();
      rmSync(join(directory, "owner.lock"));
      // Another process's, which this one can't tell from its own by name.
      const second = replaces ? openStore({ directory }) : undefined;
      if (replaces) vi.advanceTimersByTime(5_000);
      else await expect(first.assertOwned()).rejects.toMatchObject({ code: "store-lost" });
      expect(lost).toMatchObject([{ code: "store-lost" }]);
      await expect(first.write(() => Promise.resolve())).rejects.toMatchObject({ code: "store-lost" });
      await first.close();
      await second?.assertOwned();
      await second?.close();
    }
  });

  it("has one owner, however many processes open it at once", async () => {
    const directory = await temporaryFolder();
    const children = await Promise.all(Array.from({ length: 6 }, () => startChild("hold", directory)));
    const answers = await Promise.all(children.map((child) => child.line()));
    expect(answers.toSorted()).toEqual(["open", ...Array<string>(5).fill("store-locked")]);
  });

  it("has one owner even within a process", async () => {
    const directory = await temporaryFolder();
    const store = withDocuments(openStore({ directory }));
    expect(() => withDocuments(openStore({ directory }))).toThrow(expect.objectContaining({ code: "store-locked" }));
    expect(await (await startChild("hold", directory)).line()).toBe("store-locked");
    await store.close();
    expect(await (await startChild("hold", directory)).line()).toBe("open");
  });
});

describe("a disk", () => {
  it("that is full refuses changes by name, leaves none half-written, and accepts them once there is room", async () => {
    const { store, data } = await openSeen();
    await store.update(notes, "1", write("before"));
    data.exec(`PRAGMA max_page_count = ${String(valueOf(data, "PRAGMA page_count"))}`);
    const large = "x".repeat(100_000);
    const together = await Promise.allSettled([
      store.update(notes, "2", write(large)),
      store.update(notes, "1", write(large)),
      store.read(notes, "1"),
    ]);
    expect(together[0]).toMatchObject({
      reason: { code: "store-write-failed", parameters: { document: "swapdesk.sqlite" }, cause: { errcode: 13 } },
    });
    expect(await store.read(notes, "1")).toEqual({ text: "before" });
    expect(await store.ids(notes)).toEqual(["1"]);
    data.exec("PRAGMA max_page_count = 100000");
    await store.update(notes, "2", write(large));
    expect((await store.read(notes, "2"))?.text).toBe(large);
    await store.close();
  });

  it("that is read-only refuses changes, but is still read", async () => {
    const { store, data } = await openSeen();
    await store.update(notes, "1", write("before"));
    data.exec("PRAGMA query_only = ON");
    await expect(store.update(notes, "1", write("after"))).rejects.toMatchObject({ code: "store-write-failed" });
    await expect(store.remove(notes, "1")).rejects.toMatchObject({ code: "store-write-failed" });
    expect(await store.read(notes, "1")).toEqual({ text: "before" });
    data.exec("PRAGMA query_only = OFF");
    await store.close();
  });

  it("that fails to sync is never used again, as nobody can know what is on it", async () => {
    const { store, lost, failBy } = await openSeen();
    await store.update(notes, "1", write("before"));
    await store.assertOwned();
    failBy((sql) => {
      if (sql === "COMMIT") throw Object.assign(new Error("disk I/O error"), { errcode: 1034 });
    });
    const changes = [store.update(notes, "1", write("after")), store.update(notes, "2", write("after"))];
    for (const change of changes) await expect(change).rejects.toMatchObject({ code: "store-lost" });
    failBy(() => undefined);
    expect(lost).toMatchObject([{ code: "store-lost" }]);
    await expect(store.read(notes, "1")).rejects.toMatchObject({ code: "store-lost" });
    await expect(store.update(notes, "1", write("again"))).rejects.toMatchObject({ code: "store-lost" });
    await expect(store.assertOwned()).rejects.toMatchObject({ code: "store-lost" });
    await store.close();
  });

  it("that can't begin a change refuses all that are waiting", async () => {
    const { store, failBy } = await openSeen();
    failBy((sql) => {
      if (sql.startsWith("BEGIN")) throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
    });
    const changes = ["1", "2"].map((id) => store.update(notes, id, write("after")));
    for (const change of changes) await expect(change).rejects.toMatchObject({ code: "store-write-failed" });
    failBy(() => undefined);
    await store.update(notes, "1", write("after"));
    await store.close();
  });
});

describe("many changes at once", () => {
  it("share a few syncs, and let the event loop run in between", async () => {
    const { store, failBy } = await openSeen();
    let commits = 0;
    failBy((sql) => {
      if (sql === "COMMIT") commits += 1;
    });
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    await Promise.all(
      Array.from({ length: 2_000 }, (_, id) => store.update(notes, String(id), write("x".repeat(500)))),
    );
    isOver = true;
    expect(commits).toBeLessThan(200);
    expect(turns).toBeGreaterThan(commits / 2);
    await store.close();
  });

  it("are made without the one that throws", async () => {
    const { store } = await openSeen();
    const refusal = new Error("refused");
    const changes = await Promise.allSettled([
      store.update(notes, "1", write("one")),
      store.update(notes, "2", () => {
        throw refusal;
      }),
      store.update(notes, "3", write("three")),
    ]);
    expect(changes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await store.ids(notes)).toSorted()).toEqual(["1", "3"]);
    await store.close();
  });
});
