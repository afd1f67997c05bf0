import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { readOrder } from "../../src/services/clients/exchange.js";
import { toldOf } from "../../src/services/orders/change.js";
import { addWatch, putOrder, watchOf } from "../../src/services/orders/queries.js";
import { newlyWatched } from "../../src/services/orders/watched-order.js";
import { people } from "../../src/model/person.js";
import { testDesk, type Desk } from "../support/desk.js";
import { seededRandom } from "../support/seed.js";
import { openStored, storedRows } from "../support/stored.js";
import { orderAnswer, startExchangeStub, type ExchangeStub } from "../support/stub-exchange.js";
import { isSameState, readAlert, type ToldAlert, type ToldState } from "../support/told-alert.js";
import { until } from "../support/until.js";

const ORDERS = 50;
const PEOPLE = 20;
const WATCHERS_OF_AN_ORDER = 3;
const KILLS = 100;
/** By then a start has taken over what the one before left, however busy the machine is. */
const LONGEST_START_MILLISECONDS = 12_000;
/** So much that orders are not all over before the last kill, however long that takes. */
const QUANTITY = 10_000n;

/** An alert as Telegram took it. */
interface Accepted extends ToldAlert {
  readonly userId: number;
  /** Which start of the program sent it, counted from 0. */
  readonly life: number;
}

it("no alert is lost over many kills, and one comes twice only where a kill fell before it could be noted", async () => {
  // The same seed repeats the changes, and the moments of the kills as far as time allows.
  const random = seededRandom("kills of the built program");
  const below = (limit: number) => Math.floor(random() * limit);

  const exchange = await startExchangeStub();
  onTestFinished(() => exchange.close());
  const desk = await testDesk({
    ORDER_URL: exchange.url,
    ORDER_POLL_MIN_SECONDS: "0.05",
    ORDER_POLL_RPS: "400",
    LOG_LEVEL: "warn",
  });
  await desk.crash();
  const watches = await beginWatches(desk, exchange);

  const accepted: Accepted[] = [];
  let life = 0;
  let accept: () => void = () => undefined;
  desk.telegram.intercept = ({ method, parameters }) => {
    if (method !== "sendMessage") return undefined;
    // Telegram takes its time to answer; what it took it has.
    const delay = below(25);
    const userId = Number(parameters["chat_id"]);
    accepted.push({ ...readAlert(String(parameters["text"])), userId, life });
    accept();
    const chat = { id: userId, type: "private" };
    return { body: { ok: true, result: { message_id: accepted.length, date: 0, chat, text: "" } }, delay };
  };

  // Orders change all the time, whether or not there is a program to see it.
  const histories = new Map([...watches.keys()].map((id) => [id, [stateOf(exchange, id)]]));
  const stopped = new AbortController();
  const change = (id: string, isLast = false) => {
    const { status, quantity, filled } = exchange.order(id);
    if (status === "DONE" || status === "CANCELED") return;
    const part = isLast ? quantity - filled : BigInt(1 + below(100));
    if (random() < 0.005) exchange.cancel(id);
    else exchange.fill(id, part < quantity - filled ? part : quantity - filled, BigInt(600_000 + below(200_000)));
    histories.get(id)!.push(stateOf(exchange, id));
  };
  const ids = [...watches.keys()];
  const changing = (async () => {
    while (!stopped.signal.aborted) {
      change(ids[below(ORDERS)]!);
      await sleep(20 + below(140));
    }
  })();
  onTestFinished(() => stopped.abort());

  /** The alerts that were taken and are not noted on the disk, at the end of each life. */
  const open: Accepted[] = [];
  for (; life < KILLS; life += 1) {
    const before = accepted.length;
    desk.start();
    await moment(
      random,
      exchange,
      (hear) => (accept = hear),
      () => areNoted(desk, accepted.slice(before)),
    );
    desk.program().kill("SIGKILL");
    await desk.program().ended;
    // What the program had sent before it died may still arrive.
    await desk.telegram.hungUp();
    const taken = accepted.slice(before);
    for (const [at, alert] of taken.entries()) {
      if (await areNoted(desk, [alert])) continue;
      open.push(alert);
      const isLastOfItsChat = !taken.slice(at + 1).some(({ userId }) => userId === alert.userId);
      expect(isLastOfItsChat, `${nameOf(alert)} was not noted before the next one left`).toBe(true);
    }
  }

  // Some orders end, the others stay as they are.
  stopped.abort();
  await changing;
  for (const id of ids.slice(10)) change(id, true);
  const askedBefore = exchange.asked.length;
  desk.start();
  const lastTold = ({ userId, id }: { userId: number; id: string }) =>
    accepted.findLast((alert) => alert.userId === userId && alert.orderId === id)?.to ?? histories.get(id)![0]!;
  const untold = () => pairsOf(watches).filter((pair) => !isSameState(lastTold(pair), stateOf(exchange, pair.id)));
  await until(
    () => untold().length === 0,
    () =>
      `not told to the end: ${untold()
        .map(({ userId, id }) => `${userId} ${id}`)
        .join(", ")}`,
  );
  // An orderly end loses and doubles nothing either. A program that has not begun has nothing to bring to its end.
  await until(() => exchange.asked.length > askedBefore);
  await until(() =>
    areNoted(
      desk,
      accepted.filter((alert) => alert.life === life),
    ),
  );
  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
  const total = accepted.length;
  const asked = exchange.asked.length;
  life += 1;
  desk.start();
  const going = ids.filter((id) => ["OPEN", "PARTIALLY"].includes(exchange.order(id).status));
  // What was due at the start would have left long before each order is asked about for the third time.
  await until(() => going.every((id) => exchange.asked.slice(asked).filter((one) => one.id === id).length >= 3));
  expect(accepted).toHaveLength(total);

  const repeated: Accepted[] = [];
  for (const { userId, id } of pairsOf(watches)) {
    const told = accepted.filter((alert) => alert.userId === userId && alert.orderId === id);
    const history = histories.get(id)!;
    let sum = 0n;
    let known = history[0]!;
    for (const [index, alert] of told.entries()) {
      const previous = told[index - 1];
      if (previous !== undefined && !isSameState(alert.from, previous.to)) {
        // Then it tells once more what the one before it told, since that is not known to have been told.
        repeated.push(previous);
        sum -= previous.since;
        known = previous.from;
      }
      expect(alert.from, nameOf(alert)).toEqual(known);
      // Told is what was true, and in the order in which it became true.
      const position = (state: ToldState) => history.findIndex((one) => isSameState(one, state));
      expect(position(alert.to), nameOf(alert)).toBeGreaterThan(position(alert.from));
      sum += alert.since;
      known = alert.to;
    }
    expect(known, `${userId} ${id}`).toEqual(history.at(-1));
    expect(sum, `${userId} ${id}`).toBe(exchange.order(id).filled);
  }
  // Exactly those came twice which a kill separated from their note.
  expect(new Set(repeated.map(nameOf))).toEqual(new Set(open.map(nameOf)));
  expect(repeated).toHaveLength(open.length);
  // The test is worth nothing if no kill ever fell into that moment, or if hardly anything was told between two kills.
  expect(open.length).toBeGreaterThan(0);
  expect(accepted.length).toBeGreaterThan(pairsOf(watches).length + 2 * KILLS);
}, 600_000);

