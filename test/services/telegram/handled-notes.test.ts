import { expect, it, vi } from "vitest";
import { createHandledNotes } from "../../../src/services/telegram/handled-notes.js";
import { Fault } from "../../../src/fault.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

async function setUp() {
  const clock = createVirtualClock();
  const store = createMemoryDisk().open();
  const row = { id: 1, user_id: 1, body: "{}", received_at: clock.now(), starts: 1 };
  await store.write((tx) => tx.insertInto("updates").values(row).execute());
  const write = vi.spyOn(store, "write");
  const isNoted = async () => {
    const { body } = await store.db.selectFrom("updates").select("body").executeTakeFirstOrThrow();
    return body === null;
  };
  return { clock, write, isNoted, notes: createHandledNotes({ store, clock, log: silent }) };
}

it("is noted with whatever is written next, even while its handler still runs, and once", async () => {
  const { clock, write, isNoted, notes } = await setUp();
  notes.add(1);
  expect(await isNoted()).toBe(false);
  expect(await notes.write(async () => "written")).toBe("written");
  expect(await isNoted()).toBe(true);
  notes.end(1);
  await clock.advance(1_000);
  expect(write).toHaveBeenCalledTimes(1);
});

it("is noted after 20 ms more although what it was to go with was refused", async () => {
  const { clock, isNoted, notes } = await setUp();
  notes.end(1);
  const full = new Fault("watches-full", { maximum: 50 });
  let refuse = (): void => undefined;
  const work = new Promise<never>((_resolve, reject) => (refuse = () => reject(full)));
  const refused = expect(notes.write(() => work)).rejects.toBe(full);
  await clock.advance(20);
  refuse();
  await refused;
  expect(await isNoted()).toBe(false);
  await clock.advance(20);
  expect(await isNoted()).toBe(true);
});
