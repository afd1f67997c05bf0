import { expect, it } from "vitest";
import { Fault } from "../../src/fault.js";
import type { Store } from "../../src/store/store.js";
import { createPatientStore } from "../../src/store/patient.js";
import { memoryStore } from "../services/intents/memory-store.js";
import { testClock } from "../services/samples.js";
import { notes, write } from "./place.js";

const away = () => new Fault("store-away", {});

/** A store whose server is away for so many questions. */
function storeAway(questions: number, fault: () => Error = away) {
  const store = memoryStore();
  let left = questions;
  const answer = <Result>(ask: () => Promise<Result>): Promise<Result> =>
    (left -= 1) >= 0 ? Promise.reject(fault()) : ask();
  const failing: Store = {
    ...store,
    read: (collection, id) => answer(() => store.read(collection, id)),
    update: (collection, id, change) => answer(() => store.update(collection, id, change)),
    remove: (collection, id, isOver) => answer(() => store.remove(collection, id, isOver)),
    ids: (collection) => answer(() => store.ids(collection)),
    openIds: (collection) => answer(() => store.openIds(collection)),
  };
  const clock = testClock();
  const stopping = new AbortController();
  return { patient: createPatientStore(failing, clock, stopping.signal), clock, stopping };
}

it("work in the background waits until the server is back", async () => {
  for (const ask of ["update", "read", "ids", "openIds", "remove"] as const) {
    const { patient, clock } = storeAway(3);
    if (ask === "update") await patient.update(notes, "1", write("after all"));
    else if (ask === "read") expect(await patient.read(notes, "1")).toBeUndefined();
    else if (ask === "remove") await patient.remove(notes, "1");
    else expect(await patient[ask](notes)).toEqual([]);
    expect(clock.monotonic()).toBe(3 * 1_000);
  }
});

it("any other fault is passed on at once", async () => {
  const { patient, clock } = storeAway(1, () => new Fault("store-write-failed", { document: "notes/1" }));
  await expect(patient.update(notes, "1", write("never"))).rejects.toMatchObject({ code: "store-write-failed" });
  expect(clock.monotonic()).toBe(0);
});

it("nobody waits any more once the program stops", async () => {
  const { patient, stopping } = storeAway(1_000);
  stopping.abort();
  await expect(patient.read(notes, "1")).rejects.toMatchObject({ code: "store-away" });
});
