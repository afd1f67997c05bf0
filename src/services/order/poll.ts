import type { StoreBasics } from "../../base.js";
import { isFault } from "../../fault.js";
import { dueIds, nextDueAfter, type Transaction, readSetting, setting, writeSetting } from "../../store/store.js";
import { readOrderId, type Exchange, type Order } from "../clients/exchange.js";
import { createBudget, createPollLoop, type Budget, type Failing } from "../limits/budget.js";
import { withAnswer, withoutAnswer, type WatchedOrder } from "./change.js";
import { isPolled, orderOf, putOff, putOrder, audience } from "./queries.js";
import { z } from "zod";
import { type Notice, tellEach, type Topic } from "../outbox/outbox.js";
import type { Person } from "../person/person.js";

export interface PollParts extends StoreBasics {
  readonly exchange: Exchange;
  readonly pace: { readonly minSeconds: number; readonly maxSeconds: number; readonly requestsPerSecond: number };
  /** Shorter outages are reported to nobody. */
  readonly outageSeconds: number;
  readonly outbox: { readonly wake: () => void };
}

interface Asked {
  readonly order: Promise<Order>;
  readonly noted: Promise<void>;
}

type Step = (watched: WatchedOrder) => WatchedOrder;

/** A change this long ago makes the wait √2 times as long as one that just came. */
const QUIET_SECONDS = 60;

/** Soon after a change, as one often brings the next. Failures double it. */
export function secondsToNext(
  secondsSinceChange: number,
  failures: number,
  { minSeconds, maxSeconds }: Pick<PollParts["pace"], "maxSeconds" | "minSeconds">,
): number {
  const quiet = minSeconds * Math.sqrt(1 + Math.max(0, secondsSinceChange) / QUIET_SECONDS);
  const afterFailures = failures === 0 ? 0 : minSeconds * 2 ** Math.min(failures, 16);
  return Math.min(maxSeconds, Math.max(quiet, afterFailures));
}

/** Polls each watched order that is due, once however many watch it. */
export function createPoller(parts: PollParts) {
  const { exchange, clock, log, pace } = parts;
  const { db } = parts.store;
  const budget = createBudget({ service: "exchange", clock, requestsPerSecond: pace.requestsPerSecond });
  const stopping = new AbortController();
  const inFlight = new Map<string, Asked>();

  const loop = createPollLoop(
    { ...pace, budget, clock, log },
    {
      name: "orders",
      due: (now, limit, running) =>
        dueIds(db, "orders", { now, limit, without: running, horizon: pace.maxSeconds * 1000 }),
      nextAt: (now) => nextDueAfter(db, "orders", now),
      run: async (id) => {
        const giveBack = await budget.poll();
        // Meanwhile everybody may have stopped watching it, or the exchange have asked for a pause.
        if (budget.pause() <= 0 && (await isPolled(db, id))) await ask(id, giveBack).noted;
        else giveBack();
      },
    },
  );

  function ask(id: string, giveBack: () => void): Asked {
    const already = inFlight.get(id);
    if (already !== undefined) {
      giveBack();
      return already;
    }
    const order = exchange.order(id);
    const noted = settle(parts, budget, id, order).finally(() => {
      inFlight.delete(id);
      loop.wake();
    });
    inFlight.set(id, { order, noted });
    return { order, noted };
  }

  return {
    start: () => void loop.run(stopping.signal),
    wake: loop.wake,
    /** Within the budget; watchers learn from it too. @throws what `Exchange.order` and `Budget.look` throw. */
    look: async (userId: number, text: string): Promise<Order> => {
      const id = readOrderId(text);
      if (stopping.signal.aborted) throw new Error("the poller has stopped");
      return budget.look(userId, async (giveBack) => {
        const { order, noted } = ask(id, giveBack);
        await noted.catch((err: unknown) => log.error({ order: id, err }, "Order seen but not recorded"));
        return order;
      });
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      budget.stop();
      await Promise.allSettled([...inFlight.values()].map(({ noted }) => noted));
    },
  };
}