/** Writes down who watches what, as the chat does it. */
async function beginWatches(desk: Desk, exchange: ExchangeStub): Promise<ReadonlyMap<string, readonly number[]>> {
  const watches = new Map<string, readonly number[]>();
  const store = openStored(desk);
  for (let index = 0; index < ORDERS; index += 1) {
    const { id } = exchange.add(QUANTITY);
    const order = readOrder(JSON.stringify(orderAnswer(exchange.order(id))), id);
    const watchers = Array.from(
      { length: WATCHERS_OF_AN_ORDER },
      (_, place) => 1001 + ((index * WATCHERS_OF_AN_ORDER + place) % PEOPLE),
    );
    watches.set(id, watchers);
    const since = Date.now();
    await store.write(async (tx) => {
      await putOrder(tx, newlyWatched(order, since), since, undefined);
      for (const userId of watchers) await addWatch(tx, userId, id, { since, told: toldOf(order), isUntold: false });
    });
    for (const userId of watchers) {
      await store.update(people, String(userId), (person) => [{ ...person, chatId: userId }, undefined]);
    }
  }
  await store.close();
  return watches;
}

/**
 * Waits for a random moment in the life of the program: at its start, while it works, as an alert is being taken, or when
 * all that were taken are noted.
 */
async function moment(
  random: () => number,
  exchange: ExchangeStub,
  onAccept: (hear: () => void) => void,
  isAllNoted: () => Promise<boolean>,
) {
  const start = Date.now();
  const isTooLong = () => Date.now() - start > LONGEST_START_MILLISECONDS;
  const kind = random();
  const milliseconds = random() * 200;
  let alerts = Math.floor(random() * 4);
  onAccept(() => (alerts -= 1));
  const asked = exchange.asked.length;
  if (kind < 0.15) return sleep(3 * milliseconds);
  if (kind < 0.5) {
    await until(() => exchange.asked.length > asked || isTooLong());
    return sleep(milliseconds);
  }
  await until(() => alerts < 0 || isTooLong());
  if (kind < 0.94) return sleep(milliseconds / 10);
  return until(isAllNoted);
}

/** Whether the disk says of all these alerts that the person was told that, or what came after it. */
async function areNoted(desk: Desk, alerts: readonly Accepted[]): Promise<boolean> {
  for (const { userId, orderId, to } of alerts) {
    const told = (await storedRows(desk, (db) => watchOf(db, userId, orderId)))?.watcher.told;
    // A watch ends when its end was told.
    if (told === undefined) continue;
    if (progress({ status: told.status, filled: BigInt(told.filled) }) < progress(to)) return false;
  }
  return true;
}

/** It only grows in the life of an order: what is filled stays so, and after a cancellation nothing comes. */
function progress({ status, filled }: ToldState): bigint {
  return 2n * filled + (status === "CANCELED" ? 1n : 0n);
}

function stateOf(exchange: ExchangeStub, id: string): ToldState {
  const { status, filled } = exchange.order(id);
  return { status, filled };
}

function pairsOf(watches: ReadonlyMap<string, readonly number[]>) {
  return [...watches].flatMap(([id, watchers]) => watchers.map((userId) => ({ userId, id })));
}

function nameOf({ userId, orderId, from, to, life }: Accepted): string {
  return `${userId} ${orderId} ${from.status} ${from.filled} → ${to.status} ${to.filled} in life ${life}`;
}
