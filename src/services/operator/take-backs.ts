import type { Clock } from "../../clock.js";
import { type Database, toJson } from "../../store/store.js";
import { type Person, personIn, putPerson, withChange } from "../person/person.js";

export const TAKE_BACK_MS = 60_000;
/** Of so many users; beyond them, the oldest change can't be taken back any more. */
const MAX_KEPT = 10_000;

interface TakeBackParts {
  readonly clock: Clock;
  readonly store: Database;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
}

interface RememberedChange {
  readonly id: string;
  readonly before: Person["limits"];
  /** The guards as the change left them. */
  readonly after: string;
  readonly at: number;
  readonly since: number;
}

/** Changes of limits that can still be taken back. */
export interface TakeBacks {
  /** Replaces the user's change before. @returns the id that takes this one back; undefined if no limit changed. */
  readonly keep: (userId: number, before: Person, after: Person) => string | undefined;
  /** Puts the limits back exactly as they were. @returns undefined if that is over. @throws Fault `store-…`. */
  readonly takeBack: (userId: number, id: string) => Promise<Person | undefined>;
}

/**
 * The last change of each user's limits, to be taken back within a minute by both clocks, once, while no guard has
 * changed since. Kept in memory only: a raise must wait for a day, so nothing that is restored, set back or restarted
 * may bring a limit back.
 */
export function createTakeBacks({ clock, store, newId }: TakeBackParts): TakeBacks {
  const kept = new Map<number, RememberedChange>();
  const isOver = ({ at, since }: RememberedChange): boolean => {
    const elapsed = clock.now() - at;
    return elapsed < 0 || elapsed >= TAKE_BACK_MS || clock.monotonic() - since >= TAKE_BACK_MS;
  };

  return {
    keep: (userId: number, before: Person, after: Person): string | undefined => {
      kept.delete(userId);
      // The oldest are first.
      for (const [user, one] of kept) {
        if (!isOver(one) && kept.size < MAX_KEPT) break;
        kept.delete(user);
      }
      if (limitsOf(before) === limitsOf(after)) return undefined;
      const [at, since] = [clock.now(), clock.monotonic()];
      const one = { id: newId(), before: before.limits, after: guardsOf(after), at, since };
      kept.set(userId, one);
      return one.id;
    },
    takeBack: async (userId: number, id: string): Promise<Person | undefined> => {
      const one = kept.get(userId);
      if (one === undefined || one.id !== id) return undefined;
      const person = isOver(one)
        ? undefined
        : await store.write(async (tx) => {
            const person = await personIn(tx, userId);
            if (guardsOf(person) !== one.after) return undefined;
            const { limits: _, ...others } = person;
            const back = { ...others, ...(one.before && { limits: one.before }) };
            const changed = withChange(back, "limit", clock.now());
            await putPerson(tx, userId, changed);
            return changed;
          });
      kept.delete(userId);
      return person;
    },
  };
}

const limitsOf = ({ limits = {} }: Person): string => toJson(limits);

function guardsOf({ changes, frozenSince, later, limits, phrase, slippageBps, timeZone, wallet }: Person): string {
  return toJson({ changes, frozenSince, later, limits, phrase, slippageBps, timeZone, wallet });
}
