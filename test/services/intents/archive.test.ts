import { describe, expect, it } from "vitest";
import { pino } from "pino";
import { swapTransaction } from "../../encoding/golden-transactions.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { isLookedFor, type IntentTransaction } from "../../../src/model/intent.js";
import { people } from "../../../src/model/person.js";
import { createArchive } from "../../../src/services/intents/archive.js";
import { toJson } from "../../../src/store/json.js";
import { arrange, assertLegalHistory, chatId, draft, holds, owner, type Arranged } from "./arrange.js";
import { alice, klv } from "../samples.js";
import { memoryStore } from "./memory-store.js";

const pending = () => arrange({ send: async () => ({ kind: "pending" }) });

/** Opens and confirms so many cards; gives their ids, the newest first. */
async function confirmMany(intents: Arranged, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done += 1) {
    intents.clock.advance(1);
    const { id } = await intents.open(owner, chatId, draft);
    await intents.confirm(owner, id, holds);
    ids.unshift(id);
  }
  return ids;
}

async function everyIdOf({ everything }: Arranged): Promise<string[]> {
  const ids: string[] = [];
  for await (const intents of everything(owner)) ids.push(...intents.map(({ id }) => id));
  return ids;
}

/** All pages of the history, one after the other. */
async function everyPageOf({ history }: Arranged, size = 8): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page += 1) {
    const { items, hasOlder } = await history(owner, page, size);
    ids.push(...items.map(({ id }) => id));
    if (!hasOlder) return ids;
  }
}

describe("a person's document", () => {
  it("keeps thirty requests that the chain can still contradict; older ones leave a trace, and no call", async () => {
    let count = 0;
    const transaction = async (): Promise<IntentTransaction> => {
      count += 1;
      const at = intents.clock.now();
      const apart = { hash: `hash-${count}`, token: `token-${count}`, nonce: BigInt(count) };
      return {
        ...apart,
        raw: swapTransaction,
        networkFee: amountOf(klv, 1n),
        signUntil: at + 1e6,
        sendUntil: at + 1e6,
      };
    };
    const intents: Arranged = arrange({ prepare: transaction });
    await intents.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
    const ids: string[] = [];
    for (let done = 0; done < 80; done += 1) {
      intents.clock.advance(1);
      const { id } = await intents.open(owner, chatId, draft);
      await intents.confirm(owner, id, holds);
      await intents.cancel(owner, id);
      await intents.requests.end(owner, id);
      ids.unshift(id);
    }
    const kept = (await intents.list(owner)).filter(isLookedFor).map(({ id }) => id);
    expect(kept).toEqual(ids.slice(0, kept.length));
    expect(kept.length).toBeGreaterThanOrEqual(30);
    expect(kept.length).toBeLessThan(60);
    expect((await intents.find(owner, ids.at(-1)!))?.transaction?.hash).toBe("hash-1");
    expect(await everyPageOf(intents)).toEqual([]);
    expect(await everyIdOf(intents)).toEqual([]);
    // What the chain shows of one that is kept is taken over, however many cards came after it.
    expect((await intents.requests.sentByWallet(owner, kept.at(-1)!, "aa"))?.state).toBe("SENT");
    // And what nobody looks for any more leaves like any other card.
    for (const id of kept.slice(0, -1)) await intents.requests.giveUp(owner, id);
    expect((await intents.list(owner)).filter(isLookedFor)).toEqual([]);
    await intents.open(owner, chatId, draft);
    expect((await intents.list(owner)).length).toBeLessThan(25);
  });

  it("keeps the latest that are over, and whatever is open or under way", async () => {
    const intents = pending();
    const { open, confirm, cancel, list, clock, store } = intents;
    const underWay = await open(owner, chatId, draft);
    await confirm(owner, underWay.id, holds);
    const longLived = await open(owner, chatId, { ...draft, expiresAt: 1e15 });
    const expired = await open(owner, chatId, draft);
    clock.advance(40_000);
    const canceled: string[] = [];
    for (let count = 0; count < 202; count += 1) {
      clock.advance(1);
      const { id } = await open(owner, chatId, draft);
      await cancel(owner, id);
      canceled.unshift(id);
    }
    const newest = await open(owner, chatId, draft);
    const kept = (await list(owner)).map(({ id }) => id);
    expect(kept.length).toBeLessThan(40);
    expect(kept).toEqual([newest.id, ...canceled.slice(0, kept.length - 3), longLived.id, underWay.id]);
    expect(kept).not.toContain(expired.id);
    assertLegalHistory(store.saved);
  });

  it("is no larger after very many calls, however long the node's answers are", async () => {
    const answer = Array.from({ length: 100 }, () => "ab".repeat(300));
    const intents = arrange({ send: async () => ({ kind: "ok", returnData: answer }) });
    await confirmMany(intents, 40);
    expect(toJson(await intents.store.read(people, String(owner))).length).toBeLessThan(400_000);
  });

  it("never holds a part of an answer that could be taken for the whole", async () => {
    const intents = arrange({ send: async () => ({ kind: "ok", returnData: ["ab".repeat(9_000), "01"] }) });
    const [id = ""] = await confirmMany(intents, 1);
    const { outcome } = (await intents.find(owner, id))!;
    expect(outcome).toMatchObject({ kind: "ok", returnData: [expect.stringMatching(/^(?:ab){256}…$/), "01"] });
  });
});

