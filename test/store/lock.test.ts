import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { type Files, nodeFiles } from "../../src/store/files.js";
import { readJournal } from "../../src/store/journal.js";
import { startChild } from "./child.js";
import { seededRandom } from "../support/seed.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { notes, write } from "./place.js";
import { series } from "./series.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const systemError = (code: string) => Object.assign(new Error(`${code}: played`), { code });
const lockOf = (directory: string) => join(directory, "store.lock");
const locked = (directory: string, pid: number) => ({ code: "store-locked", parameters: { directory, pid } });

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"]);
  await once(child, "close");
  return child.pid!;
}

/** A directory with a lock that says `holder`. */
async function directoryHeldBy(holder: unknown): Promise<string> {
  const directory = await temporaryFolder();
  await writeFile(lockOf(directory), typeof holder === "string" ? holder : JSON.stringify(holder));
  return directory;
}

/** Opens, shows that the lock is ours, and closes. */
async function expectOpens(directory: string, files: Files = nodeFiles): Promise<void> {
  const store = await createEmbeddedStore({ directory, files });
  expect(JSON.parse(await readFile(lockOf(directory), "utf8"))).toMatchObject({ pid: process.pid });
  await store.close();
  expect((await readdir(directory)).filter((name) => name.startsWith("store.lock"))).toEqual([]);
}

afterEach(() => vi.restoreAllMocks());

describe("a second process", () => {
  it("is kept out while the first lives, and comes in when it was killed", async () => {
    const directory = await temporaryFolder();
    const child = await startChild("hold", directory);
    expect(await child.line()).toBe("open");
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject(locked(directory, child.pid));
    await child.kill();
    await expectOpens(directory);
  });

  it("is told the code", async () => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    expect(await (await startChild("hold", directory)).line()).toBe("store-locked");
    await store.close();
    expect(await (await startChild("hold", directory)).line()).toBe("open");
  });

  it("does not come in together with others after a crash", async () => {
    const directory = await directoryHeldBy({ pid: await endedPid() });
    const children = Array.from({ length: 6 }, () => startChild("hold", directory));
    const answers = await Promise.all(children.map(async (child) => (await child).line()));
    expect(answers.toSorted()).toEqual(["open", ...Array<string>(5).fill("store-locked")]);
  });
});

describe("a second store in the same process", () => {
  it("is kept out until the first is closed", async () => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject(locked(directory, process.pid));
    await store.close();
    await expectOpens(directory);
  });

  it("does not come in together with others after a crash, however their steps fall", async () => {
    const pid = await endedPid();
    const random = seededRandom("steps of a takeover");
    const unevenFiles: Files = {
      ...nodeFiles,
      link: async (...names) => (await sleep(random() * 3), nodeFiles.link(...names)),
      remove: async (path) => (await sleep(random() * 3), nodeFiles.remove(path)),
      read: async (path) => (await sleep(random() * 3), nodeFiles.read(path)),
    };
    for (let round = 0; round < 20; round += 1) {
      const directory = await directoryHeldBy({ pid });
      await writeFile(`${lockOf(directory)}.takeover`, JSON.stringify({ pid }));
      const openings = await Promise.allSettled(
        Array.from({ length: 8 }, () => createEmbeddedStore({ directory, files: unevenFiles })),
      );
      const stores = openings.flatMap((opening) => (opening.status === "fulfilled" ? [opening.value] : []));
      expect(stores).toHaveLength(1);
      for (const opening of openings) {
        if (opening.status === "rejected") expect(opening.reason).toMatchObject({ code: "store-locked" });
      }
      for (const store of stores) await store.close();
      await expectOpens(directory);
    }
  });
});

