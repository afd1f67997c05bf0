import { AsyncLocalStorage } from "node:async_hooks";
import { Fault } from "../../fault.js";
import type { Database } from "../../store/store.js";

/** Work of people that may outlast what is kept about them: it awaits services, and writes afterwards. */
export interface OwnWrites {
  /**
   * Does a person's work; whatever it starts belongs to it, and so does what is done within it by this again.
   * @throws Fault `forgotten` if it has ended before that is begun.
   */
  readonly during: <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Lets nothing more be written by a person's work of until now. Call it in the transaction that erases them.
   * @returns takes that back, if the transaction fails.
   */
  readonly end: (userId: number) => () => void;
  /** A store's `write` that throws Fault `forgotten` for work that has ended. */
  readonly guard: (write: Database["write"]) => Database["write"];
}

/** The context of a piece of work, which follows it through all that it awaits. */
interface OwnWork {
  hasEnded: boolean;
  /** How many calls of `during` it is within. */
  depth: number;
}

/** What is in progress is in memory only: a crash ends all of it. */
export function createOwnWrites(): OwnWrites {
  const current = new AsyncLocalStorage<OwnWork>();
  const underWay = new Map<number, Set<OwnWork>>();
  return {
    during: async (userId, work) => {
      const own = current.getStore() ?? { hasEnded: false, depth: 0 };
      if (own.hasEnded) throw new Fault("forgotten", {});
      const all = underWay.get(userId) ?? new Set();
      underWay.set(userId, all.add(own));
      own.depth += 1;
      try {
        return await current.run(own, work);
      } finally {
        own.depth -= 1;
        if (own.depth === 0) all.delete(own);
        if (all.size === 0) underWay.delete(userId);
      }
    },
    end: (userId) => {
      const ended = [...(underWay.get(userId) ?? [])];
      for (const work of ended) work.hasEnded = true;
      return () => {
        for (const work of ended) work.hasEnded = false;
      };
    },
    guard: (write) => (work) => {
      const own = current.getStore();
      return write((tx) => {
        if (own?.hasEnded === true) throw new Fault("forgotten", {});
        return work(tx);
      });
    },
  };
}
