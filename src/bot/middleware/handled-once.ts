import type { Context, MiddlewareFn } from "grammy";
import type { Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { personOnArrival } from "./person-on-arrival.js";

/** How many of a person's updates are remembered. Telegram repeats the latest ones only. */
const MAX_REMEMBERED = 100;

/** The person after an update was handled. */
export function withHandledUpdate(person: Person, updateId: number): Person {
  if (person.handledUpdates.includes(updateId)) return person;
  return { ...person, handledUpdates: [...person.handledUpdates, updateId].slice(-MAX_REMEMBERED) };
}

/** How many updates the process itself remembers at least, over all people; at most twice as many. */
const REMEMBERED_HERE = 5_000;

/**
 * Handles each update once, however often it is delivered to this process. After a crash an update that was not confirmed to
 * Telegram is handled again, unless a change that must not be made twice (an answer given to a dialog) was written together with
 * its mark; so an update that changes nothing writes nothing. Updates that come from nobody pass.
 */
export function handledOnce<C extends Context>({ store }: { store: Store }): MiddlewareFn<C> {
  /** Those under way and those handled last; and those before them, forgotten all at once, since looking for the oldest costs more. */
  let latest = new Set<number>();
  let earlier = new Set<number>();
  return function onlyOnce(ctx, next) {
    const updateId = ctx.update.update_id;
    if (ctx.from === undefined) return next();
    if (latest.has(updateId) || earlier.has(updateId)) return Promise.resolve();
    if (latest.size === REMEMBERED_HERE) [latest, earlier] = [new Set(), latest];
    latest.add(updateId);
    return personOnArrival(store, ctx).then((person) =>
      person?.handledUpdates.includes(updateId) === true ? undefined : next(),
    );
  };
}
