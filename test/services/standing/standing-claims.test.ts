import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent, IntentState } from "../../../src/services/intent/intent.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { exitFigures } from "../../../src/services/standing/exit-plan.js";
import { standingRequest } from "../../../src/services/standing/occurrence.js";
import {
  callsUnsent,
  lastDone,
  openCards,
  openUntil,
  standingCalls,
} from "../../../src/services/standing/standing-calls.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import { putStandingOrder, type StandingOrder } from "../../../src/services/standing/standing-queries.js";
import { otherWay } from "../../../src/services/terms/terms.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { type Place, placeAt, preparedTransaction, walletTransaction } from "../../support/wallet-transaction.js";
import { kfi, klv, operator } from "../samples.js";
import { DAY, MINUTE, NOW, OWNER, standingSample } from "./standing-world.js";

/** The first of three purchases is due. */
const dca = standingSample({ id: "dca", n: 1 });
const pay = amountOf(klv, 100_000_000n);
const limit = standingSample({ id: "limit", kind: "limit", rule: { net: amountOf(kfi, 1_000_000n) } });
const stop = standingSample({ id: "stop", kind: "stop", rule: { net: amountOf(kfi, 900_000n) } });
const { rule } = exitFigures(
  { targets: [{ shareBps: 5_000n, upBps: 1_000n }], floor: { downBps: 1_000n } },
  { all: pay, base: amountOf(kfi, 1_000_000n), payable: (takes) => takes, fixed: 0n, referralPercentage: 1000 },
);
/** Its target, which is its first part, was reached. */
const exit = standingSample({ id: "exit", kind: "exit", rule });
const orders = [dca, limit, stop, exit];

const outcomes: Partial<Record<IntentState, Intent["outcome"]>> = {
  OK: { kind: "ok", returnData: [] },
  FAILED: { kind: "failed", text: "no" },
  UNKNOWN: { kind: "unknown", code: "service-timeout" },
};

/** A card of an order; `n` is the number of its occurrence, if that isn't the one that is due. */
function card(
  order: StandingOrder,
  id: string,
  state: IntentState,
  more: Partial<Intent> & { n?: number } = {},
): Intent {
  const { n, ...fields } = more;
  const { standing, ...request } = standingRequest(order);
  const { occurrence, ...others } = standing;
  const which = occurrence && { occurrence: { ...occurrence, n: n ?? occurrence.n } };
  return {
    ...intent({ ...swapTerms, request: { ...request, standing: { ...others, ...which } } }, state, outcomes[state]),
    ...{ id, owner: OWNER, times: { CLAIMED: NOW, [state]: NOW }, ...fields },
  };
}

let hashes = 0;
const signed = (place: Place, nonce = 7n) => {
  hashes += 1;
  return walletTransaction(place, { nonce, hash: `hash-${hashes}`, token: `token-${hashes}` });
};
const unseen = (nonce?: bigint) => signed({ phase: "broadcast", signature: "aa", broadcastAt: 0 }, nonce);

async function arrange(of: readonly StandingOrder[], ...cards: readonly Intent[]) {
  const { db, write } = createMemoryDisk().open();
  await write(async (tx) => {
    for (const order of of) await putStandingOrder(tx, order, NOW, NOW);
    for (const one of cards) await insertIntent(tx, one);
  });
  return {
    ...{ db, write },
    /** Why a card can't be claimed, or signed with a nonce. */
    objection: async (to: Intent, nonce?: bigint) => {
      const transaction = nonce === undefined ? undefined : preparedTransaction({ nonce });
      return (await write((tx) => standingObjection(() => NOW)(tx, to, transaction)))?.code;
    },
  };
}

