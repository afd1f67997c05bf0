import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { leastTotalOf } from "../../../src/services/market/referral.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { readLimit, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { alice, kfi } from "../samples.js";
import { createStandingWorld, DAY, FIRST, HOUR, MINUTE, OWNER, type StandingProcess } from "./standing-world.js";

/** At least 1.05 KFI for 100 KLV, after the fee. */
const LIMIT = "100 KLV KFI for 1.05";
const LEAST = leastTotalOf(amountOf(kfi, 1_050_000n), 1000).units;
const SECOND = 1000;

async function world(options: Parameters<typeof createStandingWorld>[0] = {}) {
  const made = createStandingWorld(options);
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const limit = () => process.standing.create(OWNER, readLimit(LIMIT, made.tokens) as PriceOrderRequest);
  const daily = (times: number) =>
    process.standing.create(OWNER, readDca(`100 KLV KFI daily 09:00 x${times}`, made.tokens) as DcaRequest);
  const to = (at: number) => made.clock.advance(at - made.clock.now());
  return { made, process, limit, daily, to, pass: (milliseconds: number) => made.clock.advance(milliseconds) };
}
const viewOf = async ({ standing }: StandingProcess) => (await standing.list(OWNER))[0]!;

describe("a card that Telegram doesn't take", () => {
  it.each([{ kind: "refuses" }, { kind: "hangs" }, { kind: "holds", seconds: 70 }] as const)(
    "while it $kind counts for nothing, however long, and a fresh one comes soon after",
    async (mode) => {
      const { made, process, limit, pass } = await world();
      await limit();
      made.telegram = mode;
      made.price = () => LEAST;
      await pass(50 * MINUTE);
      expect(made.cards()).toEqual([]);
      const { order } = await viewOf(process);
      expect(order).toMatchObject({ offeredAt: null, today: 0, missed: {} });
      made.telegram = { kind: "well" };
      const back = made.clock.now();
      await pass(2 * MINUTE + 10 * SECOND);
      const [card, ...others] = made.told.filter((told) => "card" in told);
      expect(others).toEqual([]);
      expect(card!.at - back).toBeLessThanOrEqual(mode.kind === "holds" ? 2 * MINUTE + 10 * SECOND : MINUTE);
      expect((await viewOf(process)).order).toMatchObject({ offeredAt: card!.at, today: 1 });
      // Four hours count from when it was sent.
      await pass(10 * MINUTE);
      expect(await viewOf(process)).toMatchObject({ hold: "lately", askedAgainAt: card!.at + 4 * HOUR });
      await process.stop();
    },
  );

  it("of a regular order comes within its hour; after that it was missed since Telegram couldn't be reached", async () => {
    const { made, process, daily, to } = await world();
    await daily(3);
    const first = FIRST - DAY;
    made.telegram = { kind: "refuses" };
    await to(first + 40 * MINUTE);
    made.telegram = { kind: "well" };
    await to(first + 42 * MINUTE);
    expect(made.cards().map(({ terms }) => terms.request)).toMatchObject([{ standing: { occurrence: { n: 0 } } }]);
    expect(await process.intents.confirm(OWNER, made.cards()[0]!.id)).toMatchObject({ intent: { state: "OK" } });
    await to(FIRST - MINUTE);
    made.telegram = { kind: "refuses" };
    await to(FIRST + 70 * MINUTE);
    expect((await viewOf(process)).order).toMatchObject({ n: 2, missed: { telegram: 1 } });
    made.telegram = { kind: "well" };
    await to(FIRST + 72 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    expect(made.news()).toMatchObject([{ missed: { telegram: 1 } }]);
    await process.stop();
  });

  it.each([0, 1, 2, 3, 4, 5])(
    "and ends just as it is about to be sent isn't sent beside the next one (%i)",
    async (late) => {
      const { made, process, limit, pass } = await world();
      await limit();
      made.telegram = { kind: "holds", seconds: 58 };
      made.price = () => LEAST;
      while (made.attempts === 0) await pass(100);
      const tried = made.clock.now();
      await pass(57 * SECOND);
      made.telegram = { kind: "well" };
      // What is written then is on disk seconds later, after what finds the card ended.
      const { store } = process;
      const { write } = store;
      const slow: typeof write = async (work) => {
        if (made.clock.now() < tried + 59 * SECOND) await made.clock.sleep(late * SECOND);
        return write(work);
      };
      Object.assign(store, { write: slow });
      await pass(2 * MINUTE);
      expect(made.told.filter((told) => "card" in told)).toHaveLength(1);
      expect(await viewOf(process)).toMatchObject({ order: { today: 1 }, hold: "not-tapped" });
      await process.stop();
    },
  );

  it("gives its place in the queue to the one that follows it", async () => {
    const { made, process, limit, pass } = await world();
    await limit();
    made.telegram = { kind: "refuses" };
    made.price = () => LEAST;
    await pass(20 * SECOND);
    const since = async () => (await process.store.db.selectFrom("outbox").select(["topic", "since"]).execute())[0];
    const first = await since();
    expect(first).toMatchObject({ topic: "offer" });
    await pass(5 * MINUTE);
    expect(await since()).toEqual(first);
    await process.stop();
  });

  it("can be tapped for ten minutes from when it is taken, by both clocks, and is confirmed by then", async () => {
    const { made, process, limit, pass } = await world();
    await limit();
    made.telegram = { kind: "refuses" };
    made.price = () => LEAST;
    await pass(35 * SECOND);
    made.telegram = { kind: "well" };
    await pass(40 * SECOND);
    const [told] = made.told;
    const card = made.cards()[0]!;
    expect(card.expiresAt).toBe(told!.at + 10 * MINUTE);
    // Setting the clock ahead or back makes its life no longer.
    made.clock.step(-5 * MINUTE);
    await pass(told!.at + 10 * MINUTE - 5 * MINUTE - made.clock.now() - SECOND);
    expect(await process.intents.find(OWNER, card.id)).toMatchObject({ state: "QUOTED" });
    await pass(2 * SECOND);
    expect(await process.intents.find(OWNER, card.id)).toMatchObject({ state: "EXPIRED" });
    await process.stop();
  });
});

describe("a card that Telegram may have taken", () => {
  it("counts as sent as long as it lives: it can be tapped, and no other comes", async () => {
    const { made, process, limit, pass } = await world();
    await limit();
    made.telegram = { kind: "hangs", takes: true };
    made.price = () => LEAST;
    await pass(5 * MINUTE);
    const ids = new Set(made.cards().map(({ id }) => id));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await process.intents.find(OWNER, id!)).toMatchObject({ state: "QUOTED", arrived: { isSure: false } });
    expect(await process.intents.confirm(OWNER, id!)).toMatchObject({ intent: { state: "OK" } });
    made.telegram = { kind: "well" };
    await pass(HOUR);
    expect(new Set(made.cards().map((card) => card.id)).size).toBe(1);
    expect(made.sent).toHaveLength(1);
    await process.stop();
  });

  it("is sent again until Telegram answers, and counts once", async () => {
    const { made, process, limit, pass } = await world();
    await limit();
    made.telegram = { kind: "loses" };
    made.price = () => LEAST;
    await pass(16 * SECOND);
    expect(made.cards().length).toBeGreaterThan(0);
    made.telegram = { kind: "well" };
    await pass(MINUTE);
    expect(new Set(made.cards().map(({ id }) => id)).size).toBe(1);
    expect((await viewOf(process)).order).toMatchObject({ today: 1, offeredAt: made.told.at(-1)!.at });
    await pass(3 * HOUR);
    expect(new Set(made.cards().map(({ id }) => id)).size).toBe(1);
    await process.stop();
  });
});

