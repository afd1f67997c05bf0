import { describe, expect, it } from "vitest";
import type { Holdings } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { OutcomeFinding, Intent } from "../../../src/services/intent/intent.js";
import type { Sighting } from "../../../src/services/intent/trade-kind.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { arrange, chatId, draft, holds, owner, type SendOutcome } from "./arrange.js";

/** A call, before and after which the account's balance is read; each read gets the next of `answers`. */
async function afterCall(send: () => Promise<SendOutcome>, ...answers: readonly (bigint | undefined)[]) {
  const left = [...answers];
  const holdings = async () => {
    const klv = left.shift();
    return klv === undefined ? undefined : { KLV: klv };
  };
  const intents = arrange({ send, holdings });
  const { id } = await intents.open(owner, chatId, draft);
  await intents.confirm(owner, id, holds);
  const look = async (of = id) => intents.look((await intents.find(owner, of))!);
  return { ...intents, id, look };
}

const ok = async (): Promise<SendOutcome> => ({ kind: "ok", returnData: [] });
const unknown = async (): Promise<SendOutcome> => ({
  kind: "unknown",
  fault: new Fault("service-timeout", { service: "node" }),
});

describe("a look at what the account holds", () => {
  it("is stored once after an answered call", async () => {
    const { look, find, id } = await afterCall(ok, 10n, 8n, 7n);
    const looked = { before: { KLV: 10n }, after: { KLV: 8n }, finding: "arrived" };
    expect((await look()).balances).toEqual(looked);
    expect((await find(owner, id))?.balances).toEqual(looked);
    expect((await look()).balances).toEqual(looked);
  });

  it.each([
    ["with an unknown outcome", unknown],
    ["that was answered and has not arrived", ok],
  ])("is repeated after a call %s", async (_what, send) => {
    const { look } = await afterCall(send, 10n, 10n, 8n);
    expect((await look()).balances).toMatchObject({ after: { KLV: 10n }, finding: "not-arrived" });
    expect((await look()).balances).toMatchObject({ after: { KLV: 8n }, finding: "arrived" });
  });

  it("about an unknown outcome is stored with what the chain said", async () => {
    const { markChecked, find, id } = await afterCall(unknown);
    const check = { at: 7, by: "chain", finding: "unclear" } as const;
    expect(await markChecked((await find(owner, id))!, check)).toMatchObject({ check });
    expect(await find(owner, id)).toMatchObject({ state: "UNKNOWN", check });
  });

  it("is never replaced once it is proof, and what the owner said yields only to proof", async () => {
    const { markChecked, find, id } = await afterCall(unknown);
    const kept = async () => (await find(owner, id))!;
    const unclear = { at: 9, by: "balances", finding: "unclear", why: "other-calls" } as const;
    const filed = { at: 8, by: "owner", finding: "not-arrived" } as const;
    const arrived = { at: 10, by: "balances", finding: "arrived" } as const;
    await markChecked(await kept(), unclear);
    expect((await markChecked(await kept(), filed)).check).toEqual(filed);
    expect((await markChecked(await kept(), unclear)).check).toEqual(filed);
    expect((await markChecked(await kept(), arrived)).check).toEqual(arrived);
    for (const weaker of [unclear, filed]) expect((await markChecked(await kept(), weaker)).check).toEqual(arrived);
    // It counts in limits as before, as its state is still UNKNOWN.
    expect(await kept()).toMatchObject({ state: "UNKNOWN", check: arrived });
  });

  it("is stored with a call that is no longer among the latest, as long as it proves more", async () => {
    const { markChecked, find, open, confirm, id } = await afterCall(unknown);
    for (let count = 0; count < 40; count += 1) {
      const later = await open(owner, chatId, draft);
      await confirm(owner, later.id, holds);
    }
    const unclear = { at: 9, by: "balances", finding: "unclear", why: "other-calls" } as const;
    const arrived = { at: 10, by: "balances", finding: "arrived" } as const;
    const kept = async () => (await find(owner, id))!;
    expect((await markChecked(await kept(), arrived)).check).toEqual(arrived);
    expect(await kept()).toMatchObject({ state: "UNKNOWN", check: arrived });
    expect((await markChecked(await kept(), unclear)).check).toEqual(arrived);
    // For an unknown call, only the returned intent has it.
    const { check: _check, ...unchecked } = await kept();
    expect((await markChecked({ ...unchecked, id: "nobody's" }, unclear)).check).toEqual(unclear);
    expect(await find(owner, "nobody's")).toBeUndefined();
  });

  it("says nothing if the balance before the call is unknown, or can't be read now", async () => {
    const { look } = await afterCall(ok, undefined, 8n);
    expect((await look()).balances).toBeUndefined();
    const later = await afterCall(ok, 10n, undefined);
    expect((await later.look()).balances).toEqual({ before: { KLV: 10n } });
  });

  it("finds nothing out if another call was on its way at the same time", async () => {
    const { look, open, confirm } = await afterCall(ok, 10n, 9n, 8n);
    const other = await open(owner, chatId, draft);
    await confirm(owner, other.id, holds);
    expect((await look()).balances).toEqual({ before: { KLV: 10n }, after: { KLV: 8n } });
  });

  it("ignores calls that ended before this one was sent, and cards that were never sent", async () => {
    const { open, confirm, clock, look } = await afterCall(ok, 10n, 9n, 8n);
    clock.advance(1);
    const { id } = await open(owner, chatId, draft);
    await open(owner, chatId, draft);
    await confirm(owner, id, holds);
    expect((await look(id)).balances).toMatchObject({ finding: "arrived" });
  });
});

