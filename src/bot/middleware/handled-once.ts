import type { Context, MiddlewareFn } from "grammy";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { personOnArrival } from "./person-on-arrival.js";

/** How many of a person's updates are remembered. Telegram repeats the latest ones only. */
const remembered = 100;

/** The person after an update was handled. */
export function withHandledUpdate(person: Person, updateId: number): Person {
  if (person.handledUpdates.includes(updateId)) return person;
  return { ...person, handledUpdates: [...person.handledUpdates, updateId].slice(-remembered) };
}

/**
 * Handles each update once, however often it is delivered. It counts as handled, durably, when its handler has ended, with or
 * without an error; one that was interrupted by a crash is handled again. Updates that come from nobody pass.
 */
export function handledOnce<C extends Context>({ store }: { store: Store }): MiddlewareFn<C> {
  const underWay = new Set<number>();
  return async function onlyOnce(ctx, next) {
    const updateId = ctx.update.update_id;
    const userId = ctx.from?.id;
    if (userId === undefined) return next();
    if (underWay.has(updateId)) return;
    underWay.add(updateId);
    try {
      const person = await personOnArrival(store, ctx);
      if (person?.handledUpdates.includes(updateId) === true) return;
      const failure = await next().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      await store.update(people, String(userId), (person) => [withHandledUpdate(person, updateId), undefined]);
      if (failure !== undefined) throw failure.error;
    } finally {
      underWay.delete(updateId);
    }
  };
}
