import { describe, expect, it } from "vitest";
import { amountOf } from "../src/encoding/amount.js";
import { clockCheck } from "../src/services/operator/clock-check.js";
import { readDca, type DcaRequest } from "../src/services/standing/dca-request.js";
import { readLimit, type PriceOrderRequest } from "../src/services/standing/standing-request.js";
import { createWorld as createPriceWorld } from "./services/alerts/price-alerts-world.js";
import { alice, kfi, klv } from "./services/samples.js";
import { createStandingWorld, DAY, HOUR, MINUTE, OWNER } from "./services/standing/standing-world.js";

const LIMIT = "100 KLV KFI for 1.05";
const BEYOND = 1_100_000n;

async function standing(everySeconds = 300) {
  const made = createStandingWorld({ everySeconds });
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const limit = (line: string) => process.standing.create(OWNER, readLimit(line, made.tokens) as PriceOrderRequest);
  const regular = (line: string) => process.standing.create(OWNER, readDca(line, made.tokens) as DcaRequest);
  const left = async () => (await process.standing.list(OWNER)).map(({ order }) => order.kind);
  return { made, process, clock: made.clock, limit, regular, left };
}

describe.each([40, 400])("a clock that is %i days ahead", (days) => {
  it.each([1, 9])("for %i minutes ends no order, and misses nothing", async (minutes) => {
    const { made, process, clock, limit, regular, left } = await standing();
    const orders = [await limit(LIMIT), await limit(`${LIMIT.replace("1.05", "1.06")} until 2027-01-20`)];
    const weekly = await regular("50 KLV KFI weekly 09:00 x52");
    await clock.advance(5 * MINUTE);
    clock.step(days * DAY);
    await clock.advance(minutes * MINUTE);
    expect(made.news()).toEqual([]);
    clock.step(-days * DAY);
    await clock.advance(20 * MINUTE);
    expect(await left()).toEqual(["limit", "limit", "dca"]);
    expect(made.news()).toEqual([]);
    const after = await Promise.all(orders.map(async ({ id }) => process.standing.find(OWNER, id)));
    expect(after.map((view) => view?.order.endsAt)).toEqual(orders.map(({ endsAt }) => endsAt));
    // The purchase of this morning came at its time, and no other counts as over.
    expect((await process.standing.find(OWNER, weekly.id))?.order).toMatchObject({ n: 1, missed: {} });
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("for good ends what goes on until a date, after ten minutes, and what was set for a time when that has passed", async () => {
    const { made, process, clock, limit, left } = await standing(86_400);
    await limit(`${LIMIT} 2d`);
    await limit(`${LIMIT.replace("1.05", "1.06")} until 2027-01-20`);
    clock.step(days * DAY);
    await clock.advance(9 * MINUTE);
    expect(await left()).toHaveLength(2);
    await clock.advance(2 * MINUTE);
    expect(await left()).toEqual(["limit"]);
    expect(made.news()).toMatchObject([{ kind: "order", view: { order: { ended: "time" } } }]);
    await clock.advance(2 * DAY - 12 * MINUTE);
    expect(await left()).toEqual(["limit"]);
    await clock.advance(2 * MINUTE);
    expect(await left()).toEqual([]);
    await process.stop();
  });

  it("ends no price alert within ten minutes, and moves those that were set for a time", async () => {
    const made = createPriceWorld({ everySeconds: 900 });
    const { alerts } = made.start();
    const set = (price: string, until: { count: number; unit: "d" } | { date: string }) =>
      alerts.set(1, { amount: amountOf(kfi, 10_000_000n), out: klv, rule: { way: "above", price }, until });
    const span = await set("120", { count: 30, unit: "d" });
    await set("121", { date: "2023-12-01" });
    made.clock.step(days * DAY);
    await made.clock.advance(9 * MINUTE);
    expect(await alerts.list(1)).toHaveLength(2);
    await made.clock.advance(2 * MINUTE);
    expect(await alerts.list(1)).toMatchObject([{ id: span.id, endsAt: span.endsAt + days * DAY }]);
    made.clock.step(-days * DAY);
    await made.clock.advance(0);
    expect(await alerts.list(1)).toMatchObject([{ id: span.id, endsAt: span.endsAt }]);
  });
});

describe("while the clock was wrong", () => {
  it("an order that was set for a time gets the whole of it once the clock is right", async () => {
    const { process, clock, limit } = await standing();
    clock.step(-40 * DAY);
    const { id } = await limit(`${LIMIT} 2d`);
    clock.step(40 * DAY);
    await clock.advance(0);
    expect((await process.standing.find(OWNER, id))?.order.endsAt).toBe(clock.now() + 2 * DAY);
    await process.stop();
  });

  it.each([-DAY, DAY])("the four hours after a card, and three a day, go on when it is set by %i ms", async (step) => {
    const { made, process, clock, limit } = await standing();
    clock.step(-step);
    await limit(LIMIT);
    made.price = () => BEYOND;
    await clock.advance(10 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    await clock.advance(20 * MINUTE);
    clock.step(step);
    await clock.advance(3 * HOUR);
    expect(made.cards()).toHaveLength(1);
    await clock.advance(HOUR);
    expect(made.cards()).toHaveLength(2);
    await clock.advance(4 * HOUR);
    expect(made.cards()).toHaveLength(3);
    // Begun at a quarter to nine: a fourth one waits for the next day, whichever the first was sent on by the wrong clock.
    await clock.advance(5 * HOUR);
    expect(made.cards()).toHaveLength(3);
    await clock.advance(3 * HOUR);
    expect(made.cards()).toHaveLength(4);
    await process.stop();
  });
});

describe("a run that begins with a clock that is 40 days ahead", () => {
  async function begun() {
    const first = await standing();
    const { made, clock, process, limit } = first;
    const order = await limit(`${LIMIT} 30d`);
    await limit(`${LIMIT.replace("1.05", "1.06")} until 2027-01-20`);
    const stopped = process.stop();
    await clock.advance(20_000);
    await stopped;
    const next = createStandingClockRun(made);
    return { ...first, order, next };
  }
  /** Starts the next run, whose clock is ahead. */
  function createStandingClockRun({ clock, start }: Awaited<ReturnType<typeof standing>>["made"]) {
    return (days: number) => {
      clock.setUnseen(days * DAY);
      clock.doubt.begin(clock.now());
      return start();
    };
  }

  it("ends nothing for ten minutes, and nothing at all if it is set right by then", async () => {
    const { made, clock, next, order } = await begun();
    const process = next(40);
    await clock.advance(1000);
    clock.doubt.compare(40 * DAY);
    await clock.advance(9 * MINUTE);
    expect(await process.standing.list(OWNER)).toHaveLength(2);
    const set = await process.standing.create(
      OWNER,
      readLimit("100 KLV KFI for 1.07 30d", made.tokens) as PriceOrderRequest,
    );
    clock.step(-40 * DAY);
    await clock.advance(20 * MINUTE);
    const left = (await process.standing.list(OWNER)).map((view) => view.order);
    expect(left).toHaveLength(3);
    // What was set before is right, and what was set meanwhile is reckoned again.
    expect(left[0]?.endsAt).toBe(order.endsAt);
    expect(left[2]?.endsAt).toBe(set.endsAt - 40 * DAY);
    expect(clock.doubt.isWrong()).toBe(false);
    await process.stop();
  });

  it("is believed after ten minutes, and operators are told", async () => {
    const { clock, next } = await begun();
    const process = next(40);
    clock.doubt.compare(40 * DAY);
    await clock.advance(9 * MINUTE);
    expect(clock.doubt.isWrong()).toBe(false);
    await clock.advance(2 * MINUTE);
    expect(await process.standing.list(OWNER)).toEqual([]);
    expect(clockCheck({ clock }).isMismatch()).toBe(true);
    clock.doubt.compare(0);
    expect(clockCheck({ clock }).isMismatch()).toBe(false);
    await process.stop();
  });

  it.each([0, 4 * MINUTE])("is believed at once if Telegram's differs by %i ms", async (ahead) => {
    const { clock, next } = await begun();
    const process = next(20);
    await clock.advance(5000);
    expect(await process.standing.list(OWNER)).toHaveLength(2);
    clock.doubt.compare(ahead);
    await clock.advance(30_000);
    expect(await process.standing.list(OWNER)).toHaveLength(1);
    await process.stop();
  });
});

it("a clock that runs a thousand times as fast is believed after an hour, and keeps nothing from going on", async () => {
  const { made, process, clock, limit, left } = await standing();
  await limit(`${LIMIT} until 2027-01-20`);
  await limit(LIMIT.replace("1.05", "1.06"));
  let seconds = 0;
  const run = async (more: number) => {
    for (let second = 0; second < more; second += 20) {
      clock.step(20 * 999_000);
      await clock.advance(20_000);
      seconds += 20;
    }
  };
  await run(3500);
  expect(await left()).toHaveLength(2);
  await run(200);
  expect(await left()).toEqual(["limit"]);
  made.price = () => BEYOND;
  await run(120);
  expect(made.cards()).toHaveLength(1);
  expect(seconds).toBe(3820);
  await process.stop();
});
