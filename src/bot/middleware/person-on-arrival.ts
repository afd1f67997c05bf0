import type { Context } from "grammy";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";

const arrival = Symbol("the person on arrival");

/** The context itself remembers, since a WeakMap with an entry for each update costs the garbage collector more than all else. */
interface Arriving extends Pick<Context, "from"> {
  [arrival]?: Promise<Person | undefined> | undefined;
}

/**
 * The sender's document as it was when the update's turn came, undefined for somebody new; it is read once for each update. What
 * handlers change afterwards is not in it.
 */
export function personOnArrival(store: Store, ctx: Arriving): Promise<Person | undefined> {
  if (ctx.from === undefined) return Promise.resolve(undefined);
  return (ctx[arrival] ??= store.read(people, String(ctx.from.id)));
}
