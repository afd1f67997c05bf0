import { describe, expect, it } from "vitest";
import { amountOf, type Token } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { isUnresolved } from "../../../src/services/intent/intent.js";
import { soldInAll, stillFor, type ExitRule } from "../../../src/services/standing/exit-plan.js";
import type { StandingNews } from "../../../src/services/standing/standing-news.js";
import { readExit, type ExitRequest } from "../../../src/services/standing/exit-request.js";
import { leastTotalOf, referralSplit } from "../../../src/services/market/referral.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { alice, kfi, klv } from "../samples.js";
import { toldOf } from "../market/rights-samples.js";
import { createStandingWorld, HOUR, MINUTE, OWNER, type StandingProcess } from "./standing-world.js";

/** A world in which a KFI brings 100 KLV, whose owner has an address and holds 5 KFI. A price is asked for each minute. */
async function world(options: Parameters<typeof createStandingWorld>[0] = {}, tokens: readonly Token[] = [klv, kfi]) {
  const made = createStandingWorld({ everySeconds: 60, ...options });
  made.tokens = tokenListOf(tokens);
  /** KLV for a KFI, in thousandths, after the fee. */
  let price = 100_000n;
  made.price = (pay) => leastTotalOf(amountOf(klv, (pay.units * price) / 1000n), made.percentage).units;
  made.holdings = { KFI: 5_000_000n, KLV: 0n };
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const asked = (line: string) => readExit(line, made.tokens) as ExitRequest;
  const pass = (milliseconds: number) => made.clock.advance(milliseconds);
  return {
    made,
    process,
    asked,
    pass,
    sets: (line: string) => process.standing.create(OWNER, asked(line)),
    /** The price is so many KLV a KFI from now on. */
    goes: async (klvs: bigint, minutes = 2) => {
      price = klvs * 1000n;
      await pass(minutes * MINUTE);
    },
    confirms: async (card: Intent | undefined) => {
      const { intent } = (await process.intents.confirm(OWNER, card?.id ?? "")) as { intent?: Intent };
      if (made.holdings !== undefined && card?.terms.kind === "swap" && intent?.state === "OK")
        made.holdings = { ...made.holdings, KFI: (made.holdings["KFI"] ?? 0n) - card.terms.amountIn.units };
      return intent?.state;
    },
  };
}
const orderOf = async ({ standing }: StandingProcess) => (await standing.list(OWNER))[0]?.order;
/** After the fee. */
const highOf = async ({ standing }: StandingProcess, id: string) => {
  const { anchor = 0n } = (await standing.find(OWNER, id))?.floorWatch ?? {};
  return referralSplit(amountOf(klv, anchor), 1000).rest.units;
};
const paysOf = (cards: readonly Intent[]) =>
  cards.map(({ terms }) => (terms.kind === "swap" ? terms.amountIn.units : undefined));
const placeOf = (card: Intent | undefined) => card && standingIn(card.terms.request)?.occurrence?.place;

const ROYALTIES = {
  Royalties: { TransferPercentage: [{ Amount: 1n, Percentage: 100n }], TransferFixed: 3_000_000n },
};

