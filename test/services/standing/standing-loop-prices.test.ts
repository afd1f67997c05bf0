import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { leastTotalOf, referralSplit } from "../../../src/services/market/referral.js";
import { writeSetting } from "../../../src/store/store.js";
import { pauses } from "../../../src/services/person/pause.js";
import { readLimit, readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { alice, kfi, operator } from "../samples.js";
import { putStandingOrder } from "../../../src/services/standing/standing-queries.js";
import { issued, toldOf } from "../market/rights-samples.js";
import { createStandingWorld, DAY, HOUR, MINUTE, OWNER, type StandingProcess } from "./standing-world.js";

/** A world in which 100 KLV buy a KFI, whose owner has an address. */
async function world(options: Parameters<typeof createStandingWorld>[0] = {}) {
  const made = createStandingWorld({ everySeconds: 60, ...options });
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const limit = (line: string) => readLimit(line, made.tokens) as PriceOrderRequest;
  const stop = (line: string) => readStopLoss(line, made.tokens) as PriceOrderRequest;
  return { made, process, limit, stop, pass: (milliseconds: number) => made.clock.advance(milliseconds) };
}
const viewOf = async ({ standing }: StandingProcess) => (await standing.list(OWNER))[0]!;

/** At least 1.05 KFI for 100 KLV, after the fee of 1 %: 1,060,606 units leave 1,050,000. */
const LIMIT = "100 KLV KFI for 1.05";
const LEAST = leastTotalOf(amountOf(kfi, 1_050_000n), 1000).units;

describe("a limit", () => {
  it("is offered once its price is there, bound to what its owner gets, executed with a tap, and over then", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST - 1n;
    await pass(10 * MINUTE);
    expect(made.cards()).toEqual([]);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    const [card] = made.cards();
    expect(card!.terms).toMatchObject({ minimumOut: { units: LEAST }, quotedOut: { units: LEAST } });
    expect(referralSplit(amountOf(kfi, LEAST), 1000).rest.units).toBe(1_050_000n);
    expect(referralSplit(amountOf(kfi, LEAST - 1n), 1000).rest.units).toBeLessThan(1_050_000n);
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ intent: { state: "OK" } });
    expect(made.sent).toMatchObject([{ id: card!.id, minimum: { amount_out_min: LEAST } }]);
    await pass(MINUTE);
    expect(made.news()).toMatchObject([{ view: { done: 1, order: { ended: "done" } } }]);
    expect(await process.standing.list(OWNER)).toEqual([]);
    expect(await process.store.db.selectFrom("price_watches").selectAll().execute()).toEqual([]);
    const requests = made.asked.length;
    await pass(HOUR);
    expect(made.asked.length).toBe(requests);
    await process.stop();
  });

  it("whose swap its owner asks for has no other card open, and isn't asked about less for it", async () => {
    const { made, process, limit, pass } = await world();
    const { id } = await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    const [offered] = made.cards();
    const before = (await viewOf(process)).order;
    const taken = await made.renew(process, offered!);
    await process.standing.closeOthers(OWNER, id, taken.id);
    expect(await process.intents.find(OWNER, offered!.id)).toMatchObject({ state: "SUPERSEDED" });
    expect((await process.intents.confirm(OWNER, offered!.id)).kind).toBe("not-open");
    await pass(MINUTE);
    const after = await viewOf(process);
    expect(after).toMatchObject({ hold: "lately" });
    for (const key of ["offeredAt", "today", "askAt", "missed"] as const) expect(after.order[key]).toEqual(before[key]);
    const again = await made.renew(process, offered!);
    await process.standing.closeOthers(OWNER, id, again.id);
    expect(await process.intents.confirm(OWNER, again.id)).toMatchObject({ intent: { state: "OK" } });
    expect(made.sent).toHaveLength(1);
    await process.stop();
  });

  it("takes the slippage floor where that is more, and sends nothing once the price is back at the tap", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => 1_200_000n;
    await pass(2 * MINUTE);
    const [card] = made.cards();
    expect(card!.terms).toMatchObject({ minimumOut: { units: 1_188_000n } });
    made.price = () => LEAST - 1n;
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({
      kind: "ended",
      intent: { state: "FAILED", outcome: { kind: "not-sent", code: "standing-price-back" } },
    });
    expect(made.sent).toEqual([]);
    // It waits on: after four hours the price is asked for, and any answer beyond the line is an offer then.
    await pass(5 * HOUR);
    expect(made.cards()).toHaveLength(1);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("is offered again after 1 % back over the line, and every four hours, but at most three times a day", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    const at = () => made.cards().length;
    const beyond = () => (made.price = () => LEAST);
    beyond();
    await pass(15 * MINUTE);
    expect(at()).toBe(1);
    // Less than a hundredth back: the same crossing.
    made.price = () => (LEAST * 995n) / 1000n;
    await pass(15 * MINUTE);
    beyond();
    await pass(15 * MINUTE);
    expect(at()).toBe(1);
    made.price = () => (LEAST * 985n) / 1000n;
    await pass(5 * MINUTE);
    beyond();
    await pass(5 * MINUTE);
    expect(at()).toBe(2);
    await pass(4 * HOUR);
    expect(at()).toBe(3);
    await pass(4 * HOUR);
    expect(at()).toBe(3);
    expect((await viewOf(process)).order).toMatchObject({ today: 3, missed: { today: 1 } });
    // Begun at 8:45: the next day begins after 15 hours.
    await pass(8 * HOUR);
    expect(at()).toBe(4);
    await process.stop();
  });

  it("says while its card is open, and later when its price is asked for again", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    await pass(MINUTE);
    expect(await viewOf(process)).toMatchObject({ hold: undefined, askedAgainAt: undefined });
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    const [card] = made.cards();
    expect(await viewOf(process)).toMatchObject({ hold: "not-tapped" });
    expect((await viewOf(process)).askedAgainAt).toBeUndefined();
    await pass(10 * MINUTE);
    expect(await viewOf(process)).toMatchObject({ hold: "lately", askedAgainAt: card!.quotedAt + 4 * HOUR });
    await pass(8 * HOUR + 15 * MINUTE);
    expect(made.cards()).toHaveLength(3);
    const midnight = Math.ceil(made.clock.now() / DAY) * DAY;
    expect(await viewOf(process)).toMatchObject({ hold: "today", askedAgainAt: midnight });
    await process.stop();
  });

  it("whose line is crossed again while its card is open is offered once that is over, and wasn't missed", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    made.price = () => (LEAST * 985n) / 1000n;
    await pass(2 * MINUTE);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    expect(await viewOf(process)).toMatchObject({ hold: "not-tapped", order: { missed: { lately: 1 } } });
    await pass(6 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    expect((await viewOf(process)).order.missed).toEqual({ lately: 0 });
    // Back by the time it is asked for, it was missed.
    made.price = () => (LEAST * 985n) / 1000n;
    await pass(2 * MINUTE);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    made.price = () => (LEAST * 995n) / 1000n;
    await pass(30 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    expect((await viewOf(process)).order.missed).toEqual({ lately: 1 });
    await process.stop();
  });

  it("whose tap found the price gone is offered at the next crossing, however soon, and says nothing else", async () => {
    const { made, process, limit, pass } = await world({ everySeconds: 15 });
    await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST;
    await pass(MINUTE);
    const [card] = made.cards();
    // Less than a hundredth back.
    made.price = () => LEAST - 1n;
    await pass(10_000);
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ intent: { state: "FAILED" } });
    await pass(MINUTE);
    const { hold, askedAgainAt } = await viewOf(process);
    expect({ hold, askedAgainAt }).toEqual({ hold: undefined, askedAgainAt: undefined });
    made.price = () => LEAST;
    await pass(20_000);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("that is there already, or ten times away, isn't set without a question", async () => {
    const { made, process, limit, stop } = await world();
    await expect(process.standing.create(OWNER, limit("100 KLV KFI for 0.99"))).rejects.toMatchObject({
      code: "standing-met",
    });
    await expect(process.standing.create(OWNER, limit("100 KLV KFI for 9.91"))).rejects.toMatchObject({
      code: "standing-far",
    });
    await expect(process.standing.create(OWNER, stop("100 KLV KFI for 0.99"))).rejects.toMatchObject({
      code: "standing-met",
    });
    await expect(process.standing.create(OWNER, stop("100 KLV KFI for 0.09"))).rejects.toMatchObject({
      code: "standing-far",
    });
    expect(await process.standing.preview(OWNER, limit("100 KLV KFI for 1.0395"))).toMatchObject({
      net: { units: 990_000n },
      differenceBps: 500n,
      isMet: false,
      isFar: false,
    });
    const { id } = await process.standing.create(OWNER, limit("100 KLV KFI for 9.91"), true);
    expect((await process.standing.create(OWNER, limit("100 KLV KFI for 9.91 30d"), true)).id).toBe(id);
    expect(await made.store(process, "standing_orders")).toBe(1);
    await process.stop();
  });

  it("keeps what its owner gets when the operator's fee changes, and computes the minimum anew", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    await pass(MINUTE);
    await process.stop();
    made.percentage = 5000;
    const next = made.start();
    const dearer = leastTotalOf(amountOf(kfi, 1_050_000n), 5000).units;
    made.price = () => dearer - 1n;
    await pass(5 * MINUTE);
    expect(made.cards()).toEqual([]);
    made.price = () => dearer;
    await pass(2 * MINUTE);
    expect(made.cards()).toMatchObject([{ terms: { minimumOut: { units: dearer }, referralPercentage: 5000 } }]);
    await next.stop();
  });

  it("goes on through the date until which it is set, by its owner's clocks", async () => {
    const { made, process, limit } = await world();
    const until = async (timeZone: string, line: string) => {
      await made.person(process, (person) => ({ ...person, timeZone }));
      return (await process.standing.preview(OWNER, limit(line))).order.endsAt;
    };
    const midnight = Date.UTC(2027, 3, 1);
    expect(await until("America/New_York", `${LIMIT} until 2027-03-31`)).toBe(midnight + 4 * HOUR - 1);
    expect(await until("UTC", `${LIMIT} until 2027-03-31`)).toBe(midnight - 1);
    // Today is not over.
    expect(await until("UTC", `${LIMIT} until 2027-01-03`)).toBe(Date.UTC(2027, 0, 4) - 1);
    await expect(until("UTC", `${LIMIT} until 2027-01-02`)).rejects.toMatchObject({ code: "standing-past" });
    await process.stop();
  });

  it("is closed with its card when it is edited, and the old card does nothing", async () => {
    const { made, process, limit, pass } = await world();
    const { id } = await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    const [card] = made.cards();
    await process.standing.edit(OWNER, id, limit("100 KLV KFI for 1.5"));
    expect(await process.intents.find(OWNER, card!.id)).toMatchObject({ state: "SUPERSEDED" });
    const old = await made.renew(process, card!);
    expect(await process.intents.confirm(OWNER, old.id)).toMatchObject({ fault: { code: "standing-over" } });
    await pass(HOUR);
    expect(made.cards()).toHaveLength(1);
    made.price = () => 1_600_000n;
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });
});

