import { expect, it } from "vitest";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { markTold, putAway, unresolvedIntents, untoldUnknowns } from "../../../src/services/intent/queries.js";
import { intent, now, swapTerms } from "../../cards/arrange.js";
import { memoryStore } from "./memory-store.js";

const lost = { kind: "unknown", code: "service-timeout" } as const;

it("operators are told once of calls that ended by then, and put away only what is on their list", async () => {
  const { db, write } = memoryStore();
  for (const [at, id] of ["a", "b", "c", "d"].entries()) {
    const call = { ...intent(swapTerms, "UNKNOWN", lost), id, times: { CLAIMED: now, UNKNOWN: now + at } };
    await write((tx) => insertIntent(tx, call));
  }
  const done = { ...intent(swapTerms, "OK", { kind: "ok", returnData: [] }), id: "done" };
  await write((tx) => insertIntent(tx, done));
  const untold = async () => (await untoldUnknowns(db)).map(({ id }) => id);
  const listed = async () => (await unresolvedIntents(db, () => undefined)).map(({ id }) => id);
  expect(await untold()).toEqual(["d", "c", "b", "a"]);
  await write((tx) => putAway(tx, "a"));
  await write((tx) => putAway(tx, "done"));
  expect([await untold(), await listed()]).toEqual([
    ["d", "c", "b"],
    ["d", "c", "b"],
  ]);
  await write((tx) => markTold(tx, now + 2));
  expect([await untold(), await listed()]).toEqual([["d"], ["d", "c", "b"]]);
  await write((tx) => putAway(tx, "b"));
  await write((tx) => markTold(tx, now + 9));
  expect([await untold(), await listed()]).toEqual([[], ["d", "c"]]);
  const rows = await db.selectFrom("intents").select(["id", "unresolved"]).orderBy("id").execute();
  expect(rows.map(({ unresolved }) => unresolved)).toEqual([3, 3, 2, 2, null]);
});
