import type { Context } from "grammy";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";

const read = new WeakMap<Pick<Context, "from">, Promise<Person | undefined>>();

/**
 * The sender's document as it was when the update's turn came, undefined for somebody new; it is read once for each update. What
 * handlers change afterwards is not in it.
 */
export function personOnArrival(store: Store, ctx: Pick<Context, "from">): Promise<Person | undefined> {
  if (ctx.from === undefined) return Promise.resolve(undefined);
  let person = read.get(ctx);
  if (person === undefined) {
    person = store.read(people, String(ctx.from.id));
    read.set(ctx, person);
  }
  return person;
}