it("a stop asks once its owner would get no more than its line, bound by their own slippage", async () => {
  const { made, process, stop, pass } = await world();
  made.price = () => 100_000_000n;
  // 1 KFI for 100 KLV; after the fee, 90 KLV are left of 90.909091.
  await process.standing.create(OWNER, stop("1 KFI KLV at 90 KLV"));
  made.price = () => 90_909_091n;
  await pass(5 * MINUTE);
  expect(made.cards()).toEqual([]);
  made.price = () => 90_909_090n;
  await pass(2 * MINUTE);
  const [card] = made.cards();
  expect(card!.terms).toMatchObject({ minimumOut: { units: 89_999_999n } });
  expect(card!.terms.request).toMatchObject({ standing: { kind: "stop" } });
  // It falls on: as any card whose price is worse, it has to be confirmed again.
  made.price = () => 80_000_000n;
  const worse = await process.intents.confirm(OWNER, card!.id);
  expect(worse).toMatchObject({ kind: "worse", fresh: { terms: { minimumOut: { units: 79_200_000n } } } });
  await pass(MINUTE);
  const id = worse.kind === "worse" ? worse.fresh.id : "";
  expect(await process.intents.confirm(OWNER, id)).toMatchObject({ intent: { state: "EXPIRED" } });
  await process.stop();
});

