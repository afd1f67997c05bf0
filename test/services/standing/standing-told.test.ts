import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { leastTotalOf, mostTotalOf } from "../../../src/services/market/referral.js";
import { pauses } from "../../../src/services/person/pause.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { readLimit, readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { writeSetting } from "../../../src/store/store.js";
import { alice, kfi } from "../samples.js";
import { createStandingWorld, DAY, FIRST, HOUR, MINUTE, OWNER, type StandingProcess } from "./standing-world.js";

const LEAST = leastTotalOf(amountOf(kfi, 1_050_000n), 1000).units;
const MOST = mostTotalOf(amountOf(kfi, 900_000n), 1000).units;
const SECOND = 1000;
const outage = new Fault("service-timeout", { service: "quotation" });

async function world(options: Parameters<typeof createStandingWorld>[0] = {}) {
  const made = createStandingWorld(options);
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const limit = (line: string) => process.standing.create(OWNER, readLimit(line, made.tokens) as PriceOrderRequest);
  const stop = (line: string) => process.standing.create(OWNER, readStopLoss(line, made.tokens) as PriceOrderRequest);
  const freeze = (isFrozen: boolean) =>
    made.person(process, ({ frozenSince: _, ...person }) =>
      isFrozen ? { ...person, frozenSince: made.clock.now() } : person,
    );
  return { made, process, limit, stop, freeze, pass: (milliseconds: number) => made.clock.advance(milliseconds) };
}
const viewOf = async ({ standing }: StandingProcess) => (await standing.list(OWNER))[0]!;

describe("what holds reached orders", () => {
  it("is told once, in one message, and each is asked about when it ends", async () => {
    const { made, process, limit, freeze, pass } = await world();
    for (const get of ["1.05", "1.04", "1.03"]) await limit(`100 KLV KFI for ${get}`);
    await pass(MINUTE);
    await freeze(true);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "frozen", orders: [{}, {}, {}] }]);
    // To and fro over the line is the same hold.
    made.price = () => (LEAST * 90n) / 100n;
    await pass(5 * MINUTE);
    made.price = () => LEAST;
    await pass(5 * HOUR);
    expect(made.news()).toHaveLength(1);
    await freeze(false);
    await process.standing.look(OWNER);
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(3);
    await process.stop();
  });

  it("costs the crossing only if the price has gone when it ends; the next one is offered, and the next hold told", async () => {
    const { made, process, limit, freeze, pass } = await world();
    await limit("100 KLV KFI for 1.05");
    await pass(MINUTE);
    await freeze(true);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    made.price = () => LEAST - 1n;
    await freeze(false);
    await process.standing.look(OWNER);
    await pass(MINUTE);
    expect(made.cards()).toEqual([]);
    expect(await viewOf(process)).toMatchObject({ hold: undefined, order: { missed: { frozen: 1 } } });
    await freeze(true);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    expect(made.news()).toHaveLength(2);
    await freeze(false);
    await process.standing.look(OWNER);
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("takes a card away that could be tapped: it is offered again when that ends", async () => {
    const { made, process, stop, pass } = await world();
    await stop("100 KLV KFI for 0.9");
    made.price = () => MOST;
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(1);
    await process.store.write((tx) => writeSetting(tx, pauses, { since: made.clock.now(), reason: "" }));
    await pass(20 * MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "trading-paused" }]);
    await process.store.write((tx) => writeSetting(tx, pauses, null));
    await process.standing.lookAtHeld();
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("ends unseen with a process, and is seen at the next start", async () => {
    const { made, process: first, limit, freeze, pass } = await world();
    await limit("100 KLV KFI for 1.05");
    await freeze(true);
    made.price = () => LEAST;
    await pass(2 * MINUTE);
    await freeze(false);
    first.kill();
    const process = made.start();
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("may be a service: one order asks it again soon, and all come once it answers, after hours too", async () => {
    const { made, process, limit, pass } = await world();
    for (let hundredths = 100; hundredths <= 105; hundredths += 1)
      await limit(`100 KLV KFI for 1.0${hundredths - 100}5`);
    await pass(MINUTE);
    // The price is there, but can't be had for a card.
    made.price = () => {
      if (!made.isPolling) throw outage;
      return LEAST * 2n;
    };
    await pass(30 * SECOND);
    expect(made.news()).toEqual([]);
    await pass(5 * MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "no-price", orders: [{}, {}, {}, {}, {}, {}] }]);
    await pass(3 * HOUR);
    expect(made.news()).toHaveLength(1);
    const asked = made.asked.length;
    await pass(10 * MINUTE);
    expect(made.asked.length - asked).toBeLessThan(100);
    made.price = () => LEAST * 2n;
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(6);
    await process.stop();
  });

  it.each(["frozen", "deleted"])("may be a service, asked again also once who asked it is %s", async (gone) => {
    const { made, process, limit, freeze, pass } = await world();
    await limit("100 KLV KFI for 1.05");
    await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), OWNER + 1);
    await process.standing.create(OWNER + 1, readLimit("101 KLV KFI for 1.05", made.tokens) as PriceOrderRequest);
    await pass(MINUTE);
    // The first to ask is the one whose price is there first.
    let reached = 100_000_000n;
    made.price = ({ units }) => {
      if (!made.isPolling) throw outage;
      return units <= reached ? LEAST * 2n : 1_000_000n;
    };
    await pass(2 * MINUTE);
    reached = 101_000_000n;
    await pass(20 * MINUTE);
    if (gone === "frozen") await freeze(true);
    else await process.standing.end(OWNER, (await viewOf(process)).order.id);
    await pass(MINUTE);
    made.price = () => LEAST * 2n;
    await pass(15 * SECOND);
    expect(made.told.flatMap((told) => ("card" in told ? [told.userId] : []))).toEqual([OWNER + 1]);
    await process.stop();
  });

  it("is told once while it lasts, although something else holds meanwhile, and again the next time", async () => {
    const { made, process, limit, freeze, pass } = await world();
    await limit("100 KLV KFI for 1.05");
    await pass(MINUTE);
    made.price = () => {
      if (!made.isPolling) throw outage;
      return LEAST * 2n;
    };
    const frozenFor = async (time: number) => {
      await freeze(true);
      await process.standing.lookAtHeld();
      await pass(time);
      await freeze(false);
      await process.standing.lookAtHeldOf(OWNER);
      await pass(3 * MINUTE);
    };
    await pass(3 * MINUTE);
    await frozenFor(20 * MINUTE);
    await frozenFor(20 * MINUTE);
    const holds = () => made.news().map((news) => (news.kind === "held" ? news.hold : news.kind));
    expect(holds()).toEqual(["no-price", "frozen", "frozen"]);
    await process.stop();
  });

  it("keeps a purchase for its hour, is told at once, and is the reason if it is missed", async () => {
    const { made, process, freeze, pass } = await world();
    await process.standing.create(OWNER, readDca("100 KLV KFI daily 09:00 x3", made.tokens) as DcaRequest);
    await freeze(true);
    await pass(FIRST - DAY - made.clock.now() + 2 * MINUTE);
    expect(made.news()).toMatchObject([{ kind: "held", hold: "frozen", orders: [{ kind: "dca" }] }]);
    await freeze(false);
    await process.standing.look(OWNER);
    await pass(15 * SECOND);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });
});