describe("the ledger", () => {
  it("has every call that ended, once, in pages with the newest first, and as a whole with the oldest first", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 235);
    expect(await everyPageOf(intents)).toEqual(ids);
    expect(await everyPageOf(intents, 100)).toEqual(ids);
    expect((await everyIdOf(intents)).reverse()).toEqual(ids);
    expect(await intents.history(owner, 99_999, 8)).toEqual({ items: [], page: 99_999, hasOlder: false });
    const sizes = (intents.store.saved as { intents: unknown }[]).map(({ intents: some }) =>
      Object.keys(some as object),
    );
    expect(Math.max(...sizes.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it("is empty for somebody who did nothing", async () => {
    expect(await arrange().history(owner, 3, 8)).toEqual({ items: [], page: 3, hasOlder: false });
  });

  it("answers taps on cards that have left the document", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 100);
    const { find, cancel, confirm, markShown } = intents;
    const id = ids.at(-1)!;
    expect((await intents.list(owner)).some((intent) => intent.id === id)).toBe(false);
    expect(await find(owner, id)).toMatchObject({ id, state: "OK" });
    expect(await cancel(owner, id)).toMatchObject({ id, state: "OK" });
    await markShown(owner, id, "OK", 1);
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "not-open", intent: { id } });
    expect(intents.sent).toHaveLength(100);
    expect(await find(1002, id)).toBeUndefined();
    expect(await find(owner, "never-there")).toBeUndefined();
  });

  it("books an end before it leaves the document, whatever version of the program wrote it", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 15);
    await intents.changePerson((person) => ({ ...person, recentTokens: [] }));
    ids.unshift(...(await confirmMany(intents, 15)));
    const { recentTokens } = (await intents.store.read(people, String(owner)))!;
    const kept = (await intents.list(owner)).map(({ id }) => id);
    expect(recentTokens).toEqual(expect.arrayContaining(ids.filter((id) => !kept.includes(id))));
    expect(new Set(recentTokens).size).toBe(recentTokens.length);
  });

  it("loses and doubles nothing when the process dies after any of the writes", async () => {
    // So many that the next opening moves some, across the border of two parts.
    const texts = new Map<string, string>();
    const first = arrange({ store: memoryStore(texts) });
    const ids = await confirmMany(first, 120);
    for (let fatal = 0; fatal <= 3; fatal += 1) {
      const disk = new Map(texts);
      const intents = arrange({ store: memoryStore(disk), clock: first.clock, prefix: "last" });
      let writes = 0;
      intents.store.before = async () => {
        if (writes++ >= fatal) throw new Fault("store-write-failed", { document: "played" });
      };
      await intents.open(owner, chatId, draft).catch(() => undefined);
      if (fatal === 3) expect(writes).toBe(3);
      const again = arrange({ store: memoryStore(disk), clock: first.clock, prefix: "again" });
      const known = async () => (await everyPageOf(again)).filter((id) => !id.startsWith("last"));
      expect(await known()).toEqual(ids);
      const more = await confirmMany(again, 12);
      expect(await known()).toEqual([...more, ...ids]);
    }
  });

  it("is whole where two cards are opened at once, of which the first that began is written last", async () => {
    const intents = pending();
    const { store, clock } = intents;
    const { id } = await intents.open(owner, chatId, draft);
    await intents.confirm(owner, id, holds);
    const ended = (await intents.settle(owner, id, { kind: "ok", returnData: [] }))!;
    const endMany = (from: number, to: number) =>
      store.update(people, String(owner), (person) => {
        const past = Array.from({ length: to - from }, (_, index) => `past-${from + index}`);
        return [
          {
            ...person,
            intents: { ...person.intents, ...Object.fromEntries(past.map((id) => [id, { ...ended, id }])) },
          },
          0,
        ];
      });
    const archive = createArchive({ store, clock, log: pino({ level: "silent" }), book: (person) => person });
    await endMany(0, 33);
    const first = await archive.tidy(owner);
    await endMany(33, 53);
    const second = await archive.tidy(owner);
    await store.update(people, String(owner), (person) => [first(second(person)), 0]);
    expect(new Set(await everyIdOf(intents)).size).toBe(54);
  });

  it("is found again when the person's document was lost", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 135);
    const kept = (await intents.list(owner)).map(({ id }) => id);
    await intents.store.remove(people, String(owner));
    const more = await confirmMany(intents, 40);
    expect(await everyPageOf(intents)).toEqual([...more, ...ids.filter((id) => !kept.includes(id))]);
  });
});
