import type { Context, MiddlewareFn } from "grammy";
import type { Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { personOnArrival } from "./person-on-arrival.js";

/** How many of a person's updates are remembered. */
const MAX_REMEMBERED = 100;

/** The person after an update was handled. */
export function withHandledUpdate(person: Person, updateId: number): Person {
  if (person.handledUpdates.includes(updateId)) return person;
  return { ...person, handledUpdates: [...person.handledUpdates, updateId].slice(-MAX_REMEMBERED) };
}

/**
 * Handles an update that a crash interrupted once more, unless a change that must not be made twice (an answer given to a dialog) was
 * written together with its mark. Updates that come from nobody pass.
 */
export function handledOnce<C extends Context>({ store }: { store: Store }): MiddlewareFn<C> {
  return async function onlyOnce(ctx, next) {
    const person = await personOnArrival(store, ctx);
    if (person?.handledUpdates.includes(ctx.update.update_id) !== true) await next();
  };
}
