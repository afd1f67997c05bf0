import type { Clock } from "../../clock.js";
import type { Intent, IntentState } from "../../model/intent.js";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";

/** What one write of a person's document changed of their intents. */
export interface Counted {
  /** Intents that came to another state, and the state before; undefined for a new one. */
  readonly steps: readonly { readonly before: IntentState | undefined; readonly intent: Intent }[];
  /** Whether it is the person's first intent of the day, and their first of all. */
  readonly isFirstToday: boolean;
  readonly isFirst: boolean;
}

/** The day of a moment, as `2026-12-31` in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The same store, which reports what became of intents as soon as that is durable, so that counting needs no scan of people. */
export function countedStore(store: Store, clock: Clock, onCounted: (counted: Counted) => void): Store {
  return {
    ...store,
    update: async (collection, id, change) => {
      if (collection.name !== people.name) return store.update(collection, id, change);
      let counted: Counted | undefined;
      const result = await store.update(collection, id, (before) => {
        const [after, result] = change(before);
        const today = dayOf(clock.now());
        // By its name, the collection's documents are people.
        counted = countedOf(before as Person, after as Person, today);
        return [counted?.isFirstToday === true ? { ...after, tradedOn: today } : after, result];
      });
      if (counted !== undefined) onCounted(counted);
      return result;
    },
  };
}

function countedOf(before: Person, after: Person, today: string): Counted | undefined {
  if (after.intents === before.intents) return undefined;
  const steps = Object.values(after.intents)
    .map((intent) => ({ before: before.intents[intent.id]?.state, intent }))
    .filter((step) => step.before !== step.intent.state);
  if (steps.length === 0) return undefined;
  return { steps, isFirstToday: before.tradedOn !== today, isFirst: before.tradedOn === undefined };
}