it("a limit is asked about at once after the clock was set back, rather than days later", async () => {
  const { made, process, limit, pass } = await world();
  await process.standing.create(OWNER, limit(LIMIT));
  made.price = () => LEAST;
  await pass(5 * MINUTE);
  expect(made.cards()).toHaveLength(1);
  // Nobody sees it: what waits isn't moved.
  const stopped = process.stop();
  await pass(20_000);
  await stopped;
  made.clock.step(-3 * DAY);
  const next = made.start();
  await pass(5 * MINUTE);
  expect(made.cards()).toHaveLength(2);
  await pass(30 * MINUTE);
  expect(made.cards()).toHaveLength(2);
  await next.stop();
});

describe("a price", () => {
  const outage = new Fault("service-timeout", { service: "quotation" });

  it("that has gone back by the time it is asked for is no offer; the next answer beyond the line is one", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    let beyond = 0;
    // Only what is polled shows it.
    made.price = () => ((beyond += 1) === 1 ? LEAST : LEAST - 1n);
    await pass(10 * MINUTE);
    expect(beyond).toBeGreaterThan(5);
    expect(made.cards()).toEqual([]);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it.each([
    [
      "frozen",
      (made: Awaited<ReturnType<typeof world>>["made"], process: StandingProcess) =>
        made.person(process, (person) => ({ ...person, frozenSince: 1 })),
    ],
    [
      "trading-paused",
      (_made: unknown, process: StandingProcess) =>
        process.store.write((tx) => writeSetting(tx, pauses, { since: 1, reason: "" })),
    ],
    [
      "quiet",
      (made: Awaited<ReturnType<typeof world>>["made"], process: StandingProcess) =>
        made.person(process, (person) => ({ ...person, alerts: { modes: {}, quiet: { from: "08:00", to: "10:00" } } })),
    ],
  ] as const)(
    "that is crossed while its owner is %s says so, and is asked for when that is over",
    async (reason, hold) => {
      const { made, process, limit, pass } = await world();
      await process.standing.create(OWNER, limit(LIMIT));
      await pass(MINUTE);
      await hold(made, process);
      made.price = () => LEAST;
      await pass(30 * MINUTE);
      expect(made.cards()).toEqual([]);
      const view = await viewOf(process);
      expect(view.hold).toBe(reason);
      if (reason !== "quiet") expect(view.askedAgainAt).toBeUndefined();
      // Quiet hours are one's own.
      expect(made.news()).toMatchObject(reason === "quiet" ? [] : [{ kind: "held", hold: reason, orders: [{}] }]);
      await made.person(process, ({ frozenSince: _since, ...person }) => person);
      await process.store.write((tx) => writeSetting(tx, pauses, null));
      await process.standing.lookAtHeld();
      await pass(reason === "quiet" ? 4 * HOUR : 10_000);
      expect(made.cards()).toHaveLength(1);
      expect(made.news()).toHaveLength(reason === "quiet" ? 0 : 1);
      expect((await viewOf(process)).order.missed).toEqual(reason === "quiet" ? { quiet: 1 } : {});
      await process.stop();
    },
  );

  it("isn't asked for while an order is paused or nobody can be reached, and is at once afterwards", async () => {
    const { made, process, limit, pass } = await world();
    const { id } = await process.standing.create(OWNER, limit(LIMIT));
    await pass(5 * MINUTE);
    await process.standing.pause(OWNER, id, true);
    await pass(MINUTE);
    const requests = made.asked.length;
    made.price = () => LEAST;
    await pass(HOUR);
    expect(made.asked.length).toBe(requests);
    await process.standing.pause(OWNER, id, false);
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    await made.person(process, (person) => ({ ...person, restingSince: 1 }));
    await process.standing.look(OWNER);
    await pass(MINUTE);
    const before = made.asked.length;
    await pass(HOUR);
    expect(made.asked.length).toBe(before);
    await process.stop();
  });

  it("that can't be had for a day is told once, and that it can be again", async () => {
    const { made, process, limit, pass } = await world({ everySeconds: 600 });
    await process.standing.create(OWNER, limit(LIMIT));
    await pass(5 * MINUTE);
    made.fault = outage;
    await pass(23 * HOUR);
    expect(made.news()).toEqual([]);
    await pass(3 * HOUR);
    expect(made.news()).toMatchObject([{ kind: "missing", orders: [{ kind: "limit" }] }]);
    await pass(DAY);
    made.fault = undefined;
    await pass(HOUR);
    expect(made.news()).toMatchObject([{ kind: "missing" }, { kind: "back" }]);
    await process.stop();
  });

  it("that is there while too little is held is told at once, and asked about again soon, then ever more seldom", async () => {
    const { made, process, limit, pass } = await world();
    await process.standing.create(OWNER, limit(LIMIT));
    made.holdings = { KLV: 1n };
    made.price = () => LEAST;
    await pass(5 * MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "balance" }]);
    // Nothing was sent to its owner to confirm.
    expect(await viewOf(process)).toMatchObject({ hold: "balance", order: { offeredAt: null } });
    const asked = made.asked.length;
    await pass(4 * HOUR);
    expect(made.asked.length - asked).toBeLessThan(16);
    expect(made.news()).toHaveLength(1);
    made.holdings = { KLV: 10n ** 12n };
    await process.standing.look(OWNER);
    await pass(10_000);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("is no longer watched once its order's time is over, which is told", async () => {
    const { made, process, limit, pass } = await world({ everySeconds: 3600 });
    await process.standing.create(OWNER, limit(`${LIMIT} 2d`));
    await pass(2 * DAY + MINUTE);
    expect(made.news()).toMatchObject([{ view: { order: { ended: "time" } } }]);
    expect(await made.store(process, "price_watches")).toBe(0);
    expect(await made.store(process, "standing_orders")).toBe(0);
    await process.stop();
  });

  it("is asked for within the budget, however many orders cross at once", async () => {
    const { made, process, limit, pass } = await world({ everySeconds: 15 });
    for (let user = 1; user <= 40; user += 1) {
      await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), user);
      await process.standing.create(user, limit(LIMIT));
    }
    made.price = () => LEAST;
    const [since, asked, polled] = [made.clock.now(), made.asked.length, made.polled.length];
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(40);
    const requests = [...made.asked.slice(asked), ...made.polled.slice(polled)];
    const seconds = requests.map(({ at }) => Math.floor((at - since) / 1000));
    for (const second of new Set(seconds))
      expect(seconds.filter((one) => one === second).length).toBeLessThanOrEqual(3);
    await process.stop();
  });
});