describe("the lock of a process that is gone", () => {
  it.each([
    ["whose number nobody has", async () => ({ pid: await endedPid(), started: "boot 1" })],
    ["whose number another process has now", async () => ({ pid: process.pid, started: "boot 1" })],
    ["that said nothing", async () => ""],
    ["that was cut off", async () => '{"pid":12'],
    ["that named nobody", async () => "null"],
    ["that named no process", async () => ({ pid: 0 })],
    ["that named a group of processes", async () => ({ pid: -1 })],
  ])("is taken over: one %s", async (_which, holder) => {
    await expectOpens(await directoryHeldBy(await holder()));
  });

  it.runIf(process.platform === "linux")("is taken over when nobody has collected the process yet", async () => {
    // The shell starts a child and, before that ends, becomes a program that never asks for its end.
    const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(output.toString());
    const ended = async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z ");
    await expect.poll(ended).toBe(true);
    await expectOpens(await directoryHeldBy({ pid }));
  });

  it("is taken over once the one who was taking it over has died as well", async () => {
    const pid = await endedPid();
    const directory = await directoryHeldBy({ pid });
    await writeFile(`${lockOf(directory)}.takeover`, JSON.stringify({ pid }));
    await expectOpens(directory);
  });

  it("is left alone when another process was quicker to take it over", async () => {
    const directory = await directoryHeldBy({ pid: await endedPid() });
    const quicker = JSON.stringify({ pid: process.ppid });
    const link: Files["link"] = async (path, name) => {
      if (name.endsWith(".takeover")) await writeFile(lockOf(directory), quicker);
      return nodeFiles.link(path, name);
    };
    const opening = createEmbeddedStore({ directory, files: { ...nodeFiles, link } });
    await expect(opening).rejects.toMatchObject(locked(directory, process.ppid));
    expect(await readFile(lockOf(directory), "utf8")).toBe(quicker);
  });
});

describe("the lock of a living process", () => {
  it("of another user is respected", async () => {
    const directory = await directoryHeldBy({ pid: process.ppid });
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw systemError("EPERM");
    });
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject(locked(directory, process.ppid));
  });

  it.each(["ENOENT", "EACCES"])("is judged by its number alone where a look at processes ends in %s", async (code) => {
    const read: Files["read"] = (path) =>
      path.startsWith("/proc/") ? Promise.reject(systemError(code)) : nodeFiles.read(path);
    const files = { ...nodeFiles, read };
    const held = await directoryHeldBy({ pid: process.ppid, started: "boot 1" });
    await expect(createEmbeddedStore({ directory: held, files })).rejects.toMatchObject(locked(held, process.ppid));
    await expectOpens(await directoryHeldBy({ pid: await endedPid(), started: "boot 1" }), files);
    await expectOpens(await temporaryFolder(), files);
  });
});

describe("the lock of a process in another container or on another host", () => {
  const held = () => directoryHeldBy({ pid: process.pid, started: "boot 1", machine: "elsewhere", token: "t" });

  it("is respected as long as its holder touches it, whatever our own table of processes says", async () => {
    const directory = await temporaryFolder();
    const child = await startChild("hold", directory, "pid:[1]");
    expect(await child.line()).toBe("open");
    // Its holder touches it by the machine's clock, and so has ten seconds.
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject(locked(directory, child.pid));
    expect(await (await startChild("hold", directory, "pid:[2]")).line()).toBe("store-locked");
  });

  it("is taken over when it was silent for ten seconds, and not before", async () => {
    const directory = await held();
    const clock = createSwiftClock(10);
    const began = clock.monotonic();
    await (await createEmbeddedStore({ directory, clock })).close();
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(10_000);
  });

  it("is not taken over by the clock: a holder whose clock is years behind lives", async () => {
    const directory = await held();
    const random = seededRandom("clocks of a holder");
    const touching = setInterval(() => void utimes(lockOf(directory), new Date(), new Date(random() * 1e6)), 50);
    onTestFinished(() => clearInterval(touching));
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject({ code: "store-locked" });
  });

  it("is given way to when it comes back while it is taken over", async () => {
    const directory = await held();
    const link: Files["link"] = async (path, name) => {
      if (name.endsWith(".takeover")) await writeFile(lockOf(directory), "{}");
      return nodeFiles.link(path, name);
    };
    const clock = createSwiftClock(10);
    await (await createEmbeddedStore({ directory, files: { ...nodeFiles, link }, clock })).close();
    expect((await readdir(directory)).filter((name) => name.startsWith("store.lock"))).toEqual([]);
  });
});