describe("an exit", () => {
  it("asks for each target in turn, never for less than its line, and for what is left once it falls", async () => {
    const { made, process, sets, goes, confirms } = await world();
    await sets("5 KFI 33.33%@+10% 33.33%@+20% -20% paid 500");
    await goes(109n);
    expect(made.cards()).toEqual([]);
    await goes(111n);
    const [first] = made.cards();
    expect(first?.terms).toMatchObject({ amountIn: { units: 1_666_500n } });
    expect(standingIn(first!.terms.request)).toMatchObject({
      least: { units: 183_315_000n },
      occurrence: { place: 0, of: 3 },
    });
    expect(await confirms(first)).toBe("OK");
    // Of three and a third, eighty a piece, to the unit.
    await goes(81n);
    expect(made.cards()).toHaveLength(1);
    await goes(80n);
    const [, floor] = made.cards();
    expect(floor?.terms).toMatchObject({ amountIn: { units: 3_333_500n } });
    expect(standingIn(floor!.terms.request)).toMatchObject({ most: { units: 266_680_000n }, occurrence: { place: 2 } });
    expect(await confirms(floor)).toBe("OK");
    await goes(200n);
    expect(paysOf(made.cards())).toEqual([1_666_500n, 3_333_500n]);
    expect(made.news()).toMatchObject([{ view: { order: { ended: "done" } } }]);
    expect(await made.store(process, "price_watches")).toBe(0);
    await process.stop();
  });

  it("without a floor sells what its targets take, and whoever has that has no less than planned", async () => {
    const { made, process, sets, goes, confirms } = await world();
    const { rule } = await sets("5 KFI 25%@+10% 25%@+20% paid 500");
    expect(rule).toMatchObject({ all: { units: 5_000_000n }, left: { units: 2_500_000n } });
    made.holdings = { KFI: 2_500_000n, KLV: 0n };
    await goes(111n);
    const [first] = made.cards();
    expect(first?.terms).toMatchObject({ amountIn: { units: 1_250_000n } });
    expect(standingIn(first!.terms.request)).not.toHaveProperty("shrunk");
    expect(await confirms(first)).toBe("OK");
    await goes(111n);
    const left = (await orderOf(process))?.rule as ExitRule;
    expect([left.left, soldInAll(left), stillFor(left)].map(({ units }) => units)).toEqual([
      1_250_000n,
      2_500_000n,
      3_750_000n,
    ]);
    await goes(121n);
    expect(await confirms(made.cards().at(-1))).toBe("OK");
    await goes(121n);
    expect(paysOf(made.cards())).toEqual([1_250_000n, 1_250_000n]);
    const [ended] = made.news() as readonly Extract<StandingNews, { kind: "order" }>[];
    const { order } = ended!.view;
    expect([order.ended, soldInAll(order.rule as ExitRule).units]).toEqual(["done", 2_500_000n]);
    await process.stop();
  });

  it("asks one price of a bracket, and two of any other", async () => {
    const { made, process, sets, goes } = await world();
    const { id } = await sets("5 KFI +50% -20%");
    await goes(101n, 5);
    expect(new Set(made.polled.map(({ pay }) => pay.units))).toEqual(new Set([5_000_000n]));
    expect(await process.store.db.selectFrom("price_questions").selectAll().execute()).toHaveLength(1);
    await process.standing.end(OWNER, id);
    await sets("5 KFI 25%@+25% 25%@+50% 25%@+100% trail 25%");
    await goes(101n, 5);
    expect(await process.store.db.selectFrom("price_questions").selectAll().execute()).toHaveLength(2);
    await process.stop();
  });

  it("offers another part at once though a card is open, closes that, and counts for each part alone", async () => {
    const { made, process, sets, goes, confirms } = await world();
    await sets("5 KFI +10% -10%");
    for (let turn = 0; turn < 4; turn += 1) {
      await goes(111n);
      await goes(89n);
    }
    // Six within twenty minutes: three of each, the older one closed each time.
    expect(made.cards().map(placeOf)).toEqual([0, 1, 0, 1, 0, 1]);
    const states = await Promise.all(made.cards().map(({ id }) => process.intents.find(OWNER, id)));
    expect(states.map((card) => card?.state)).toEqual([...Array<string>(5).fill("SUPERSEDED"), "QUOTED"]);
    for (const old of made.cards().slice(0, 5)) expect(await confirms(old)).toBe("SUPERSEDED");
    // Turned to the target since, although it may not be asked about again today: its own card is over as well.
    await goes(111n);
    expect((await process.intents.confirm(OWNER, made.cards().at(-1)!.id)).kind).toBe("refused");
    expect(made.sent).toEqual([]);
    await process.stop();
  });

  it("sells nothing of another part before an executed one is subtracted", async () => {
    const { made, process, sets, goes } = await world();
    const { id } = await sets("5 KFI 50%@+10% -10%");
    await goes(111n);
    const [target] = made.cards();
    await goes(89n);
    const [, floor] = made.cards();
    // As if its end had just been noted, and nobody had looked at the order since.
    await process.store.write((tx) =>
      tx.updateTable("standing_orders").set({ due_at: null }).where("id", "=", id).execute(),
    );
    await process.store.write((tx) =>
      tx.updateTable("intents").set({ state: "OK", open: null }).where("id", "=", target!.id).execute(),
    );
    expect(await process.intents.confirm(OWNER, floor!.id)).toMatchObject({
      kind: "refused",
      fault: { code: "standing-busy" },
    });
    expect(made.sent).toEqual([]);
    // With another half sold, the same card would sell what isn't there any more.
    await process.store.write((tx) =>
      tx.updateTable("standing_orders").set({ due_at: 1 }).where("id", "=", id).execute(),
    );
    process.standing.wake();
    await goes(89n);
    expect((await process.intents.confirm(OWNER, floor!.id)).kind).not.toBe("ended");
    expect((await orderOf(process))?.rule).toMatchObject({ left: { units: 2_500_000n } });
    await process.stop();
  });

  it("holds the rest while a part's outcome is unknown, and goes on once its owner says that it never happened", async () => {
    const { made, process, sets, goes, pass } = await world();
    const fault = new Fault("service-timeout", { service: "node" });
    await sets("5 KFI 50%@+10% -10%");
    await goes(111n);
    made.outcome = () => ({ kind: "unknown", fault });
    await process.intents.confirm(OWNER, made.cards()[0]!.id);
    await goes(80n, 30);
    expect(made.cards()).toHaveLength(1);
    expect((await process.standing.list(OWNER))[0]).toMatchObject({ hold: "under-way" });
    const call = (await process.intents.find(OWNER, made.cards()[0]!.id))!;
    expect(isUnresolved(call)).toBe(true);
    await process.intents.markChecked(call, { at: made.clock.now(), by: "owner", finding: "not-arrived" });
    await pass(5 * MINUTE);
    expect(paysOf(made.cards())).toEqual([2_500_000n, 5_000_000n]);
    await process.stop();
  });

  it("goes on with what is held, says so, and ends once nothing is; not if balances aren't known", async () => {
    const { made, process, sets, goes, confirms } = await world();
    await sets("5 KFI 50%@+10% -10%");
    made.holdings = undefined;
    await goes(111n);
    expect(paysOf(made.cards())).toEqual([2_500_000n]);
    await goes(100n, 15);
    made.holdings = { KFI: 1_000_000n };
    await goes(89n);
    const [, less] = made.cards();
    expect(less?.terms).toMatchObject({ amountIn: { units: 1_000_000n } });
    expect(standingIn(less!.terms.request)).toMatchObject({
      most: { units: 90_000_000n },
      shrunk: { held: { units: 1_000_000n }, planned: { units: 5_000_000n } },
    });
    await goes(100n, 15);
    made.holdings = { KFI: 0n };
    await goes(89n);
    expect(made.cards()).toHaveLength(2);
    expect(made.news()).toMatchObject([{ view: { order: { ended: "empty" } } }]);
    expect(await confirms(less)).not.toBe("OK");
    // What is bought later is a new exit's.
    made.holdings = { KFI: 2_000_000n };
    await goes(50n, 30);
    expect(made.cards()).toHaveLength(2);
    await sets("max KFI +10% -10%");
    expect((await orderOf(process))?.rule).toMatchObject({ all: { units: 2_000_000n } });
    await process.stop();
  });

  it("follows the highest price, which an odd answer, a pause, a restart and taking back a deletion don't change", async () => {
    const { made, process, sets, goes, pass } = await world();
    const { id } = await sets("5 KFI trail 20%");
    await goes(150n, 5);
    await goes(300n, 1);
    await goes(140n, 5);
    const highNow = (of: StandingProcess) => highOf(of, id);
    expect([made.cards().length, await highNow(process)]).toEqual([0, 750_000_000n]);
    await process.standing.pause(OWNER, id, true);
    await goes(100n, 10);
    expect(made.cards()).toEqual([]);
    await goes(140n, 1);
    await process.standing.pause(OWNER, id, false);
    await pass(3 * MINUTE);
    expect(await highNow(process)).toBe(750_000_000n);
    await process.standing.end(OWNER, id);
    await process.standing.putBack(OWNER, id);
    await pass(3 * MINUTE);
    expect(await highNow(process)).toBe(750_000_000n);
    process.kill();
    const again = made.start();
    await goes(121n, 5);
    expect([made.cards().length, await highNow(again)]).toEqual([0, 750_000_000n]);
    await goes(119n);
    const [card] = made.cards();
    // Before the fee, four fifths of the highest answer are rounded down.
    expect(standingIn(card!.terms.request)).toMatchObject({ most: { units: 599_999_999n } });
    // It waits on from the same high, and one that is set anew begins again.
    await again.standing.edit(OWNER, id, readExit("5 KFI KLV trail 20%", made.tokens) as ExitRequest);
    await goes(119n, 3);
    expect(await highNow(again)).toBe(595_000_000n);
    await again.stop();
  });

  it("doesn't offer a trail by one odd answer either if less is held than planned", async () => {
    const { made, process, sets, goes } = await world();
    await sets("5 KFI trail 20%");
    await goes(150n, 5);
    made.holdings = { KFI: 1_000_000n };
    const { price } = made;
    made.price = (pay, out) => (made.isPolling ? price(pay, out) / 2n : price(pay, out));
    await goes(150n, 3);
    expect(made.cards()).toEqual([]);
    expect((await orderOf(process))?.rule).toMatchObject({ left: { units: 1_000_000n } });
    made.price = price;
    await goes(119n, 5);
    const [card] = made.cards();
    expect(card?.terms).toMatchObject({ amountIn: { units: 1_000_000n } });
    expect(standingIn(card!.terms.request)).toMatchObject({ most: { units: 119_999_999n } });
    await process.stop();
  });

  it("keeps the high in proportion once a part is sold", async () => {
    const { made, process, sets, goes, confirms } = await world();
    const { id } = await sets("5 KFI 50%@+20% trail 20%");
    await goes(121n, 5);
    expect(await confirms(made.cards()[0])).toBe("OK");
    await goes(110n, 5);
    expect(await highOf(process, id)).toBe(302_500_000n);
    await goes(97n);
    expect(made.cards()).toHaveLength(1);
    await goes(96n);
    expect(paysOf(made.cards())).toEqual([2_500_000n, 2_500_000n]);
    await process.stop();
  });

  it("wakes for a loss in quiet hours, and for a target in the morning; its owner can have either otherwise", async () => {
    const { made, process, sets, goes } = await world();
    await made.person(process, (person) => ({
      ...person,
      alerts: { modes: {}, quiet: { from: "08:00", to: "11:00" } },
    }));
    const { id } = await sets("5 KFI +10% -10%");
    await goes(111n);
    expect([made.cards().length, (await orderOf(process))?.held]).toEqual([0, "quiet"]);
    await goes(89n);
    expect(made.cards().map(placeOf)).toEqual([1]);
    await process.standing.targetsComeAtNight(OWNER, id, true);
    await process.standing.comeInQuietHours(OWNER, id, false);
    await goes(111n);
    expect(made.cards().map(placeOf)).toEqual([1, 0]);
    await goes(89n, 20);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("is set once for a token, and set again with new parts, of which nothing is done", async () => {
    const { made, process, sets, goes, confirms, asked } = await world();
    const { id } = await sets("5 KFI 50%@+10% -20% paid 500");
    expect((await sets("5 KFI 50%@+10% -20% paid 500")).id).toBe(id);
    await expect(sets("5 KFI +30%")).rejects.toMatchObject({ code: "exit-exists" });
    await goes(111n);
    expect(await confirms(made.cards()[0])).toBe("OK");
    await goes(100n);
    await process.standing.edit(OWNER, id, asked("2.5 KFI 50%@+10% -20% paid 250"));
    await goes(112n);
    expect(paysOf(made.cards())).toEqual([2_500_000n, 1_250_000n]);
    expect(await confirms(made.cards()[1])).toBe("OK");
    await process.stop();
  });

  it("takes what leaves the account with the royalty, and what the issuer takes of each sale on top of its lines", async () => {
    const gem: Token = { id: "GEM-5D0X", name: "GEM", precision: 6, kind: "fungible" };
    const { made, process, asked, goes, confirms } = await world({}, [klv, kfi, gem]);
    made.rights = await toldOf(ROYALTIES);
    made.holdings = { [gem.id]: 5_000_000n, KLV: 10_000_000n };
    const { order, base } = await process.standing.preview(OWNER, asked("5 GEM 50%@+10% -10%"));
    if (!("targets" in order.rule)) throw new TypeError("an exit");
    // One percent on top of 4.950496, rounded down; three KLV of each sale.
    expect([order.rule.all.units, order.request.pay.units]).toEqual([5_000_000n, 4_950_496n]);
    expect(base?.units).toBe(492_049_600n);
    expect(order.rule.targets).toMatchObject([
      { takes: { units: 2_500_000n }, pay: { units: 2_475_248n }, net: { units: 270_627_280n + 3_000_000n } },
    ]);
    expect(order.rule.floor).toMatchObject({ net: { units: 442_844_640n + 3_000_000n } });
    await process.standing.create(OWNER, asked("max GEM 50%@+10% -10%"));
    await goes(111n);
    expect(made.cards()[0]?.terms).toMatchObject({
      amountIn: { units: 2_475_248n },
      royalty: { share: { units: 24_752n } },
    });
    expect(await confirms(made.cards()[0])).toBe("OK");
    await process.stop();
  });

  it("tells its owner of what holds a reached part, and expires after its time", async () => {
    const { made, process, sets, goes, pass } = await world();
    await sets("5 KFI +10% 2h");
    await made.person(process, (person) => ({ ...person, frozenSince: 1 }));
    await goes(111n, 30);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "frozen", orders: [{ kind: "exit" }] }]);
    await made.person(process, ({ frozenSince: _since, ...person }) => person);
    await process.standing.lookAtHeldOf(OWNER);
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(1);
    await pass(2 * HOUR);
    expect(made.news().at(-1)).toMatchObject({ view: { order: { ended: "time" } } });
    await process.stop();
  });
});

describe("the figures of an exit", () => {
  it("add up to all of it for any shares", async () => {
    const { process, asked } = await world();
    for (const units of ["0.00001", "0.000101", "4.999999", "5"]) {
      for (const shares of [
        "33.33%@+10% 33.33%@+20% 33.34%@+30%",
        "10%@+10% 20%@+20% 30%@+30% 40%@+40%",
        "+10% +20% +30%",
      ]) {
        const { order } = await process.standing.preview(OWNER, asked(`${units} KFI ${shares}`));
        if (!("targets" in order.rule)) throw new TypeError("an exit");
        const sum = order.rule.targets.reduce((all, { takes }) => all + takes.units, 0n);
        expect(sum).toBe(order.rule.all.units);
      }
    }
    await expect(process.standing.preview(OWNER, asked("0.000001 KFI 50%@+10% 50%@+20%"))).rejects.toMatchObject({
      code: "amount-zero",
    });
    const { isMet } = await process.standing.preview(OWNER, asked("5 KFI 50%@+10% -20% paid 400"));
    expect(isMet).toBe(true);
    await process.stop();
  });
});