it("a stop whose token has got a royalty since, which no wallet's transaction may pay, is told once, with that reason", async () => {
  const { made, process, stop, pass } = await world({ isWallet: true });
  const reached = () => 89_000_000n;
  made.price = () => 100_000_000n;
  await process.standing.create(OWNER, stop("1 KFI KLV at 90 KLV"));
  await pass(2 * MINUTE);
  made.rights = await toldOf(issued["royalties of one share"]);
  made.price = reached;
  await pass(2 * MINUTE);
  expect(made.news()).toMatchObject([{ kind: "held", hold: "royalties" }]);
  expect(await viewOf(process)).toMatchObject({ hold: "royalties" });
  await pass(12 * HOUR);
  expect(made.news()).toHaveLength(1);
  expect(made.cards()).toEqual([]);
  // It comes once the royalty is gone.
  made.rights = "untold";
  await pass(2 * HOUR);
  expect(made.cards()).toHaveLength(1);
  await process.stop();
});

it.each(["deleted", "paused", "changed"])(
  "an order that is %s while its swap waits to be signed withdraws that",
  async (how) => {
    const { made, process, limit, pass } = await world({ isWallet: true });
    const { id } = await process.standing.create(OWNER, limit(LIMIT));
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    const [card] = made.cards();
    expect((await process.intents.confirm(OWNER, card!.id)).kind).toBe("pending");
    const act = {
      deleted: () => process.standing.end(OWNER, id),
      paused: () => process.standing.pause(OWNER, id, true),
      changed: () => process.standing.edit(OWNER, id, limit("100 KLV KFI for 1.2")),
    }[how];
    const done = await act!();
    if (how === "deleted") expect(done).toBe("withdrawn");
    const signed = await process.intents.requests.sign(OWNER, card!.id, "signature");
    expect(signed).toMatchObject({ state: "SIGNING", transaction: { phase: "withdrawn" } });
    await process.stop();
  },
);

