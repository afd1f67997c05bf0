import { expect, it } from "vitest";
import * as z from "zod";
import { Fault, isFault } from "../../src/fault.js";
import { unlessRowFails } from "../../src/store/store.js";

async function outcomeOf(error: Error): Promise<string> {
  const faults: Fault[] = [];
  const work = () => Promise.reject(error);
  const result = await unlessRowFails("rows/7", work, (fault) => faults.push(fault)).catch((thrown: unknown) => thrown);
  if (result !== undefined) return result === error ? "thrown" : "changed";
  const [fault] = faults;
  return isFault(fault, "store-unreadable") ? `${fault.parameters.document} ${fault.cause === error}` : "lost";
}

it("one row's content fails alone, and the store's errors reach whoever runs the whole", async () => {
  const content = [
    new TypeError("no"),
    new RangeError("invalid time zone"),
    new SyntaxError("no JSON"),
    new z.ZodError([]),
    new Fault("store-unreadable", { document: "users/1" }),
    new Fault("amount-zero", {}),
  ];
  for (const error of content) expect(await outcomeOf(error)).toBe("rows/7 true");
  const ofStore = [
    new Fault("store-slow", {}),
    new Fault("store-write-failed", { document: "x" }),
    new Fault("store-lost", { directory: "x" }),
    // As databases throw them.
    Object.assign(new Error("disk I/O error"), { errcode: 10 }),
  ];
  for (const error of ofStore) expect(await outcomeOf(error)).toBe("thrown");
});