describe("a lock that another process has taken", () => {
  /** A store whose lock goes to somebody else. */
  async function robbed() {
    const directory = await temporaryFolder();
    const lost: unknown[] = [];
    const clock = createSwiftClock(1);
    const store = await createEmbeddedStore({ directory, clock, onLost: (fault) => lost.push(fault) });
    await store.update(notes, "1", write("mine"));
    const takeAway = async () => {
      await unlink(lockOf(directory));
      await writeFile(lockOf(directory), JSON.stringify({ pid: 1, machine: "elsewhere", token: "theirs" }));
    };
    return { directory, store, lost, takeAway };
  }

  it("is noticed at once by whoever asks, and nothing is written from then on", async () => {
    const { directory, store, lost, takeAway } = await robbed();
    await store.assertOwned();
    await takeAway();
    await expect(store.assertOwned()).rejects.toMatchObject({ code: "store-lost" });
    await expect(store.update(notes, "1", write("still mine"))).rejects.toMatchObject({ code: "store-lost" });
    await expect(store.remove(notes, "1")).rejects.toMatchObject({ code: "store-lost" });
    expect(lost).toHaveLength(1);
    await store.close();
    expect(await readJournal(nodeFiles, join(directory, ".journal"))).toEqual([
      { name: "notes/1", text: '{"version":1,"text":"mine"}' },
    ]);
    expect(await readdir(directory)).not.toContain("notes");
    expect(await readFile(lockOf(directory), "utf8")).toContain("theirs");
  });

  it("is noticed within seconds by itself", async () => {
    const { lost, takeAway, store } = await robbed();
    await takeAway();
    await expect.poll(() => lost.length).toBe(1);
    await store.close();
  });

  it("is noticed by a process that was paused meanwhile, before it writes again", async () => {
    const directory = await temporaryFolder();
    const child = await startChild("write", directory, "pid:[1]");
    await child.line((line) => line.startsWith("ok"));
    process.kill(child.pid, "SIGSTOP");
    const store = await createEmbeddedStore({ directory, clock: createSwiftClock(2) });
    const ids = await store.ids(series);
    const before = await Promise.all(ids.map((id) => store.read(series, id)));
    process.kill(child.pid, "SIGCONT");
    await child.line((line) => line === "store-lost");
    await store.close();
    const again = await createEmbeddedStore({ directory });
    expect(await Promise.all(ids.map((id) => again.read(series, id)))).toEqual(before);
    await again.close();
  });
});

describe("opening", () => {
  it("goes on when the lock is let go at that moment", async () => {
    const directory = await directoryHeldBy({ pid: process.pid });
    const read: Files["read"] = async (path) => {
      if (path === lockOf(directory)) await unlink(path);
      return nodeFiles.read(path);
    };
    const store = await createEmbeddedStore({ directory, files: { ...nodeFiles, read } });
    await store.close();
  });

  it("goes on when its draft of the lock was swept away", async () => {
    const directory = await temporaryFolder();
    let swept = false;
    const link: Files["link"] = async (path, name) => {
      if (!swept) await unlink(path);
      swept = true;
      return nodeFiles.link(path, name);
    };
    await expectOpens(directory, { ...nodeFiles, link });
  });

  it("tells when the file system has no second names", async () => {
    const link = () => Promise.reject(systemError("EPERM"));
    const opening = createEmbeddedStore({ directory: await temporaryFolder(), files: { ...nodeFiles, link } });
    await expect(opening).rejects.toMatchObject({ code: "store-write-failed", cause: { code: "EPERM" } });
  });

  it("is closed without complaint when somebody removed the lock by hand", async () => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    await unlink(lockOf(directory));
    await store.close();
  });
});