describe("how a call ended", () => {
  const byViews: OutcomeFinding = { by: "views", finding: "not-arrived" };
  /** What is found out about an unknown call, after its balances were looked at again. */
  async function foundOut(
    before: Holdings | undefined,
    after: Holdings | undefined,
    seen?: () => Promise<OutcomeFinding>,
  ) {
    const answers = [before, after];
    const sightings = seen && (async (call: Intent) => [{ call, found: await seen() }]);
    const intents = arrange({
      send: unknown,
      holdings: async () => answers.shift(),
      ...(sightings && { seen: sightings }),
    });
    const { id } = await intents.open(owner, chatId, draft);
    await intents.confirm(owner, id, holds);
    const looked = await intents.look((await intents.find(owner, id))!);
    return { looked, found: await intents.findOut(looked), intents };
  }

  it.each<[Holdings | undefined, Holdings | undefined, string]>([
    [undefined, undefined, "unknown-before"],
    [{}, {}, "nothing-to-read"],
    [{ KLV: 10n }, undefined, "unknown-now"],
    [{ KLV: 10n }, { KFI: 1n }, "unknown-now"],
    [{ KLV: 10n }, { KLV: 11n }, "other"],
  ])("is unclear if balances were %o, then %o: %s", async (before, after, why) => {
    expect((await foundOut(before, after)).found).toEqual({ by: "balances", finding: "unclear", why });
  });

  it("is what balances prove, and else what views show, unless they can't be asked", async () => {
    const seen = async () => byViews;
    expect((await foundOut({ KLV: 10n }, { KLV: 9n }, seen)).found).toMatchObject({
      by: "balances",
      finding: "arrived",
    });
    expect((await foundOut({ KLV: 10n }, { KLV: 10n }, seen)).found).toEqual(byViews);
    const away = () => Promise.reject(new Fault("service-timeout", { service: "node" }));
    expect((await foundOut({}, {}, away)).found).toMatchObject({ by: "balances", why: "nothing-to-read" });
  });

  it("is only the chain's to show if there is a transaction, whose effect another one can have had", async () => {
    const { looked, intents } = await foundOut({}, {}, async () => ({ by: "views", finding: "arrived" }));
    expect(await intents.findOut(looked)).toMatchObject({ by: "views", finding: "arrived" });
    const signed = { ...looked, transaction: walletTransaction(placeAt("UNKNOWN")) };
    expect(await intents.findOut(signed)).toMatchObject({ by: "balances", why: "nothing-to-read" });
  });

  it("is saved of the other calls that the same views prove, and of no others", async () => {
    const others: Sighting[] = [];
    const intents = arrange({ send: unknown, seen: async () => others });
    const called = async () => {
      const { id } = await intents.open(owner, chatId, draft);
      await intents.confirm(owner, id, holds);
      return (await intents.find(owner, id))!;
    };
    const [proven, doubtful, asked] = [await called(), await called(), await called()];
    others.push({ call: proven, found: { by: "views", finding: "arrived" } });
    others.push({ call: doubtful, found: { by: "views", finding: "not-arrived" } });
    expect(await intents.findOut(asked)).toMatchObject({ by: "balances", finding: "unclear" });
    expect((await intents.find(owner, proven.id))?.check).toMatchObject({ by: "views", finding: "arrived" });
    for (const { id } of [doubtful, asked]) expect((await intents.find(owner, id))?.check).toBeUndefined();
  });
});
