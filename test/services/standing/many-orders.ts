import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { changePerson } from "../../../src/services/person/person.js";
import { putStandingOrder, type StandingOrder } from "../../../src/services/standing/standing-queries.js";
import type { Store } from "../../../src/store/store.js";
import { writeEach } from "../../support/engine.js";
import { alice, kfi, klv } from "../samples.js";
import { createStandingWorld, DAY, standingSample } from "./standing-world.js";

interface Many {
  readonly people: number;
  readonly orders: number;
  readonly amounts: number;
  readonly now: number;
  /** A full bracket, in place of a limit. */
  readonly isExit?: boolean;
}

/** A target that no answer reaches, and a stop that none falls to. */
function bracket(all: Amount, net: Amount): StandingOrder["rule"] {
  const target = { n: 0, takes: all, pay: all, net, then: amountOf(klv, 0n) };
  const floor = { n: 1, net: amountOf(kfi, 1000n) };
  return { begins: 0, of: 2, all, left: all, targets: [target], floor, comesAtNight: false };
}

/** Stores people, and limits or exits of theirs for so many amounts, which today's price is far from; each is looked at at once. */
export async function fillStanding(
  store: Pick<Store, "write">,
  { people, orders, amounts, now, isExit }: Many,
): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const wallet = { address: alice, since: 0 };
  await writeEach(store, numbers(people), (tx, userId) =>
    changePerson(tx, userId, (person) => ({ ...person, wallet })),
  );
  await writeEach(store, numbers(orders), (tx, number) => {
    const pay = amountOf(klv, BigInt(100 + (number % amounts)) * 1_000_000n);
    const net = amountOf(kfi, BigInt(900_000_000 + number));
    const order = standingSample({
      id: `order-${number}`,
      userId: 1 + (number % people),
      request: { pay, from: klv, to: kfi },
      ...(isExit === true ? { kind: "exit", rule: bracket(pay, net) } : { kind: "limit", rule: { net } }),
      endsAt: now + 30 * DAY,
      createdAt: now,
    });
    return putStandingOrder(tx, order, now, now);
  });
}

/** A round of all prices, once everything was looked at. */
export async function measureRound({ orders, amounts, isExit = false }: Pick<Many, "amounts" | "isExit" | "orders">) {
  const world = createStandingWorld({ standingMax: orders });
  const { clock } = world;
  await fillStanding(world.disk.open(), { people: Math.ceil(orders / 10), orders, amounts, isExit, now: clock.now() });
  const { stop, store } = world.start();
  // At two requests a second, and each price every 15 seconds at most.
  const seconds = Math.max(15, amounts / 2);
  await clock.advance(4_000 * seconds);
  let writes = 0;
  store.afterWrite = async () => void (writes += 1);
  const before = { requests: world.polled.length, processor: process.cpuUsage() };
  await clock.advance(1_000 * seconds);
  const { user, system } = process.cpuUsage(before.processor);
  const result = {
    seconds,
    requests: world.polled.length - before.requests,
    writes,
    milliseconds: (user + system) / 1000,
    cards: world.cards().length,
  };
  const stopped = stop();
  await clock.advance(20_000);
  await stopped;
  return result;
}
