import { expect, it } from "vitest";
import { isFinal, type Order } from "../../../src/model/order.js";
import { watchOf } from "../../../src/services/orders/queries.js";
import { seededRandom } from "../../support/seed.js";
import { createWorld, order, orderId, type Process, type World } from "./desk.js";

const ORDERS = 50;
const PEOPLE = 20;
const KILLS = 100;

const random = seededRandom("kills between the steps of alerts");
const below = (limit: number): number => Math.floor(random() * limit);
const userOf = (index: number): number => 1001 + index;

/** The next step of an order's life. */
function moved(before: Order): Order {
  if (random() < 0.05) return { ...before, status: "CANCELED" };
  const filled = Number(before.filled) + 1 + below(30);
  return filled >= 100
    ? { ...before, status: "DONE", filled: "100" }
    : { ...before, status: "PARTIALLY", filled: String(filled), averagePrice: `0.00${670 + below(20)}` };
}

const stateOf = (state: Pick<Order, "status" | "filled">): string => `${state.status} ${state.filled}`;

/** What Telegram has taken, for each person and order, in order. */
function arrivedBy(world: World): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { chatId, alert } of world.arrived) {
    if (alert.about !== "change") continue;
    const key = `${chatId} ${alert.change.order.id}`;
    found.set(key, [...(found.get(key) ?? []), stateOf(alert.change.order)]);
  }
  return found;
}

/** Person and order for which the last message is not noted in the store: a kill came between. */
async function acceptedButNotNoted(world: World, run: Process): Promise<string[]> {
  const open: string[] = [];
  for (const [key, states] of arrivedBy(world)) {
    const [userId = "", id = ""] = key.split(" ");
    const told = (await watchOf(run.store.db, Number(userId), id))?.watcher.told;
    if (told !== undefined && stateOf(told) !== states.at(-1)) open.push(`${key} ${states.at(-1) ?? ""}`);
  }
  return open;
}

it("loses no alert over a hundred kills, and doubles only what a kill separated from its note", async () => {
  const world = createWorld({ requestsPerSecond: 25 });
  // So slow that some kills fall between Telegram's acceptance and our note of it.
  world.telegramMilliseconds = 400;
  const history = new Map<string, string[]>();
  for (let number = 1; number <= ORDERS; number += 1) {
    world.exchange.set(orderId(number), order({ id: orderId(number) }));
    history.set(orderId(number), ["OPEN 0"]);
  }
  const pairs = new Set<string>();
  const mayDouble = new Map<string, number>();

  let run = world.run();
  await run.start();
  for (let index = 0; index < 150; index += 1) {
    const [userId, id] = [userOf(below(PEOPLE)), orderId(1 + below(ORDERS))];
    await run.orders.watch(userId, order({ id }));
    pairs.add(`${userId} ${id}`);
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let change = 0; change < 3; change += 1) {
      const id = orderId(1 + below(ORDERS));
      const before = world.exchange.get(id)!;
      if (isFinal(before)) continue;
      const after = moved(before);
      world.exchange.set(id, after);
      history.get(id)!.push(stateOf(after));
      await world.clock.advance(below(1500));
    }
    await world.clock.advance(below(4000));
    run.kill();
    run = world.run();
    for (const open of await acceptedButNotNoted(world, run)) mayDouble.set(open, (mayDouble.get(open) ?? 0) + 1);
    await run.start();
  }
  for (const [id, last] of world.exchange) {
    if (isFinal(last)) continue;
    world.exchange.set(id, { ...last, status: "DONE", filled: "100" });
    history.get(id)!.push("DONE 100");
  }
  await world.clock.advance(600_000);

  const arrived = arrivedBy(world);
  expect([...arrived.keys()].sort()).toEqual([...pairs].sort());
  let doubled = 0;
  for (const [key, states] of arrived) {
    const lived = history.get(key.split(" ")[1]!)!;
    // Told in the order in which it happened, and to the end. What waited together came together.
    const positions = states.map((state) => lived.indexOf(state));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
    expect(states.at(-1)).toBe(lived.at(-1));
    for (const [index, state] of states.entries()) {
      if (index === 0 || states[index - 1] !== state) continue;
      doubled += 1;
      expect(mayDouble.get(`${key} ${state}`), `${key} ${state} came twice`).toBeGreaterThan(0);
    }
  }
  expect(doubled).toBeLessThanOrEqual([...mayDouble.values()].reduce((sum, count) => sum + count, 0));
  // The test is worth nothing if no kill ever fell into that moment.
  expect(mayDouble.size).toBeGreaterThan(0);
});