describe("a card of an order", () => {
  it("can be claimed for exactly what the order is for now, as a swap or by route", async () => {
    const { objection } = await arrange(orders);
    expect(await objection(intent(swapTerms))).toBeUndefined();
    for (const order of orders) {
      const now = card(order, "now", "QUOTED");
      expect(await objection(now), order.id).toBeUndefined();
      const { request } = now.terms;
      const asking = (asked: object) => ({ ...now, terms: { ...now.terms, request: asked } }) as Intent;
      expect(await objection(asking(otherWay(request)!)), order.id).toBeUndefined();
      expect(await objection(asking({ ...request, pay: amountOf(klv, 1n) })), order.id).toBe("standing-over");
    }
    // An earlier version named no stop's line.
    const { standing, ...request } = standingRequest(stop);
    const { most: _most, ...earlier } = standing;
    const old = { ...swapTerms, request: { ...request, standing: earlier } };
    expect(await objection({ ...intent(old), owner: OWNER })).toBeUndefined();
    expect(await objection(card(dca, "now", "QUOTED", { n: 1 }))).toBe("standing-over");
  });

  it("can't while the order is gone, another's, over or paused, or for another address", async () => {
    const why = async (order: Partial<StandingOrder>, more?: Partial<Intent>) =>
      (await arrange([{ ...limit, ...order }])).objection(card(limit, "now", "QUOTED", more));
    expect(await why({})).toBeUndefined();
    expect(await why({ id: "other" })).toBe("standing-over");
    expect(await why({}, { owner: OWNER + 1 })).toBe("standing-over");
    expect(await why({ userId: OWNER + 1 })).toBe("standing-over");
    expect(await why({ ended: "done" })).toBe("standing-over");
    expect(await why({ paused: "user" })).toBe("standing-paused");
    expect(await why({ payout: operator })).toBe("standing-paused");
  });

  const restored = { kind: "unknown", code: "restored" } as const;
  it.each([
    ["SENT", {}, "standing-busy"],
    ["CLAIMED", {}, "standing-busy"],
    ["SIGNING", { transaction: signed({ phase: "to-sign" }) }, "standing-busy"],
    ["UNKNOWN", {}, "standing-busy"],
    ["UNKNOWN", { outcome: restored }, undefined],
    ["UNKNOWN", { check: { at: NOW, by: "owner", finding: "not-arrived" } }, undefined],
    ["UNKNOWN", { check: { at: NOW, by: "balances", finding: "arrived" } }, "standing-over"],
    ["FAILED", {}, undefined],
    ["OK", {}, "standing-over"],
  ] as const)("beside one that is %s %o", async (state, more, code) => {
    for (const order of orders) {
      const { objection } = await arrange([order], card(order, "before", state, more));
      expect(await objection(card(order, "now", "QUOTED")), order.id).toBe(code);
      // It doesn't stand in its own way.
      expect(await objection(card(order, "before", "QUOTED")), order.id).toBeUndefined();
    }
  });

  it("of another occurrence, can once that is done; of an exit, only once that was subtracted", async () => {
    const { objection } = await arrange([dca], card(dca, "before", "OK", { n: 1 }));
    expect(await objection(card(dca, "now", "QUOTED"))).toBeUndefined();
    const sold = card(exit, "before", "OK", { n: 1 });
    expect(await (await arrange([exit], sold)).objection(card(exit, "now", "QUOTED"))).toBe("standing-busy");
    const subtracted = card(exit, "before", "OK", { n: 9 });
    expect(await (await arrange([exit], subtracted)).objection(card(exit, "now", "QUOTED"))).toBeUndefined();
  });
});

describe("a signature for a card of an order", () => {
  const beside = async (before: Intent, order = limit, nonce = 8n, ...others: readonly Intent[]) =>
    (await arrange([order], before, ...others)).objection(card(order, "now", "QUOTED"), nonce);
  const failed = (more: Partial<Intent> & { n?: number } = {}, of = limit) =>
    card(of, "before", "FAILED", { transaction: unseen(), ...more });

  it("isn't taken while an earlier one may still be executed beside it", async () => {
    expect(await beside(failed())).toBe("standing-busy");
    expect(await beside(card(limit, "before", "CANCELED", { transaction: signed(placeAt("CANCELED")) }))).toBe(
      "standing-busy",
    );
    // The claim asks nothing of nonces.
    expect(await (await arrange([limit], failed())).objection(card(limit, "now", "QUOTED"))).toBeUndefined();
    expect(await beside(card(limit, "before", "FAILED"))).toBeUndefined();
    expect(await beside(failed({ transaction: signed({ phase: "on-chain", signature: "aa" }) }))).toBeUndefined();
  });

  it("is taken at the same place of the same account, where only one of the two can be executed", async () => {
    expect(await beside(failed(), limit, 7n)).toBeUndefined();
    const elsewhere = failed();
    const moved = { ...elsewhere, terms: { ...elsewhere.terms, payout: operator } } as Intent;
    expect(await beside(moved, limit, 7n)).toBe("standing-busy");
    // One at the same place says nothing of another.
    const second = card(limit, "second", "FAILED", { transaction: unseen(6n) });
    expect(await beside(failed(), limit, 7n, second)).toBe("standing-busy");
  });

  it("is taken two days after the end of an earlier one, which every wallet and node has forgotten", async () => {
    const at = (ago: number) => failed({ times: { CLAIMED: NOW - 3 * DAY, FAILED: NOW - ago } });
    expect(await beside(at(2 * DAY))).toBe("standing-busy");
    expect(await beside(at(2 * DAY + 1))).toBeUndefined();
  });

  it("is taken once the chain has executed another one with the earlier one's nonce", async () => {
    const rival = (phase: Place) => ({ ...intent(swapTerms, "OK"), id: "rival", transaction: signed(phase) });
    const out = rival({ phase: "broadcast", signature: "aa", broadcastAt: 0 });
    const there = rival({ phase: "on-chain", signature: "aa" });
    expect(await beside(failed(), limit, 8n, out)).toBe("standing-busy");
    expect(await beside(failed(), limit, 8n, there)).toBeUndefined();
    expect(await beside(failed(), limit, 8n, there, { ...out, id: "third", transaction: unseen() })).toBeUndefined();
  });

  it("is asked of each purchase for itself, and of all parts of an exit", async () => {
    expect(await beside(failed({ n: 1 }, dca), dca)).toBeUndefined();
    expect(await beside(failed({}, dca), dca)).toBe("standing-busy");
    expect(await beside(failed({ n: 1 }, exit), exit)).toBe("standing-busy");
  });
});

