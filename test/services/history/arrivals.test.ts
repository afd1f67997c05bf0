import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Fault } from "../../../src/fault.js";
import { arrivalsTopic } from "../../../src/services/history/arrivals-topic.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { telegramError } from "../alerts/orders-world.js";
import { klv } from "../samples.js";
import {
  addressOf,
  BLOCK,
  cheap,
  createArrivalsWorld,
  DAY,
  HOUR,
  MINUTE,
  poolless,
  type Told,
} from "./arrivals-world.js";

const KLV = 1_000_000n;

/** Somebody with 100 KLV who has chosen to be told, and whose account has been read twice since. */
async function arrange(...[feed]: Parameters<ReturnType<typeof createArrivalsWorld>["start"]>) {
  const world = createArrivalsWorld();
  const process = world.start(feed);
  await process.put(1);
  world.gain(1, "KLV", 100n * KLV);
  await process.arrivals.choose(1, true);
  for (let count = 0; count < 4; count += 1) await process.next();
  world.requests.length = 0;
  return { ...world, world, process };
}

const amounts = (told: readonly Told[]) =>
  told.map((each) => each.amounts.map(([asset, units]) => `${units} ${asset}`));

describe("what arrives at somebody's address", () => {
  it("is told once, when a second block shows it, and costs few requests", async () => {
    const { world, process, told, requests, clock } = await arrange();
    world.gain(1, "KLV", 5n * KLV);
    await process.next(1);
    expect(told).toEqual([]);
    await process.next();
    await process.next();
    const arrived = { userId: 1, amounts: [["KLV", 5n * KLV]], more: 0, small: 0, isSilent: false };
    expect(told).toEqual([{ ...arrived, at: expect.any(Number) as number }]);
    // A mark, four tokens and the height; the height and all of that again; and one look after the block.
    expect(requests.length).toBeLessThanOrEqual(14);
    requests.length = 0;
    await process.next(1);
    await process.next();
    expect(requests.length).toBeLessThanOrEqual(2);
    await clock.advance(2 * HOUR);
    expect(told).toHaveLength(1);
    // Every ten minutes one request.
    expect(requests.length).toBeLessThanOrEqual(2 + 13);
  });

  it("isn't told if its block is undone, nor twice if it comes again in another", async () => {
    const { world, process, told } = await arrange();
    for (let count = 0; count < 5; count += 1) {
      world.gain(1, "KLV", 5n * KLV);
      await process.next(1);
      world.gain(1, "KLV", -5n * KLV);
      await process.next();
    }
    expect(told).toEqual([]);
    world.gain(1, "KLV", 5n * KLV);
    for (let count = 0; count < 5; count += 1) await process.next(1);
    expect(amounts(told)).toEqual([["5000000 KLV"]]);
  });

  it("isn't told while the chain stands still", async () => {
    const { world, process, told, clock } = await arrange();
    world.gain(1, "KLV", 5n * KLV);
    await process.next(1);
    await clock.advance(HOUR);
    expect(told).toEqual([]);
    for (let count = 0; count < 4; count += 1) await process.next();
    await clock.advance(10 * MINUTE);
    expect(told).toHaveLength(1);
  });

  it.each([true, false])("is found if the node that answered was behind; with marks: %s", async (hasMarks) => {
    const { world, process, told, clock } = await arrange();
    world.hasMarks = hasMarks;
    world.lags.set("KLV", { [addressOf(1)]: 100n * KLV });
    world.gain(1, "KLV", 5n * KLV);
    await process.next(1);
    world.lags.clear();
    await process.next();
    await process.next();
    await process.next();
    await clock.advance(10 * MINUTE);
    await world.pass(2);
    expect(amounts(told)).toEqual([["5000000 KLV"]]);
  });

  it("is found of each of its tokens if a node was behind that was asked for one of them", async () => {
    const { world, process, told } = await arrange();
    world.lags.set("KFI", { [addressOf(1)]: 0n });
    world.gain(1, "KLV", 5n * KLV);
    world.gain(1, "KFI", 7n * KLV);
    await process.next(1);
    world.lags.clear();
    for (let count = 0; count < 5; count += 1) await process.next();
    expect(amounts(told).flat().sort()).toEqual(["5000000 KLV", "7000000 KFI"]);
  });

  it.each([true, false])("isn't what a node has forgotten and learns again; with marks: %s", async (hasMarks) => {
    const { world, process, told, clock } = await arrange();
    world.hasMarks = hasMarks;
    world.gain(1, "KLV", 5n * KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(amounts(told)).toEqual([["5000000 KLV"]]);
    // It works through the past: it knows of nobody, then of what was before.
    const now = world.goBack({ block: 0, accounts: new Map() });
    for (let count = 0; count < 3; count += 1) await clock.advance(10 * MINUTE).then(() => world.pass(1));
    world.gain(1, "KLV", 90n * KLV);
    for (let count = 0; count < 3; count += 1) await clock.advance(10 * MINUTE).then(() => world.pass(1));
    world.goBack(now);
    world.gain(1, "KFI", 5n * KLV);
    for (let count = 0; count < 3; count += 1) await clock.advance(10 * MINUTE).then(() => world.pass(1));
    expect(amounts(told).slice(1)).toEqual([["5000000 KFI"]]);
  });

  it("isn't what a node doesn't know that answers for one that does", async () => {
    const { world, process, told } = await arrange();
    const { accounts } = world.goBack({ block: 10, accounts: new Map() });
    for (let count = 0; count < 4; count += 1) await process.next(1);
    world.goBack({ block: 20, accounts });
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(told).toEqual([]);
  });

  it("is told although a node once named a block that is far ahead", async () => {
    const { world, process, told, requests, clock } = await arrange();
    world.gain(1, "KLV", 5n * KLV);
    world.blockIs(10 ** 9);
    await clock.advance(10 * MINUTE);
    world.blockIs(20);
    await clock.advance(DAY + 10 * MINUTE);
    // A day of looks in turn, and at both of its ends one for each block: an hour of them, and ten minutes.
    expect(requests.length).toBeLessThan(144 + 800 + 150);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    await clock.advance(10 * MINUTE);
    expect(amounts(told)).toEqual([["5000000 KLV"]]);
  });

  it("is told of a token that the operator has listed since, of which there was none", async () => {
    const world = createArrivalsWorld();
    world.listsKfi = false;
    const before = world.start();
    await before.put(1);
    world.gain(1, "KLV", 100n * KLV);
    await before.arrivals.choose(1, true);
    for (let count = 0; count < 4; count += 1) await before.next();
    await before.stop();
    world.listsKfi = true;
    const process = world.start({}, "run 1");
    await world.clock.advance(11 * MINUTE);
    for (let count = 0; count < 4; count += 1) await process.next();
    world.gain(1, "KFI", KLV);
    await world.clock.advance(11 * MINUTE);
    await world.pass(3);
    expect(amounts(world.told)).toEqual([["1000000 KFI"]]);
    await process.stop();
  });

  it.each(["none", { answers: false }] as const)("is found in turn without a feed: %j", async (feed) => {
    const { world, told, clock } = await arrange(feed);
    world.gain(1, "KFI", KLV);
    await clock.advance(10 * MINUTE);
    await world.pass(3);
    expect(amounts(told)).toEqual([["1000000 KFI"]]);
  });

  it("adds up what comes while it is looked at, and what goes is no news", async () => {
    const { world, process, told } = await arrange();
    for (const units of [5n, 3n, -20n, 4n]) {
      world.gain(1, "KLV", units * KLV);
      await process.next(1);
    }
    for (let count = 0; count < 5; count += 1) await process.next();
    const sum = told.flatMap((each) => each.amounts).reduce((total, [, units]) => total + units, 0n);
    expect(sum).toBeGreaterThanOrEqual(4n * KLV);
    expect(sum).toBeLessThanOrEqual(12n * KLV);
  });

  it("is told with what is small, which is never told alone, and named by ID alone", async () => {
    const { world, process, told } = await arrange();
    for (let count = 0; count < 3; count += 1) {
      world.gain(1, poolless.id, 10n ** 15n);
      world.gain(1, cheap.id, 99n * KLV);
      world.gain(1, "KLV", 1n);
      await process.next(1);
      for (let more = 0; more < 3; more += 1) await process.next();
    }
    expect(told).toEqual([]);
    world.gain(1, cheap.id, 100n * KLV);
    await process.next(1);
    for (let more = 0; more < 3; more += 1) await process.next();
    expect(told).toMatchObject([{ amounts: [[cheap.id, 100n * KLV]], small: 9 }]);
  });

  it("is named if nobody knows what it is worth", async () => {
    const { world, process, told } = await arrange();
    world.hasPools = false;
    world.gain(1, poolless.id, 1n);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(amounts(told)).toEqual([["1 SPM-9Z9Z"]]);
  });
});

describe("a person's own calls", () => {
  const done = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
  const RECEIVED = 0x0efc3cn;
  const call = (fields: Partial<Intent>): Intent => ({
    ...intent({ ...swapTerms, payout: addressOf(1) }, "OK", done),
    owner: 1,
    ...fields,
  });

  it("aren't told, before or after their end is known, and what arrives with them is, exactly", async () => {
    const { world, process, told, clock } = await arrange();
    const claimed = clock.now();
    world.gain(1, "KLV", 30n * KLV - 100n * KLV);
    world.gain(1, "KFI", RECEIVED);
    await process.call(
      call({ state: "SENT", outcome: undefined as never, times: { CLAIMED: claimed, SENT: claimed } }),
    );
    for (let count = 0; count < 3; count += 1) await process.next(1);
    world.gain(1, "KFI", 7n * KLV);
    for (let count = 0; count < 3; count += 1) await process.next(1);
    expect(told).toEqual([]);
    const check = { at: clock.now(), by: "chain", finding: "arrived" } as const;
    const ended = call({ times: { CLAIMED: claimed, OK: clock.now() }, check });
    await process.store.write((tx) => tx.deleteFrom("intents").execute());
    await process.call(ended);
    for (let count = 0; count < 12; count += 1) await process.next();
    expect(amounts(told)).toEqual([["30000000 KLV", "7000000 KFI"]]);
  });

  it("cost one reading while they are in progress, whatever the feed says", async () => {
    const { world, process, requests, clock } = await arrange();
    const claimed = clock.now();
    world.gain(1, "KFI", 5n * KLV);
    await process.call(
      call({ state: "SENT", outcome: undefined as never, times: { CLAIMED: claimed, SENT: claimed } }),
    );
    while (clock.now() < claimed + 9 * MINUTE) await process.next(1);
    expect(requests.filter((each) => each.startsWith("balance"))).toHaveLength(4);
  });

  it("and what the network took for them are known to have gone: what arrives beside them is told whole", async () => {
    const { world, process, told, clock } = await arrange();
    const transaction = walletTransaction(placeAt("OK"), {
      hash: "ab".repeat(32),
      networkFee: amountOf(klv, 5n * KLV),
    });
    const ended = call({ times: { CLAIMED: clock.now(), OK: clock.now() }, transaction });
    world.gain(1, "KLV", 50n * KLV - swapTerms.amountIn.units - 5n * KLV);
    await process.call(ended);
    for (let count = 0; count < 12; count += 1) await process.next(1);
    expect(amounts(told)).toEqual([["50000000 KLV"]]);
  });

  it("hold nothing back for longer than ten minutes, and explain nothing then", async () => {
    const { world, process, told, clock } = await arrange();
    const claimed = clock.now();
    world.gain(1, "KFI", 5n * KLV);
    await process.call(
      call({ state: "SENT", outcome: undefined as never, times: { CLAIMED: claimed, SENT: claimed } }),
    );
    await process.next(1);
    while (clock.now() < claimed + 9 * MINUTE) await process.next();
    expect(told).toEqual([]);
    while (clock.now() < claimed + 11 * MINUTE) await process.next();
    expect(amounts(told)).toEqual([["5000000 KFI"]]);
    await process.store.write((tx) => tx.deleteFrom("intents").execute());
    await process.call(call({ times: { CLAIMED: claimed, OK: clock.now() } }));
    world.gain(1, "KFI", RECEIVED + KLV);
    for (let count = 0; count < 12; count += 1) await process.next(1);
    // It isn't known whether that was the call: nothing that may be somebody's payment goes untold.
    expect(amounts(told).slice(1)).toEqual([[`${RECEIVED + KLV} KFI`]]);
  });
});

describe("a person's own calls, when the clock is set back", () => {
  const done = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
  const swapped = (times: Intent["times"]): Intent => ({
    ...intent({ ...swapTerms, payout: addressOf(1) }, "OK", done),
    owner: 1,
    times,
  });

  it("hold back nothing for longer than ten minutes", async () => {
    const { world, process, told, clock } = await arrange();
    await process.call(swapped({ CLAIMED: clock.now(), OK: clock.now() }));
    clock.step(-DAY);
    world.gain(1, "KLV", 5n * KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    await clock.advance(20 * MINUTE);
    expect(amounts(told)).toEqual([["5000000 KLV"]]);
  });

  it("aren't told if they come after that", async () => {
    const { world, process, told, clock } = await arrange();
    clock.step(-HOUR);
    await clock.advance(MINUTE);
    world.gain(1, "KFI", 0x0efc3cn);
    await process.call(swapped({ CLAIMED: clock.now(), OK: clock.now() }));
    for (let count = 0; count < 12; count += 1) await process.next(1);
    expect(told).toEqual([]);
  });
});

describe("messages about what arrives", () => {
  it("are six at once and then one an hour, with everything since, and the sixth says so", async () => {
    const { world, process, told, clock } = await arrange();
    let sent = 0n;
    const until = clock.now() + DAY;
    while (clock.now() < until) {
      world.gain(1, "KLV", KLV);
      sent += KLV;
      await process.next(1);
      if (told.length > 6) await clock.advance(5 * MINUTE - BLOCK);
    }
    expect(told.length).toBeLessThanOrEqual(30);
    expect(told.slice(0, 6).map(({ nextAt }) => nextAt !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(told.slice(6).every(({ nextAt }) => nextAt !== undefined)).toBe(true);
    await clock.advance(3 * HOUR);
    await world.pass(3);
    const sum = told.flatMap((each) => each.amounts).reduce((total, [, units]) => total + units, 0n);
    expect(sum).toBe(sent);
  });

  it("come once through kills at any moment", async () => {
    const world = createArrivalsWorld();
    let [runs, process] = [0, world.start()];
    await process.put(1);
    world.gain(1, "KLV", 100n * KLV);
    await process.arrivals.choose(1, true);
    for (let count = 0; count < 4; count += 1) await process.next();
    for (let count = 0; count < 60; count += 1) {
      if (count % 12 === 0) world.gain(1, "KFI", KLV);
      // At another moment each time.
      await world.clock.advance((count * 337) % 900);
      process.kill();
      process = world.start({}, `run ${(runs += 1)}`);
      for (let more = 0; more < 3; more += 1) await process.next(1);
    }
    for (let count = 0; count < 5; count += 1) await process.next();
    await world.clock.advance(20 * MINUTE);
    expect(amounts(world.told)).toEqual(Array.from({ length: 5 }, () => ["1000000 KFI"]));
  });

  it("come once if the bot dies when Telegram has just taken one", async () => {
    const { world, process, told } = await arrange();
    world.telegram = async () => process.kill();
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(told).toHaveLength(1);
    world.telegram = async () => undefined;
    const next = world.start({}, "run 1");
    for (let count = 0; count < 30; count += 1) await next.next(1);
    expect(told).toHaveLength(1);
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 4; count += 1) await next.next(1);
    expect(told).toHaveLength(2);
  });

  it("are silent in quiet hours", async () => {
    const { world, process, told } = await arrange();
    await process.change(1, { alerts: { modes: {}, quiet: { from: "11:00", to: "13:00" } } });
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(told.map(({ isSilent }) => isSilent)).toEqual([true]);
  });

  it("stop at somebody who can't be reached, and say all that came once they are back", async () => {
    const { world, process, told, requests, clock } = await arrange();
    world.telegram = async () => {
      throw telegramError(403, "Forbidden: bot was blocked by the user");
    };
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 6; count += 1) await process.next(1);
    world.gain(1, "KFI", KLV);
    requests.length = 0;
    for (let count = 0; count < 6; count += 1) await process.next(1);
    await clock.advance(HOUR);
    expect(requests).toEqual([]);
    world.telegram = async () => undefined;
    await process.outbox.onUserReturned(1, { restingSince: 1 } as never);
    for (let count = 0; count < 15; count += 1) await process.next();
    expect(told.flatMap((each) => each.amounts)).toEqual([
      ["KLV", KLV],
      ["KFI", KLV],
    ]);
  });
});

it.each(["mark", "balance"])("nobody is looked at who became unreachable during a look: at its %s", async (moment) => {
  const { world, process, told, requests, clock } = await arrange();
  const { onReach } = arrivalsTopic({ clock });
  world.beforeAnswer = async (request) => {
    if (!request.startsWith(moment)) return;
    world.beforeAnswer = async () => undefined;
    await process.store.write(async (tx) => onReach?.(tx, 1, false, clock.now()));
  };
  if (moment === "balance") world.gain(1, "KLV", KLV);
  await process.next(1);
  for (let count = 0; count < 4; count += 1) await process.next(1);
  requests.length = 0;
  await clock.advance(HOUR);
  expect([told, requests]).toEqual([[], []]);
});

describe("the choice to be told", () => {
  it("follows a person's address, of which only what comes later is told", async () => {
    const { world, process, told, clock } = await arrange();
    world.gain(2, "KLV", 500n * KLV);
    await process.change(1, { wallet: { address: addressOf(2), since: clock.now() } });
    process.arrivals.look(1);
    for (let count = 0; count < 3; count += 1) await process.next();
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(told).toEqual([]);
    expect(process.node?.feed.state().watched).toBe(1);
    world.gain(2, "KLV", 2n * KLV);
    for (let count = 0; count < 4; count += 1) await process.next(2);
    expect(amounts(told)).toEqual([["2000000 KLV"]]);
  });

  it("ends when it is taken back, or with the person's record", async () => {
    const { world, process, told, requests, clock } = await arrange();
    expect(await process.arrivals.isOn(1)).toBe(true);
    await process.arrivals.choose(1, false);
    await process.next();
    expect(process.node?.feed.state().watched).toBe(0);
    requests.length = 0;
    world.gain(1, "KLV", KLV);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    await clock.advance(HOUR);
    expect([told, requests]).toEqual([[], []]);
    expect(await process.arrivals.isOn(1)).toBe(false);
    // Chosen again, what came meanwhile counts as old.
    await process.arrivals.choose(1, true);
    for (let count = 0; count < 4; count += 1) await process.next(1);
    expect(told).toEqual([]);
  });

  it("needs an address", async () => {
    const world = createArrivalsWorld();
    const process = world.start();
    await process.put(1, { wallet: undefined as never });
    await expect(process.arrivals.choose(1, true)).rejects.toMatchObject({ code: "wallet-missing" });
    await process.arrivals.choose(1, false);
  });
});

it("people whose records can't be read hold up nobody, and operators are told", async () => {
  const { world, process, told, errors } = await arrange();
  for (const id of [2, 3, 4]) {
    await process.put(id);
    await process.arrivals.choose(id, true);
  }
  for (let count = 0; count < 6; count += 1) await process.next();
  await process.store.write(async (tx) => {
    await tx.updateTable("arrival_watches").set({ seen: "{" }).where("user_id", "=", 2).execute();
    await tx.updateTable("users").set({ preferences: "{" }).where("id", "=", 3).execute();
  });
  await process.call({ ...intent(swapTerms, "OK", { kind: "ok", returnData: [] }), owner: 4, times: { CLAIMED: 1 } });
  await process.store.write((tx) =>
    tx
      .updateTable("intents")
      .set({ payout: addressOf(4), terms: "{", claimed_at: world.clock.now(), ended_at: world.clock.now() })
      .execute(),
  );
  for (const id of [1, 2, 3, 4]) world.gain(id, "KLV", KLV);
  for (let count = 0; count < 12; count += 1) await process.next(1, 2, 3, 4);
  expect(told.map(({ userId }) => userId)).toEqual([1]);
  const documents = errors.map((error) => (error as Fault<"store-unreadable">).parameters.document);
  expect([...new Set(documents)].sort()).toEqual([
    "arrival_watches/2/seen",
    "intents/4/AAAAAAAAAAAAAAAAAAAAAA",
    "users/3",
  ]);
  expect(documents.filter((document) => document.startsWith("arrival_watches"))).toHaveLength(1);
});
