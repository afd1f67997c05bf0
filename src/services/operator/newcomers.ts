import type { Reader, Transaction } from "../../store/queries.js";
import { plainText } from "../text/plain.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

const DAY_MILLISECONDS = 86_400_000;
/** In a day, so that strangers fill no disk. Anyone beyond that has to ask the operator in person. */
const MOST_REQUESTS = 100;
const LONGEST_NAME = 60;

/** Who may use a bot that is not for everybody. */
export function createNewcomers(
  parts: Pick<OperatorParts, "allowed" | "clock" | "operators" | "outbox" | "store">,
  tell: TellOperators,
) {
  const { store, clock } = parts;
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isMember = async (userId: number) => (await accessOf(store.db, userId))?.access === "member";

  return {
    /** At once for those whom the configuration names. */
    isIn: (userId: number): boolean | Promise<boolean> =>
      allowed === undefined || allowed.has(userId) || isMember(userId),
    /** Whether there is a list at all, and somebody to ask. */
    canBeAsked: allowed !== undefined && parts.operators.length > 0,
    /** Asks the operators to let somebody in: once a day for each person. */
    ask: async (userId: number, name: string) => {
      const at = clock.now();
      const outcome = await store.write((tx) => request(tx, userId, at));
      if (outcome === "asked") {
        await tell(`newcomer-${userId}-${at}`, { about: "newcomer", userId, name: plainText(name, LONGEST_NAME) });
      }
      return outcome;
    },
    /** Lets a person in and tells them, or shuts them out. */
    set: async (userId: number, isIn: boolean): Promise<void> => {
      const isNew = await store.write(async (tx) => {
        const before = await accessOf(tx, userId);
        await setAccess(tx, userId, isIn ? "member" : null);
        return isIn && before?.access !== "member";
      });
      if (isNew) await parts.outbox.notify(userId, { id: "let-in", what: { kind: "let-in" } });
    },
    /** Answers a request with no; false when it was answered before. */
    decline: (userId: number): Promise<boolean> =>
      store.write(async (tx) => {
        const isOpen = (await accessOf(tx, userId))?.access === "asked";
        if (isOpen) await setAccess(tx, userId, null);
        return isOpen;
      }),
  };
}

function accessOf(db: Reader, userId: number) {
  return db.selectFrom("users").select(["access", "asked_at"]).where("id", "=", userId).executeTakeFirst();
}

async function setAccess(tx: Transaction, userId: number, access: "member" | null): Promise<void> {
  const row = tx.insertInto("users").values({ id: userId, access });
  await row.onConflict((conflict) => conflict.column("id").doUpdateSet({ access })).execute();
}

async function request(tx: Transaction, userId: number, at: number): Promise<"asked" | "already" | "full"> {
  const yesterday = at - DAY_MILLISECONDS;
  const strangers = tx.deleteFrom("users").where("asked_at", "<=", yesterday).where("language", "is", null);
  await strangers.where((of) => of.or([of("access", "is", null), of("access", "=", "asked")])).execute();
  if (((await accessOf(tx, userId))?.asked_at ?? yesterday) > yesterday) return "already";
  const today = tx.selectFrom("users").select("id").where("asked_at", ">", yesterday).limit(MOST_REQUESTS);
  if ((await today.execute()).length === MOST_REQUESTS) return "full";
  const asked = { access: "asked", asked_at: at } as const;
  const row = tx.insertInto("users").values({ id: userId, ...asked });
  await row.onConflict((conflict) => conflict.column("id").doUpdateSet(asked)).execute();
  return "asked";
}