describe("what an order's calls have come to", () => {
  it("is told of its own cards, and of none that was never claimed", async () => {
    const lost = { check: { at: NOW, by: "chain", finding: "not-arrived" } } as const;
    const declined = { outcome: { kind: "not-sent", code: "signing-declined" } } as const;
    const gone = { outcome: { kind: "not-sent", code: "standing-price-back" } } as const;
    const { db } = await arrange(
      orders,
      card(dca, "ok", "OK", { n: 3 }),
      card(dca, "proven", "UNKNOWN", { n: 4, check: { at: NOW, by: "balances", finding: "arrived" } }),
      card(dca, "failed", "FAILED", { n: 5, times: { CLAIMED: NOW, FAILED: NOW + 5 } }),
      card(dca, "shown", "UNKNOWN", { n: 6, ...lost }),
      card(dca, "marked", "UNKNOWN", { n: 7, check: { at: NOW, by: "owner", finding: "not-arrived" } }),
      card(dca, "declined", "FAILED", { n: 8, ...declined }),
      card(dca, "back", "FAILED", { n: 9, ...gone }),
      card(dca, "expired", "EXPIRED", { n: 10, times: { EXPIRED: NOW } }),
      card(dca, "open", "QUOTED", { n: 11, times: {} }),
      card(limit, "other", "SENT"),
    );
    const { isUnderWay, done, failed, signed: left } = await standingCalls(db, "dca");
    expect([isUnderWay, done.toSorted(), left]).toEqual([false, [3, 4], []]);
    expect([...failed].toSorted((one, other) => one.n! - other.n!)).toEqual([
      { n: 5, at: NOW + 5, isGone: false },
      { n: 6, at: NOW, isGone: false },
      { n: 9, at: NOW, isGone: true },
    ]);
    expect((await standingCalls(db, "limit")).isUnderWay).toBe(true);
    expect((await standingCalls(db, "limit", "other")).isUnderWay).toBe(false);
  });

  it("says which cards are open, which calls can still be stopped, and which swap was the last", async () => {
    const ended = (id: string, at: number) => card(limit, id, "OK", { times: { CLAIMED: NOW, OK: NOW + at } });
    const { db } = await arrange(
      orders,
      ...[card(limit, "open", "QUOTED"), card(dca, "theirs", "QUOTED"), card(limit, "claimed", "CLAIMED")],
      ...[
        card(limit, "signing", "SIGNING", { transaction: signed({ phase: "to-sign" }) }),
        card(limit, "sent", "SENT"),
      ],
      ...[
        ended("first", 1),
        ended("last", 9),
        ended("second", 2),
        card(limit, "failed", "FAILED", { times: { CLAIMED: NOW, FAILED: NOW + 99 } }),
      ],
    );
    expect(await openCards(db, "limit")).toEqual(["open"]);
    expect([...(await callsUnsent(db, "limit"))].toSorted()).toEqual(["sent", "signing"]);
    expect((await lastDone(db, "limit"))?.id).toBe("last");
    expect(await lastDone(db, "stop")).toBeUndefined();
  });

  it("says until when a card can be tapped, but for one from before the clock was set back", async () => {
    const until = (id: string, n: number, expiresAt: number) => card(dca, id, "QUOTED", { n, expiresAt, times: {} });
    const { db } = await arrange(
      orders,
      ...[until("a", 0, NOW + 1), until("b", 0, NOW + 5), until("c", 1, NOW + 10 * MINUTE)],
      ...[until("old", 2, NOW), until("ahead", 3, NOW + 10 * MINUTE + 1)],
      card(dca, "closed", "EXPIRED", { n: 0, expiresAt: NOW + 9, times: {} }),
    );
    const found = (n?: number) => openUntil(db, "dca", NOW, n);
    expect([await found(), await found(0), await found(1)]).toEqual([NOW + 10 * MINUTE, NOW + 5, NOW + 10 * MINUTE]);
    expect([await found(2), await found(3)]).toEqual([undefined, undefined]);
  });
});

it("an order is looked at once one of its cards has changed, and no other is", async () => {
  const { db, write } = await arrange([]);
  for (const order of orders) await write((tx) => putStandingOrder(tx, order, NOW, NOW + DAY));
  const note = noteStandingChange(() => NOW);
  await write((tx) => note(tx, intent(swapTerms, "OK")));
  await write((tx) => note(tx, card(exit, "now", "OK")));
  const rows = await db.selectFrom("standing_orders").select("id").where("due_at", "<=", NOW).execute();
  expect(rows).toEqual([{ id: "exit" }]);
});