it("a signature that overtakes the withdrawal is refused too, and one that came before is sent, and said so", async () => {
  const { made, process, limit, pass } = await world({ isWallet: true });
  const { id } = await process.standing.create(OWNER, limit(LIMIT));
  made.price = () => LEAST;
  await pass(2 * MINUTE);
  const [card] = made.cards();
  await process.intents.confirm(OWNER, card!.id);
  const order = (await process.standing.find(OWNER, id))!.order;
  await process.store.write((tx) => putStandingOrder(tx, { ...order, paused: "user" }, made.clock.now(), 0));
  expect(await process.intents.requests.sign(OWNER, card!.id, "signature")).toMatchObject({ state: "SIGNING" });
  await process.standing.pause(OWNER, id, false);
  expect(await process.intents.requests.sign(OWNER, card!.id, "signature")).toMatchObject({ state: "SENT" });
  await process.intents.requests.mayLeave((await process.intents.find(OWNER, card!.id))!, true);
  expect(await process.standing.end(OWNER, id)).toBe("sent");
  await process.stop();
});

it("a second transaction is signed only if the chain can execute no more than one of them", async () => {
  const { made, process, limit, pass } = await world({ isWallet: true });
  await process.standing.create(OWNER, limit(LIMIT));
  made.price = () => LEAST;
  await pass(2 * MINUTE);
  const [card] = made.cards();
  const first = await process.intents.confirm(OWNER, card!.id);
  expect(first.kind).toBe("pending");
  const again = await made.renew(process, card!);
  expect(await process.intents.confirm(OWNER, again.id)).toMatchObject({ fault: { code: "standing-busy" } });
  // It isn't signed in time, but its owner's wallet might still send it.
  await process.intents.requests.close(OWNER, card!.id, "EXPIRED");
  await process.intents.settle(OWNER, card!.id);
  expect(await process.intents.find(OWNER, card!.id)).toMatchObject({ state: "EXPIRED" });
  made.nonces[alice] = 8n;
  const other = await made.renew(process, card!);
  expect(await process.intents.confirm(OWNER, other.id)).toMatchObject({
    kind: "ended",
    intent: { state: "FAILED", outcome: { kind: "not-sent", code: "standing-busy" } },
  });
  made.nonces[alice] = 7n;
  const same = await made.renew(process, card!);
  expect((await process.intents.confirm(OWNER, same.id)).kind).toBe("pending");
  await process.stop();
});

