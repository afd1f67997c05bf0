import * as z from "zod";
import { expect, it } from "vitest";
import { blockNewsListener } from "../../../src/services/alerts/block-news.js";
import { type NewsKind, putWatch } from "../../../src/services/alerts/news-queries.js";
import type { Database } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const kind: NewsKind<string> = {
  name: "pay",
  gap: 1000,
  keptFor: 86_400_000,
  maximum: 5000,
  waitsForReturn: true,
  what: z.string(),
};
const AT = 1_700_000_000_000;
const paid = (number: number, to: string) => ({
  hash: `hash ${number}`,
  block: 1,
  isOk: true,
  transfers: [{ from: "", to, asset: "KLV", units: 1n }],
});

/** A listener to whom each transfer is news for its receiver, and how often it asks and writes. */
function arrange() {
  const clock = createVirtualClock(AT);
  const disk = createMemoryDisk().open();
  const seen = { queries: 0, writes: 0, published: 0 };
  const store: Database = {
    get db() {
      seen.queries += 1;
      return disk.db;
    },
    write: (work) => {
      seen.writes += 1;
      return disk.write(work);
    },
  };
  const listener = blockNewsListener(
    { store, clock },
    {
      kind,
      find: ({ hash, transfers }) => transfers.map(({ to, units }) => ({ subject: to, units, id: hash, what: hash })),
      newsOf: async (found) => found,
      onPublished: () => (seen.published += 1),
    },
  );
  const watch = (userId: number, subject: string, since = 0) =>
    disk.write((tx) => putWatch(tx, kind, userId, { subject, least: 1n, since }));
  const news = () => disk.db.selectFrom("news").select(["subject", "id"]).orderBy("number").execute();
  return { seen, listener, watch, news, disk };
}

it("a block costs one query if it concerns nobody, however many are watched and whatever it holds", async () => {
  const { seen, listener, watch, news } = arrange();
  for (let user = 1; user <= 200; user += 1) await watch(user, `address ${user}`);
  const transactions = Array.from({ length: 300 }, (_, at) => paid(at, `stranger ${at}`));
  await listener.onBlock({ number: 1, at: AT, transactions });
  expect(seen).toEqual({ queries: 1, writes: 0, published: 0 });
  await listener.onBlock({ number: 2, at: AT, transactions: [] });
  expect(seen.queries).toBe(1);
  await listener.onBlock({ number: 3, at: AT, transactions: [...transactions, paid(900, "address 7")] });
  expect(await news()).toEqual([{ subject: "address 7", id: "hash 900" }]);
  expect(seen).toEqual({ queries: 2, writes: 1, published: 1 });
});

it("a block of a thousand payments to one address is published in short transactions, and again not at all", async () => {
  const { seen, listener, watch, news } = arrange();
  await watch(1, "exchange");
  const block = { number: 1, at: AT, transactions: Array.from({ length: 1000 }, (_, at) => paid(at, "exchange")) };
  await listener.onBlock(block);
  expect(await news()).toHaveLength(1000);
  expect(seen.writes).toBe(20);
  await listener.onBlock(block);
  expect(await news()).toHaveLength(1000);
});

it("what failed, or is of before somebody began, is no news", async () => {
  const { listener, watch, news } = arrange();
  await watch(1, "address", AT);
  await listener.onBlock({ number: 1, at: AT, transactions: [paid(1, "address")] });
  await listener.onBlock({ number: 2, at: AT + 1, transactions: [{ ...paid(2, "address"), isOk: false }] });
  expect(await news()).toEqual([]);
  await listener.onBlock({ number: 3, at: AT + 1, transactions: [paid(3, "address")] });
  expect(await news()).toEqual([{ subject: "address", id: "hash 3" }]);
});

it("is wanted while somebody who can be reached watches something", async () => {
  const { listener, watch, disk } = arrange();
  expect(await listener.isWanted()).toBe(false);
  await watch(1, "address");
  expect(await listener.isWanted()).toBe(true);
  await disk.write((tx) => tx.updateTable("news_watches").set({ away: 1 }).execute());
  expect(await listener.isWanted()).toBe(false);
});