it("killed between a card's making, its queueing, its sending and the answer, none is lost, and none counts twice", async () => {
  for (let writes = 1; writes <= 12; writes += 1) {
    const { made, process: first, limit, pass } = await world();
    await limit();
    await pass(MINUTE);
    made.price = () => LEAST;
    let left = writes;
    first.store.afterWrite = async () => {
      left -= 1;
      if (left !== 0) return;
      first.kill();
      await new Promise(() => undefined);
    };
    await pass(20 * SECOND);
    if (first.isAlive()) first.kill();
    await pass(5 * SECOND);
    const process = made.start();
    await process.intents.recover();
    await pass(2 * MINUTE);
    const ids = new Set(made.cards().map(({ id }) => id));
    expect(ids.size, `${writes}`).toBe(1);
    expect((await viewOf(process)).order, `${writes}`).toMatchObject({ today: 1 });
    const [id] = ids;
    expect(await process.intents.confirm(OWNER, id!), `${writes}`).toMatchObject({ intent: { state: "OK" } });
    await process.stop();
  }
});

it("killed for longer than a card waits, a fresh one is made", async () => {
  const { made, process: first, limit, pass } = await world();
  await limit();
  made.telegram = { kind: "refuses" };
  made.price = () => LEAST;
  await pass(20 * SECOND);
  first.kill();
  await pass(30 * MINUTE);
  made.telegram = { kind: "well" };
  const process = made.start();
  await pass(20 * SECOND);
  expect(made.cards()).toHaveLength(1);
  expect(made.cards()[0]!.quotedAt).toBeGreaterThan(made.clock.now() - 20 * SECOND);
  await process.stop();
});