it.each([
  ["the same nonce", 7n],
  ["another nonce", 8n],
])("a second one from another account isn't signed while the first may be executed: %s there", async (_name, nonce) => {
  const { made, process, limit, pass } = await world({ isWallet: true });
  const { id } = await process.standing.create(OWNER, limit(LIMIT));
  made.price = () => LEAST;
  await pass(2 * MINUTE);
  const [card] = made.cards();
  expect((await process.intents.confirm(OWNER, card!.id)).kind).toBe("pending");
  // Its owner's address changes, which closes what waits to be signed; they go on with the order.
  await made.person(process, (person) => ({ ...person, wallet: { address: operator, since: made.clock.now() } }));
  await process.intents.requests.close(OWNER, card!.id, "CANCELED");
  await process.intents.settle(OWNER, card!.id);
  await process.standing.look(OWNER);
  await pass(MINUTE);
  expect(await viewOf(process)).toMatchObject({ order: { paused: "address" } });
  await process.standing.pause(OWNER, id, false);
  made.nonces[operator] = nonce;
  const other = await made.renew(process, card!);
  const outcome = { intent: { state: "FAILED", outcome: { kind: "not-sent", code: "standing-busy" } } };
  expect(await process.intents.confirm(OWNER, other.id)).toMatchObject(outcome);
  await process.stop();
});