/** @throws what the store throws: the order is still due then, and polled again. */
async function settle(p: PollParts, budget: Budget, id: string, answer: Promise<Order>): Promise<void> {
  const answered = (step: Step): Step => {
    budget.answered();
    return step;
  };
  const step = await answer.then(
    (order) => answered((watched) => withAnswer(watched, order, p.clock.now())),
    (error: unknown) =>
      isFault(error, "order-not-found")
        ? answered((watched) => withoutAnswer(watched, p.clock.now()))
        : settleFault(p, budget, id, error),
  );
  if (!(await isPolled(p.store.db, id))) return;
  const isNews = await p.store.write(async (tx) => {
    const failing = budget.failing(p.outageSeconds);
    const isTold = await tellOfOutage(tx, failing, p.clock.now()).catch((err: unknown) => {
      if (!isFault(err, "store-unreadable")) throw err;
      p.log.error({ err }, "Outage unreadable; users are not notified");
      return false;
    });
    if (isTold) p.log.warn({ service: "exchange", failing }, "Notifying users of an outage or its end");
    return (step !== undefined && (await note(p, tx, id, step))) || isTold;
  });
  if (isNews) p.outbox.wake();
}

async function settleFault(p: PollParts, budget: Budget, id: string, error: unknown): Promise<Step | undefined> {
  if (isFault(error, "service-rate-limited")) {
    const seconds = Math.ceil(budget.limited(error.parameters.retryAfterSeconds) / 1000);
    p.log.warn({ seconds }, "Exchange limits requests");
    return undefined;
  }
  // That is about this order, or about an id that somebody made up; the exchange itself is fine.
  const isWatched = await isPolled(p.store.db, id).catch(() => true);
  if (!isFault(error, "order-refused") && (isWatched || !isAskedWrongly(error))) {
    budget.failed();
    p.log.warn({ order: id, err: error }, "Order poll failed");
  }
  return (watched) => ({ ...watched, failures: watched.failures + 1 });
}

/** @returns whether a watcher has to be told. */
async function note(p: PollParts, tx: Transaction, id: string, step: Step): Promise<boolean> {
  const now = p.clock.now();
  try {
    // Meanwhile everybody who can be reached may have stopped watching it.
    const before = (await isPolled(tx, id)) ? await orderOf(tx, id) : undefined;
    if (before === undefined) return false;
    const after = step(before);
    const seconds = secondsToNext((now - after.changedAt) / 1000, after.failures, p.pace);
    return await putOrder(tx, after, before, { now, dueAt: now + Math.round(1000 * seconds) });
  } catch (err) {
    if (!isFault(err, "store-unreadable")) throw err;
    p.log.error({ order: id, err }, "Watched order unreadable");
    await putOff(tx, id, now + Math.round(p.pace.maxSeconds * 1000));
    return false;
  }
}

function isAskedWrongly(error: unknown): boolean {
  return isFault(error, "service-status") && error.parameters.status >= 400 && error.parameters.status < 500;
}

const SERVICE = "exchange";
const BEGINNING = { topic: "outage", subject: "beginning" };
const END = { topic: "outage", subject: "end" };

const outage = setting("outage", z.object({ since: z.number(), toldAt: z.number() }).nullable(), null);

export function outageTopic<Message>(render: (what: Notice["what"], person: Person) => Message): Topic<Message> {
  return {
    name: BEGINNING.topic,
    render: async (db, { subject, payload }, person) => {
      const since = payload as number;
      const isOver = subject === BEGINNING.subject && (await readSetting(db, outage))?.since !== since;
      if (isOver) return undefined;
      const kind = subject === BEGINNING.subject ? "outage" : "return";
      return { message: render({ kind, service: SERVICE, since }, person), kind: "service" };
    },
  };
}

/** Tells every watcher once at the beginning and once at the end. @returns whether it does. */
export async function tellOfOutage(tx: Transaction, failing: Failing, now: number): Promise<boolean> {
  const last = await readSetting(tx, outage);
  if (failing?.isLong === true && last === null) {
    await writeSetting(tx, outage, { since: failing.since, toldAt: now });
    await tellEach(tx, audience(tx), BEGINNING, failing.since, now);
    return true;
  }
  if (failing !== undefined || last === null) return false;
  await writeSetting(tx, outage, null);
  // Only those who were told of the beginning, and still watch something.
  const told = audience(tx)
    .where("since", "<=", last.toldAt)
    .where((watch) =>
      watch.not(
        watch.exists(
          watch
            .selectFrom("outbox")
            .select("outbox.user_id")
            .whereRef("outbox.user_id", "=", "watches.user_id")
            .where((row) => row.and(BEGINNING)),
        ),
      ),
    );
  await tellEach(tx, told, END, last.since, now);
  return true;
}
