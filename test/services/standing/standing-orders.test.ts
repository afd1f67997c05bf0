import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { readDca } from "../../../src/services/standing/dca-request.js";
import type { DcaRequest } from "../../../src/services/standing/dca-request.js";
import { forget } from "../../../src/services/operator/forget.js";
import { readLimit, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { alice, kfi, klv, operator, referralContract } from "../samples.js";
import { createStandingWorld, DAY, FIRST, HOUR, MINUTE, NOW, OWNER, type StandingProcess } from "./standing-world.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import type { TokenRights } from "../../../src/services/market/token-rights.js";
import { issued, pair, toldOf } from "../market/rights-samples.js";

const outage = new Fault("service-timeout", { service: "quotation" });

/** A world with an owner who has an address. */
async function world(options: Parameters<typeof createStandingWorld>[0] = {}) {
  const made = createStandingWorld(options);
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  return { ...made, made, process, to: (at: number) => made.clock.advance(at - made.clock.now()) };
}

const dca = (line: string, tokens: Parameters<typeof readDca>[1]) => readDca(line, tokens) as DcaRequest;

describe("a regular order", () => {
  const line = "100 KLV KFI daily 09:00 x3";

  it("sends one card at each of its times, which is carried out only when it is confirmed", async () => {
    const { made, process, to } = await world();
    const { id } = await process.standing.create(OWNER, dca(line, made.tokens));
    await to(FIRST - DAY - 1000);
    expect(made.cards()).toEqual([]);
    await to(FIRST - DAY + MINUTE);
    const [card] = made.cards();
    expect(card).toMatchObject({
      state: "QUOTED",
      owner: OWNER,
      terms: {
        amountIn: amountOf(klv, 100_000_000n),
        minimumOut: { units: 990_000n },
        request: { standing: { id, kind: "dca", occurrence: { n: 0, place: 0, of: 3 } } },
      },
    });
    expect(made.sent).toEqual([]);
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    // Neither the same card nor a new one for the same time can be executed again.
    expect((await process.intents.confirm(OWNER, card!.id)).kind).toBe("not-open");
    await to(FIRST + HOUR);
    expect(made.cards().map(({ terms }) => terms.request)).toMatchObject([
      { standing: { occurrence: { n: 0 } } },
      { standing: { occurrence: { n: 1 } } },
    ]);
    expect(made.sent).toHaveLength(1);
    await to(FIRST + 3 * DAY);
    expect(made.cards()).toHaveLength(3);
    expect(made.news().at(-1)).toMatchObject({
      kind: "order",
      missed: { "not-tapped": expect.any(Number) as number },
      view: { done: 1, order: { ended: "done", missed: { "not-tapped": 2 } } },
    });
    // Once its owner knows, nothing of it is left.
    expect(await process.standing.list(OWNER)).toEqual([]);
    await process.stop();
  });

  it("can be taken late, until the next one is due, and is not then counted", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca(line, made.tokens));
    await to(FIRST - DAY + MINUTE);
    const [card] = made.cards();
    await to(FIRST - HOUR);
    expect(await process.intents.find(OWNER, card!.id)).toMatchObject({ state: "EXPIRED" });
    // What a tap on an expired card opens asks for the same.
    const late = await made.renew(process, card!);
    expect(await process.intents.confirm(OWNER, late.id)).toMatchObject({ intent: { state: "OK" } });
    const again = await made.renew(process, card!);
    expect(await process.intents.confirm(OWNER, again.id)).toMatchObject({
      kind: "refused",
      fault: { code: "standing-over" },
    });
    await to(FIRST + MINUTE);
    expect((await process.standing.list(OWNER))[0]).toMatchObject({ done: 1, order: { missed: {}, n: 2 } });
    const first = await made.renew(process, card!);
    expect(await process.intents.confirm(OWNER, first.id)).toMatchObject({ fault: { code: "standing-over" } });
    await process.stop();
  });

  it("sends no card while the outcome of one is unknown, until that is known or marked", async () => {
    const { made, process, to } = await world();
    made.outcome = () => ({ kind: "unknown", fault: outage });
    await process.standing.create(OWNER, dca(line, made.tokens));
    await to(FIRST - DAY + MINUTE);
    const [card] = made.cards();
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ intent: { state: "UNKNOWN" } });
    const again = await made.renew(process, card!);
    expect(await process.intents.confirm(OWNER, again.id)).toMatchObject({ fault: { code: "standing-busy" } });
    await to(FIRST + 2 * HOUR);
    expect(made.cards()).toHaveLength(1);
    expect((await process.standing.list(OWNER))[0]).toMatchObject({
      isUnderWay: true,
      order: { missed: { "under-way": 1 } },
    });
    const unknown = await process.intents.find(OWNER, card!.id);
    await process.intents.markChecked(unknown!, { at: made.clock.now(), by: "owner", finding: "not-arrived" });
    await to(FIRST + DAY + MINUTE);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("tries for an hour to get a price, then says what was missed, once", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca(line, made.tokens));
    made.fault = outage;
    await to(FIRST - DAY + 30 * MINUTE);
    const requests = made.asked.length;
    expect(requests).toBeGreaterThan(5);
    // Somebody has to find out when it answers again.
    expect(requests).toBeLessThan(6 * 31);
    await to(FIRST - DAY + 2 * HOUR);
    expect(made.cards()).toEqual([]);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "no-price" }, { missed: { "no-price": 1 } }]);
    made.fault = undefined;
    await to(FIRST + MINUTE);
    expect(made.cards()).toHaveLength(1);
    expect(made.news()).toHaveLength(2);
    await process.stop();
  });

  it("says at once that too little is held, or a limit is too low, and after its hour that it was missed", async () => {
    const { made, process, to } = await world();
    made.holdings = { KLV: 1n };
    const preview = await process.standing.preview(OWNER, dca(line, made.tokens));
    expect(preview.held).toEqual(amountOf(klv, 1n));
    await process.standing.create(OWNER, dca(line, made.tokens));
    await to(FIRST - DAY + MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "balance" }]);
    await to(FIRST - DAY + 2 * HOUR);
    expect(made.news()).toMatchObject([{}, { missed: { balance: 1 } }]);
    made.holdings = { KLV: 10n ** 12n };
    const most = { perTransaction: amountOf(klv, 99_000_000n) };
    await made.person(process, (person) => ({ ...person, limits: { KLV: { most } } }));
    await to(FIRST + MINUTE);
    expect(made.cards()).toEqual([]);
    expect(made.news().at(-1)).toMatchObject({ kind: "held", hold: "limit" });
    await expect(process.standing.create(OWNER, dca("100 KLV KFI daily 10:00 x3", made.tokens))).rejects.toMatchObject({
      code: "limit-per-transaction",
    });
    await process.stop();
  });

  it("tells what its tokens' issuers can do before it is set, not only with its first card", async () => {
    const { made, process } = await world();
    made.rights = { ...((await toldOf(issued["wipe and burn"])) as TokenRights), tokenId: "KFI" };
    const preview = await process.standing.preview(OWNER, dca(line, made.tokens));
    expect(preview.rights).toContainEqual(expect.objectContaining({ tokenId: "KFI", powers: ["destroy"] }));
    made.rights = undefined;
    expect(await process.standing.preview(OWNER, dca(line, made.tokens))).toMatchObject({ isResaleUnknown: true });
    await process.stop();
  });

  it("says at once that what it buys couldn't be sold again, and sends no card of it", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca(line, made.tokens));
    const kfiPool = { ...pair, second: "KFI", reserveFirst: 10n ** 15n, reserveSecond: 10n ** 15n };
    made.graph = createPoolGraph([{ ...kfiPool, feePercent: 300n, state: "Active" }]);
    made.rights = await toldOf(issued["the pair may only send"]);
    await to(FIRST - DAY + MINUTE);
    expect(made.cards()).toEqual([]);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "one-way" }]);
    // The pair alone isn't enough: it has to get there.
    made.rights = await toldOf(issued["the pair may send and receive"]);
    const again = process.standing.preview(OWNER, dca(line, made.tokens));
    await expect(again).rejects.toMatchObject({ code: "token-unsellable" });
    const roles = [pair.address, referralContract].map((Address) => ({
      Address,
      HasRoleTransfer: true,
      HasRoleDeposit: true,
    }));
    made.rights = await toldOf({ Properties: { LimitTransfer: true }, Roles: roles });
    await process.standing.look(OWNER);
    await to(FIRST - DAY + 2 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    expect(made.news()).toHaveLength(1);
    await process.stop();
  });

  it("after a week of downtime, makes one card at most, and one sentence about the rest", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x20", made.tokens));
    await to(FIRST - DAY + MINUTE);
    process.kill();
    await to(FIRST + 7 * DAY + 20 * MINUTE);
    const next = made.start();
    await to(FIRST + 7 * DAY + 40 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    expect(made.news()).toMatchObject([{ missed: { down: 7, "not-tapped": 1 } }]);
    expect((await next.standing.list(OWNER))[0]).toMatchObject({ order: { n: 9 } });
    await next.stop();
  });

  it("survives being killed at any moment: never two cards for one time, and none that is lost", async () => {
    const { made, process: first, to } = await world();
    await first.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x8", made.tokens));
    let process: StandingProcess = first;
    for (let day = 0; day < 8; day += 1) {
      const at = FIRST - DAY + day * DAY;
      await to(at - 1);
      for (const milliseconds of [1, 2, 500, 2500]) {
        await to(at + milliseconds);
        process.kill();
        process = made.start();
      }
      await to(at + 30 * MINUTE);
    }
    const places = made.cards().map(({ terms: { request } }) => standingIn(request)?.occurrence?.n);
    expect(new Set(places).size).toBe(8);
    const rows = await made.disk.open().db.selectFrom("intents").select("occurrence").execute();
    expect(rows.map(({ occurrence }) => occurrence).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await process.stop();
  });
});

