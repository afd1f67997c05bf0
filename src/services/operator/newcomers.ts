import type { Clock } from "../../clock.js";
import { collectionOf } from "../../store/defaults.js";
import type { Store } from "../../store/store.js";
import { withNotice } from "../alerts/notices.js";
import { changePerson } from "../people.js";
import { plainText } from "../plain-text.js";
import type { TellOperators } from "./pushes.js";

/** Somebody whom an operator let in, besides those whom the configuration names. */
interface Member {
  readonly version: 1;
  readonly isIn: boolean;
}

interface Request {
  readonly userId: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly isOpen: boolean;
}

/** Who asked to be let in since yesterday: one document, so that strangers fill no disk. */
interface Requests {
  readonly version: 1;
  readonly latest: readonly Request[];
}

const outside: Member = { version: 1, isIn: false };
const members = collectionOf("members", outside);

const none: Requests = { version: 1, latest: [] };
const requests = collectionOf("requests", none);

const ALL = "all";
const DAY_MILLISECONDS = 86_400_000;
/** In a day. Anyone beyond that has to ask the operator in person. */
const MOST_REQUESTS = 100;
const LONGEST_NAME = 60;

/** Who may use a bot that is not for everybody. */
export interface Newcomers {
  /** At once for those whom the configuration names. */
  readonly isIn: (userId: number) => boolean | Promise<boolean>;
  /** Whether there is a list at all, and somebody to ask. */
  readonly canBeAsked: boolean;
  /** Asks the operators to let somebody in: once a day for each person. */
  readonly ask: (userId: number, name: string) => Promise<"asked" | "already" | "full">;
  /** Lets a person in and tells them, or shuts them out. */
  readonly set: (userId: number, isIn: boolean) => Promise<void>;
  /** Answers a request with no; false when it was answered before. */
  readonly decline: (userId: number) => Promise<boolean>;
}

export function createNewcomers(parts: {
  /** Whom the configuration names; undefined: everybody may use the bot. */
  readonly allowed: readonly number[] | undefined;
  readonly operators: readonly number[];
  readonly store: Store;
  readonly clock: Clock;
  readonly tell: TellOperators;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
}): Newcomers {
  const { store, clock, tell } = parts;
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isMember = async (userId: number) => (await store.read(members, String(userId)))?.isIn === true;

  /** Closes a person's request; whether it was open. */
  const close = (userId: number): Promise<boolean> =>
    store.update(requests, ALL, (now) => {
      if (!now.latest.some((one) => one.userId === userId && one.isOpen)) return [now, false];
      return [
        { ...now, latest: now.latest.map((one) => (one.userId === userId ? { ...one, isOpen: false } : one)) },
        true,
      ];
    });

  return {
    isIn: (userId) => allowed === undefined || allowed.has(userId) || isMember(userId),
    canBeAsked: allowed !== undefined && parts.operators.length > 0,
    ask: async (userId, name) => {
      const at = clock.now();
      const outcome = await store.update(requests, ALL, (now): readonly [Requests, "asked" | "already" | "full"] => {
        const latest = now.latest.filter((one) => at - one.at < DAY_MILLISECONDS);
        if (latest.some((one) => one.userId === userId)) return [now, "already"];
        if (latest.length >= MOST_REQUESTS) return [now, "full"];
        return [{ ...now, latest: [...latest, { userId, at, isOpen: true }] }, "asked"];
      });
      if (outcome === "asked") {
        await tell(`newcomer-${userId}-${at}`, { about: "newcomer", userId, name: plainText(name, LONGEST_NAME) });
      }
      return outcome;
    },
    set: async (userId, isIn) => {
      await close(userId);
      const isNew = await store.update(members, String(userId), (now) =>
        now.isIn === isIn ? [now, false] : [{ ...now, isIn }, true],
      );
      if (!isNew || !isIn) return;
      const notice = { id: "let-in", at: clock.now(), what: { kind: "let-in" } } as const;
      await changePerson(store, userId, (person) => withNotice(person, notice));
      parts.noticed(userId);
    },
    decline: close,
  };
}
