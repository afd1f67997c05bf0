import { describe, expect, it } from "vitest";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { isToTake } from "../../../src/services/standing/standing-news.js";
import { occurrenceDue, standingRequest } from "../../../src/services/standing/occurrence.js";
import { readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { alice } from "../samples.js";
import { createStandingWorld, DAY, FIRST, HOUR, MINUTE, OWNER } from "./standing-world.js";

const SECOND = 1000;

async function world() {
  const made = createStandingWorld();
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const stop = () =>
    process.standing.create(OWNER, readStopLoss("100 KLV KFI for 0.9", made.tokens) as PriceOrderRequest);
  const dca = () => process.standing.create(OWNER, readDca("100 KLV KFI daily 09:00 x3", made.tokens) as DcaRequest);
  const orderOf = async (id: string) => (await process.standing.find(OWNER, id))?.order;
  return { made, process, stop, dca, orderOf, pass: (milliseconds: number) => made.clock.advance(milliseconds) };
}

describe("an order that was deleted", () => {
  it("is set again as it was within a minute, by either clock, once, and by nobody else", async () => {
    const { made, process, stop, orderOf, pass } = await world();
    const { id } = await stop();
    await pass(MINUTE);
    const before = await orderOf(id);
    await process.standing.end(OWNER, id);
    expect(await orderOf(id)).toBeUndefined();
    expect(process.standing.deleted(OWNER).map((order) => order.id)).toEqual([id]);
    expect(process.standing.deleted(7)).toEqual([]);
    await expect(process.standing.putBack(7, id)).rejects.toMatchObject({ code: "standing-over" });
    await pass(59 * SECOND);
    await process.standing.putBack(OWNER, id);
    await pass(SECOND);
    expect(await orderOf(id)).toEqual(before);
    await expect(process.standing.putBack(OWNER, id)).rejects.toMatchObject({ code: "standing-over" });
    // Its price is watched as before.
    made.price = () => 800_000n;
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(1);
    await process.standing.end(OWNER, id);
    await pass(MINUTE);
    await expect(process.standing.putBack(OWNER, id)).rejects.toMatchObject({ code: "standing-over" });
    made.price = () => 1_000_000n;
    await process.standing.end(OWNER, (await stop()).id);
    expect(process.standing.deleted(OWNER)).toHaveLength(1);
    made.clock.step(-HOUR);
    expect(process.standing.deleted(OWNER)).toEqual([]);
    await process.stop();
  });

  it("asks again what it had asked, and a purchase is made once", async () => {
    const { made, process, stop, dca, pass } = await world();
    const [{ id }, purchase] = [await stop(), await dca()];
    await pass(FIRST - DAY - made.clock.now() - MINUTE);
    made.price = () => 800_000n;
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(2);
    for (const each of [id, purchase.id]) await process.standing.end(OWNER, each);
    await pass(SECOND);
    const states = () =>
      Promise.all(made.cards().map(async (card) => (await process.intents.find(OWNER, card.id))?.state));
    expect(await states()).toEqual(["SUPERSEDED", "SUPERSEDED"]);
    for (const each of [id, purchase.id]) await process.standing.putBack(OWNER, each);
    await pass(MINUTE);
    const fresh = made.cards().slice(2);
    expect(fresh).toHaveLength(2);
    for (const card of fresh) await process.intents.confirm(OWNER, card.id);
    await pass(HOUR);
    expect(made.sent).toHaveLength(2);
    expect(made.cards()).toHaveLength(4);
    // What it did counts: it goes on with the next one.
    expect(await process.standing.find(OWNER, purchase.id)).toMatchObject({ done: 1, order: { n: 1 } });
    await process.stop();
  });

  it("stays deleted once its owner is forgotten, and while they have as many as they may", async () => {
    const { made, process, stop, pass } = await world();
    const { id } = await stop();
    await process.standing.end(OWNER, id);
    for (let count = 0; count < 20; count += 1) {
      const line = `100 KLV KFI for 0.${String(10 + count)}`;
      await process.standing.create(OWNER, readStopLoss(line, made.tokens) as PriceOrderRequest, true);
    }
    await expect(process.standing.putBack(OWNER, id)).rejects.toMatchObject({ code: "standing-full" });
    await process.store.write((tx) => tx.deleteFrom("users").execute());
    await expect(process.standing.putBack(OWNER, id)).rejects.toMatchObject({ code: "standing-over" });
    await pass(SECOND);
    await process.stop();
  });
});

it("a purchase that something holds before its card was made can be taken, and then isn't offered again", async () => {
  const { made, process, dca, pass } = await world();
  const { id } = await dca();
  await pass(FIRST - DAY - made.clock.now() + MINUTE);
  const { terms, call } = made.cards()[0] as IntentOf<"swap">;
  const quiet = { from: "08:00", to: "10:00" };
  await made.person(process, (person) => ({ ...person, alerts: { modes: {}, quiet } }));
  await pass(DAY);
  const held = (await process.standing.find(OWNER, id))!;
  expect(held).toMatchObject({ hold: "quiet", order: { card: null, n: 1 } });
  expect(isToTake(held, 1000)).toBe(true);
  const due = occurrenceDue(held.order)!;
  const taken = { terms: { ...terms, request: standingRequest(held.order, due) }, call };
  const card = await process.intents.open(OWNER, OWNER, { ...taken, expiresAt: made.clock.now() + 30_000 });
  await process.standing.noteTaken(OWNER, id, { n: due.n, card: card.id });
  await process.intents.confirm(OWNER, card.id);
  await pass(2 * HOUR);
  expect(made.sent).toHaveLength(1);
  const cards = process.store.db.selectFrom("intents").select("id").where("standing", "=", id);
  expect(await cards.execute()).toHaveLength(2);
  expect(await process.standing.find(OWNER, id)).toMatchObject({
    done: 1,
    order: { n: 2, missed: { "not-tapped": 1 } },
  });
  await process.stop();
});
