import { collectionOf } from "../../store/defaults.js";
import { withNotice } from "../alerts/notices.js";
import { plainText } from "../plain-text.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

interface Request {
  readonly userId: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly isOpen: boolean;
}

/** Whom an operator let in, besides those whom the configuration names. */
const members = collectionOf("members", { version: 1, isIn: false });
/** Who asked to be let in since yesterday: one document, so that strangers fill no disk. */
export const requests = collectionOf("requests", { version: 1, latest: [] as readonly Request[] });
const ALL = "all";
const DAY_MILLISECONDS = 86_400_000;
/** In a day. Anyone beyond that has to ask the operator in person. */
const MOST_REQUESTS = 100;
const LONGEST_NAME = 60;

/** Who may use a bot that is not for everybody. */
export function createNewcomers(
  parts: Pick<OperatorParts, "allowed" | "clock" | "notify" | "operators" | "store">,
  tell: TellOperators,
) {
  const { store, clock } = parts;
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isMember = async (userId: number) => (await store.read(members, String(userId)))?.isIn === true;

  /** Closes a person's request; whether it was open. */
  const close = (userId: number): Promise<boolean> =>
    store.update(requests, ALL, (now) => {
      const open = now.latest.find((one) => one.userId === userId && one.isOpen);
      if (open === undefined) return [now, false];
      return [{ ...now, latest: now.latest.map((one) => (one === open ? { ...one, isOpen: false } : one)) }, true];
    });

  return {
    /** At once for those whom the configuration names. */
    isIn: (userId: number): boolean | Promise<boolean> =>
      allowed === undefined || allowed.has(userId) || isMember(userId),
    /** Whether there is a list at all, and somebody to ask. */
    canBeAsked: allowed !== undefined && parts.operators.length > 0,
    /** Asks the operators to let somebody in: once a day for each person. */
    ask: async (userId: number, name: string) => {
      const at = clock.now();
      const outcome = await store.update(requests, ALL, (now) => {
        const latest = now.latest.filter((one) => at - one.at < DAY_MILLISECONDS);
        if (latest.some((one) => one.userId === userId)) return [now, "already" as const];
        if (latest.length >= MOST_REQUESTS) return [now, "full" as const];
        return [{ ...now, latest: [...latest, { userId, at, isOpen: true }] }, "asked" as const];
      });
      if (outcome === "asked") {
        await tell(`newcomer-${userId}-${at}`, { about: "newcomer", userId, name: plainText(name, LONGEST_NAME) });
      }
      return outcome;
    },
    /** Lets a person in and tells them, or shuts them out. */
    set: async (userId: number, isIn: boolean): Promise<void> => {
      await close(userId);
      const isNew = await store.update(members, String(userId), (now) =>
        now.isIn === isIn ? [now, false] : [{ ...now, isIn }, true],
      );
      if (!isNew || !isIn) return;
      await parts.notify(userId, (person) => withNotice(person, { id: "let-in", what: { kind: "let-in" } }));
    },
    /** Answers a request with no; false when it was answered before. */
    decline: close,
  };
}
