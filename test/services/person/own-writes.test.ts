import { expect, it } from "vitest";
import { createOwnWrites } from "../../../src/services/person/own-writes.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { changePerson, findPerson } from "../../../src/services/person/person.js";
import { forget } from "../../../src/services/operator/forget.js";

function world() {
  const store = createMemoryDisk().open();
  const own = createOwnWrites();
  const write = own.guard(store.write);
  const save = (userId: number, phrase: string) =>
    write((tx) => changePerson(tx, userId, (person) => ({ ...person, phrase })));
  const leave = (userId: number) =>
    forget({ ...store, write }, userId, 0, { mayGo: async () => true, endWork: own.end });
  let resolve = (): void => undefined;
  const promise = new Promise<void>((answer) => (resolve = answer));
  return { ...own, store, save, leave, service: { promise, resolve: () => resolve() } };
}

it("what awaited a service while its person was forgotten writes nothing, however late, and what begins later does", async () => {
  const { store, save, leave, during, service } = world();
  await save(1, "before");
  await save(2, "before");
  let background: Promise<unknown> = Promise.resolve();
  const late = during(1, async () => {
    // The queue lets go of what takes long: it runs on, and so does what it has started.
    background = during(1, () => service.promise.then(() => save(1, "in the background")));
    background.catch(() => undefined);
    await service.promise;
    return save(1, "late");
  });
  const other = during(2, () => service.promise.then(() => save(2, "theirs")));
  expect(await leave(1)).toBe("forgotten");
  service.resolve();
  await expect(late).rejects.toMatchObject({ code: "forgotten" });
  await expect(background).rejects.toMatchObject({ code: "forgotten" });
  expect(await findPerson(store.db, 1)).toBeUndefined();
  expect(await other).toMatchObject({ phrase: "theirs" });
  expect(await during(1, () => save(1, "new"))).toMatchObject({ phrase: "new" });
});

it("what a queue has let go of, and still runs, is ended too", async () => {
  const { save, leave, during, service } = world();
  await save(1, "before");
  let running: Promise<unknown> = Promise.resolve();
  await during(1, async () => {
    running = during(1, () => service.promise.then(() => save(1, "late")));
    running.catch(() => undefined);
  });
  await leave(1);
  service.resolve();
  await expect(running).rejects.toMatchObject({ code: "forgotten" });
});

it("what has only waited for its turn isn't begun", async () => {
  const { save, leave, during, service } = world();
  await save(1, "before");
  let isBegun = false;
  const waiting = during(1, () => service.promise.then(() => during(1, async () => void (isBegun = true))));
  await leave(1);
  service.resolve();
  await expect(waiting).rejects.toMatchObject({ code: "forgotten" });
  expect(isBegun).toBe(false);
});

it("a deletion that isn't committed ends nothing", async () => {
  const { store, save, end, during, service } = world();
  await save(1, "before");
  const late = during(1, () => service.promise.then(() => save(1, "late")));
  let writes = 0;
  const failing = async <Result>(work: Parameters<typeof store.write<Result>>[0]): Promise<Result> => {
    writes += 1;
    const result = await store.write(work);
    if (writes === 2) throw new Error("not committed");
    return result;
  };
  const leaving = forget({ db: store.db, write: failing }, 1, 0, { mayGo: async () => true, endWork: end });
  await expect(leaving).rejects.toThrow("not committed");
  service.resolve();
  expect(await late).toMatchObject({ phrase: "late" });
});