describe("a call that was refused", () => {
  it("is asked about again at once, three times a day at most", async () => {
    const { made, process, stop, pass } = await world();
    await stop("100 KLV KFI for 0.9");
    made.price = () => MOST;
    made.outcome = () => ({ kind: "failed", text: "slippage" });
    for (let count = 1; count <= 3; count += 1) {
      await pass(MINUTE);
      expect(made.cards()).toHaveLength(count);
      expect(await process.intents.confirm(OWNER, made.cards().at(-1)!.id)).toMatchObject({
        intent: { state: "FAILED" },
      });
    }
    await pass(5 * HOUR);
    expect(made.cards()).toHaveLength(3);
    expect(await viewOf(process)).toMatchObject({ hold: "today" });
    await process.stop();
  });

  it("isn't asked about if the price has gone back since, until its next crossing", async () => {
    const { made, process, stop, pass } = await world();
    await stop("100 KLV KFI for 0.9");
    made.price = () => MOST;
    made.outcome = () => ({ kind: "failed", text: "slippage" });
    await pass(MINUTE);
    made.price = () => MOST * 2n;
    await process.intents.confirm(OWNER, made.cards()[0]!.id);
    await pass(HOUR);
    expect(made.cards()).toHaveLength(1);
    made.price = () => MOST;
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("of a purchase is asked about within its hour", async () => {
    const { made, process, pass } = await world();
    await process.standing.create(OWNER, readDca("100 KLV KFI daily 09:00 x3", made.tokens) as DcaRequest);
    await pass(FIRST - DAY - made.clock.now() + MINUTE);
    made.outcome = () => ({ kind: "failed", text: "slippage" });
    await process.intents.confirm(OWNER, made.cards()[0]!.id);
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(2);
    made.outcome = () => ({ kind: "ok", returnData: [] });
    expect(await process.intents.confirm(OWNER, made.cards()[1]!.id)).toMatchObject({ intent: { state: "OK" } });
    await pass(2 * HOUR);
    expect(made.cards()).toHaveLength(2);
    expect(await viewOf(process)).toMatchObject({ done: 1, order: { missed: {}, n: 1 } });
    await process.stop();
  });
});