describe("orders", () => {
  it("are 20 a person and STANDING_MAX in all; the same one twice is one", async () => {
    const { made, process } = await world({ standingMax: 21 });
    for (let hour = 0; hour < 20; hour += 1) {
      const own = dca(`100 KLV KFI daily ${String(hour).padStart(2, "0")}:00 x3`, made.tokens);
      const { id } = await process.standing.create(OWNER, own);
      expect((await process.standing.create(OWNER, own)).id).toBe(id);
    }
    const more = dca("100 KLV KFI daily 23:00 x3", made.tokens);
    await expect(process.standing.create(OWNER, more)).rejects.toMatchObject({ code: "standing-full" });
    for (const other of [1002, 1003]) {
      await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), other);
    }
    await process.standing.create(1002, more);
    // Beyond it, each has an equal share at least.
    await process.standing.create(1003, more);
    await expect(process.standing.create(1001, more)).rejects.toMatchObject({ code: "standing-full" });
    expect(await process.standing.counts()).toEqual({ limit: 0, stop: 0, dca: 22, exit: 0 });
    await process.stop();
  });

  it("are paused, resumed, moved and ended by their owner only, and a card of one that isn't active does nothing", async () => {
    const { made, process, to } = await world();
    const { id } = await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
    expect(await process.standing.pause(7, id, true)).toBeUndefined();
    expect(await process.standing.end(7, id)).toBeUndefined();
    await to(FIRST - DAY + MINUTE);
    const [card] = made.cards();
    expect(await process.standing.find(OWNER, id)).toMatchObject({ hold: "not-tapped" });
    await process.standing.pause(OWNER, id, true);
    expect(await process.standing.find(OWNER, id)).toMatchObject({ hold: "paused" });
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ fault: { code: "standing-paused" } });
    await to(FIRST + 2 * HOUR);
    expect(made.cards()).toHaveLength(1);
    // Nobody is told what they know.
    expect(made.news()).toEqual([]);
    await process.standing.pause(OWNER, id, false);
    await to(FIRST + 3 * HOUR);
    expect(made.news()).toMatchObject([{ missed: { paused: 1, "not-tapped": 1 } }]);
    await to(FIRST + DAY + MINUTE);
    const last = made.cards().at(-1)!;
    expect(await process.standing.end(OWNER, id)).toBe("none");
    expect(await process.intents.find(OWNER, last.id)).toMatchObject({ state: "SUPERSEDED" });
    expect(await process.standing.find(OWNER, id)).toBeUndefined();
    await process.stop();
  });

  it("keep the zone of their set-up until their owner moves them", async () => {
    const { made, process } = await world();
    const { id } = await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
    expect(await process.standing.inOtherZones(OWNER)).toEqual([]);
    await made.person(process, (person) => ({ ...person, timeZone: "America/Sao_Paulo" }));
    expect((await process.standing.inOtherZones(OWNER)).map((order) => order.id)).toEqual([id]);
    expect((await process.standing.find(OWNER, id))?.next).toBe(NOW + 15 * MINUTE);
    await process.standing.moveToZone(OWNER);
    expect((await process.standing.find(OWNER, id))?.next).toBe(NOW + 15 * MINUTE + 3 * HOUR);
    await process.stop();
  });

  const hours = (hour: number, date = 5) => Date.UTC(2027, 0, date, hour);
  it.each([
    // At nine in New York, that is at 14:00 by UTC.
    ["Asia/Tokyo", hours(6), hours(0, 6)],
    ["America/Los_Angeles", hours(6), hours(17)],
    ["Asia/Tokyo", hours(14, 6) - 1, hours(0, 7)],
    ["Pacific/Honolulu", hours(14, 6) + HOUR, hours(19, 7)],
  ])("moved to %s, go on with the first time later than now, and miss none", async (zone, at, next) => {
    const { made, process, to } = await world();
    await made.person(process, (person) => ({ ...person, timeZone: "America/New_York" }));
    const { id } = await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x5", made.tokens));
    await to(at);
    const before = (await process.standing.find(OWNER, id))!.order;
    await made.person(process, (person) => ({ ...person, timeZone: zone }));
    await process.standing.moveToZone(OWNER);
    const view = (await process.standing.find(OWNER, id))!;
    expect(view).toMatchObject({ next, order: { n: before.n, missed: before.missed } });
    await to(next - 1000);
    expect(made.cards()).toHaveLength(before.n);
    await to(next + MINUTE);
    expect(made.cards()).toHaveLength(before.n + 1);
    const left = made.cards().at(-1)!.terms.request;
    expect(left).toMatchObject({ standing: { occurrence: { place: before.n, of: 5 } } });
    await process.stop();
  });

  it("that are missed while their owner is frozen are told then, with that reason", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
    await made.person(process, (person) => ({ ...person, frozenSince: 1 }));
    await to(FIRST - DAY + HOUR + MINUTE);
    expect(made.news()).toMatchObject([
      { kind: "held", hold: "frozen" },
      { kind: "order", missed: { frozen: 1 } },
    ]);
    await process.stop();
  });

  it("pause when their owner's address changes, say so in one message, and go on with the new one", async () => {
    const { made, process, to } = await world();
    const ids = [];
    for (const hour of ["09", "10"]) {
      ids.push((await process.standing.create(OWNER, dca(`100 KLV KFI daily ${hour}:00 x9`, made.tokens))).id);
    }
    await to(FIRST - DAY + MINUTE);
    const [card] = made.cards();
    await made.person(process, (person) => ({ ...person, wallet: { address: operator, since: 1 } }));
    expect(await process.intents.confirm(OWNER, card!.id)).not.toMatchObject({ intent: { state: "OK" } });
    await process.standing.look(OWNER);
    await to(made.clock.now() + MINUTE);
    expect(made.news()).toMatchObject([{ kind: "address", orders: [{ id: ids[0] }, { id: ids[1] }] }]);
    expect(await process.standing.list(OWNER)).toMatchObject([{ hold: "address" }, { hold: "address" }]);
    expect(await process.standing.resumeAll(OWNER)).toHaveLength(2);
    await to(FIRST + MINUTE);
    expect(made.cards().at(-1)!.terms.payout).toBe(operator);
    await process.stop();
  });

  it("one that can't be read is put aside, and holds up no other", async () => {
    const { made, process, to } = await world();
    const { id } = await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
    await process.standing.create(OWNER, dca("200 KLV KFI daily 09:00 x9", made.tokens));
    await process.store.write((tx) =>
      tx.updateTable("standing_orders").set({ rule: "{" }).where("id", "=", id).execute(),
    );
    await to(FIRST - DAY + 30 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    expect(made.errors).toMatchObject([
      { code: "store-unreadable", parameters: { document: `standing_orders/${OWNER}/${id}` } },
    ]);
    await process.stop();
  });

  it("are of tokens that are listed, and end when one no longer is", async () => {
    const { made, process, to } = await world();
    await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
    made.tokens.replace([klv]);
    await to(FIRST - DAY + MINUTE);
    expect(made.news()).toMatchObject([{ view: { order: { ended: "unlisted" } } }]);
    made.tokens.replace([klv, kfi]);
    await process.stop();
  });
});

it("an order is forgotten with its owner, and so is what is watched for it", async () => {
  const { made, process, to } = await world();
  await process.standing.create(OWNER, dca("100 KLV KFI daily 09:00 x9", made.tokens));
  await process.standing.create(OWNER, readLimit("100 KLV KFI for 1.5", made.tokens) as PriceOrderRequest);
  await to(NOW + MINUTE);
  expect(await made.store(process, "price_watches")).toBe(1);
  expect(await forget(process.store, OWNER, NOW)).toBe("forgotten");
  expect(await made.store(process, "standing_orders")).toBe(0);
  expect(await made.store(process, "price_watches")).toBe(0);
  await process.stop();
});
