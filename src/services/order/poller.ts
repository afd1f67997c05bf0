import { createLoop } from "../../loop.js";
import type { Order } from "../clients/order.js";
import { readOrderId, type Exchange } from "../clients/exchange.js";
import { createBudget } from "./budget.js";
import { dueOrders, isPolled, nextDueAfter } from "./queries.js";
import { settle, type SettleParts } from "./settle.js";

/** An order that is being asked about: the answer, and the end of writing it down. */
interface Asked {
  readonly order: Promise<Order>;
  readonly noted: Promise<void>;
}

/** Asks the exchange about each watched order that is due, once however many watch it, and writes down what it says. */
export function createPoller(
  parts: Omit<SettleParts, "budget"> & {
    readonly exchange: Exchange;
    readonly pace: { readonly requestsPerSecond: number };
  },
) {
  const { exchange, clock, log } = parts;
  const { db } = parts.store;
  const { requestsPerSecond, maxSeconds } = parts.pace;
  const budget = createBudget({ clock, requestsPerSecond });
  const stopping = new AbortController();
  const underWay = new Map<string, Asked>();

  const loop = createLoop(
    {
      name: "orders",
      width: budget.maximumPolling,
      keyOf: (id: string) => id,
      due: (now, limit, running) => dueOrders(db, now, { limit, without: running, horizon: maxSeconds * 1000 }),
      nextAt: (now) => nextDueAfter(db, now),
      run: (id) =>
        budget.poll(async (giveBack) => {
          // Meanwhile everybody may have stopped watching it.
          if (await isPolled(db, id)) await ask(id, giveBack).noted;
          else giveBack();
        }),
    },
    parts,
  );

  /** Asks about an order, or joins in when that is under way. */
  function ask(id: string, giveBack: () => void): Asked {
    const already = underWay.get(id);
    if (already !== undefined) {
      giveBack();
      return already;
    }
    const order = exchange.order(id);
    const noted = settle({ ...parts, budget }, id, order).finally(() => {
      underWay.delete(id);
      loop.wake();
    });
    underWay.set(id, { order, noted });
    return { order, noted };
  }

  return {
    start: (): void => {
      void loop.run(stopping.signal);
    },
    /** To be called after who watches what has changed. */
    wake: loop.wake,
    /** Ends when no request is under way any more. */
    stop: async (): Promise<void> => {
      stopping.abort();
      budget.stop();
      await Promise.allSettled([...underWay.values()].map(({ noted }) => noted));
    },
    /**
     * The order as it is now, for a person who wants to see it: within the same budget of requests, half of which stays for
     * polls that are due. If it is watched, its watchers learn from this too.
     * @throws what {@link Exchange.order} throws; `service-rate-limited` at once while the exchange wants to be left alone,
     * and for too many at a time.
     */
    look: async (userId: number, text: string): Promise<Order> => {
      const id = readOrderId(text);
      if (stopping.signal.aborted) throw new Error("the poller has stopped");
      return budget.look(userId, async (giveBack) => {
        const { order, noted } = ask(id, giveBack);
        await noted.catch((err: unknown) => {
          log.error({ order: id, err }, "What a look has shown could not be written down");
        });
        return order;
      });
    },
  };
}
