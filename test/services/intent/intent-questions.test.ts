import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { arrange, chatId, draft, holds, opened, owner } from "./arrange.js";

const HOUR = 3_600_000;

describe("what was spent lately", () => {
  it("is what the user's own calls have paid or may have, for two days, and not what failed or is only asked for", async () => {
    const fault = new Fault("service-unreachable", { service: "node" });
    const outcomes = [
      { kind: "ok", returnData: [] },
      { kind: "unknown", fault },
      { kind: "failed", text: "no" },
    ] as const;
    const ends = [...outcomes];
    const { open, confirm, spentLately, clock } = arrange({ send: async () => ends.shift()! });
    const paid = { at: clock.now(), amount: draft.terms.kind === "swap" && draft.terms.amountIn };
    for (const _ of outcomes) await confirm(owner, (await open(owner, chatId, draft)).id, holds);
    await open(owner, chatId, draft);
    expect(await spentLately(owner)).toEqual([paid, paid]);
    expect(await spentLately(1002)).toEqual([]);
    clock.advance(48 * HOUR);
    expect(await spentLately(owner)).toEqual([paid, paid]);
    clock.advance(HOUR);
    expect(await spentLately(owner)).toEqual([]);
  });
});

describe("a question about intents", () => {
  it("reports what can't be read, and throws it", async () => {
    const { id, store, find, listOpen, unreadable } = await opened();
    await store.write((tx) => tx.updateTable("intents").set({ terms: "{" }).execute());
    const fault = { code: "store-unreadable", parameters: { document: `intents/${owner}/${id}` } };
    await expect(find(owner, id)).rejects.toMatchObject(fault);
    await expect(listOpen(owner)).rejects.toMatchObject(fault);
    expect(unreadable).toMatchObject([fault, fault]);
  });
});
