import { DAY_MS, repeat } from "../../clock.js";
import type { Basics } from "../../loop.js";
import {
  countRows,
  findsAny,
  fromJson,
  readRow,
  toJson,
  type Database,
  type Reader,
  type Transaction,
} from "../../store/store.js";
import type { IssuerRights } from "../telegram/outbox.js";
import type { TellOperators } from "./incidents.js";

/** How many tokens one person may ask for within a day, those that still wait included. */
const ASKED_A_DAY = 3;
/** How many operators are told of within a day; the others wait. */
const TOLD_A_DAY = 20;
/** So that nobody can fill the disk. */
const MOST_WAITING = 1000;
/** For how long it is remembered that a token was asked for. */
const ASKED_ONCE_IN_MS = 365 * DAY_MS;

/** `waiting`: it was taken, but operators are told later. `enough`: the person has asked for as many as they may. */
export type ListingOutcome = "asked" | "waiting" | "already" | "enough" | "full";

interface ListingParts extends Basics {
  readonly store: Database;
  readonly wake: () => void;
  readonly tell: TellOperators;
  readonly isListed: (tokenId: string) => boolean;
}

/** Requests to list a token: once for all who ask. */
export interface Listings {
  readonly request: (userId: number, rights: IssuerRights) => Promise<ListingOutcome>;
  /** Tells of what waits, until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** How often there may be room for a request that waits. */
const ROOM_EVERY_MS = 60_000;

export function createListings(parts: ListingParts): Listings {
  const { store, clock, log, wake } = parts;
  const telling = (tx: Transaction) => tellOfListings(tx, clock.now(), parts);
  const look = async () => {
    if (!(await findsAny(waiting(store.db)))) return;
    await store.write(telling);
    wake();
  };
  return {
    request: async (userId: number, rights: IssuerRights) => {
      const outcome = await store.write(async (tx): Promise<ListingOutcome> => {
        const refused = await takeRequest(tx, userId, rights, clock.now());
        if (refused !== undefined) return refused;
        await telling(tx);
        const own = waiting(tx).where("token", "=", rights.sign.tokenId);
        return (await findsAny(own)) ? "waiting" : "asked";
      });
      wake();
      return outcome;
    },
    run: (signal: AbortSignal) =>
      repeat(clock, ROOM_EVERY_MS, signal, look, (err) => log.error({ err }, "Operators could not be told of tokens")),
  };
}

const requests = (db: Reader) => db.selectFrom("listing_requests");
const waiting = (db: Reader) => requests(db).where("told_at", "is", null);
const toldLately = (db: Reader, now: number) =>
  requests(db)
    .where("told_at", ">", now - DAY_MS)
    .where("told_at", "<=", now);

/** Undefined if it was taken. */
async function takeRequest(tx: Transaction, userId: number, rights: IssuerRights, now: number) {
  const token = rights.sign.tokenId;
  await tx
    .deleteFrom("listing_requests")
    .where("told_at", "<=", now - ASKED_ONCE_IN_MS)
    .execute();
  if (await findsAny(requests(tx).where("token", "=", token))) return "already";
  const own = requests(tx).where("user_id", "=", userId);
  const lately = own.where((row) =>
    row.or([row("told_at", "is", null), row.and([row("at", ">", now - DAY_MS), row("at", "<=", now)])]),
  );
  if ((await countRows(lately)) >= ASKED_A_DAY) return "enough";
  if ((await countRows(waiting(tx))) >= MOST_WAITING) return "full";
  const row = { token, user_id: userId, at: now, rights: toJson(rights), told_at: null };
  await tx.insertInto("listing_requests").values(row).execute();
  return undefined;
}

/** Tells operators of as many as a day has room for: of those first whose last was told longest ago, or never. */
async function tellOfListings(
  tx: Transaction,
  now: number,
  { tell, isListed }: Pick<ListingParts, "isListed" | "tell">,
): Promise<void> {
  for (let room = TOLD_A_DAY - (await countRows(toldLately(tx, now))); room > 0; ) {
    const row = await nextInTurn(tx);
    if (row === undefined) return;
    const { token } = row;
    if (isListed(token)) {
      await tx.deleteFrom("listing_requests").where("token", "=", token).execute();
      continue;
    }
    const rights = readRow(`listing_requests/${token}`, () => fromJson(row.rights) as IssuerRights);
    await tell(tx, `listing-${token}`, { about: "listing", rights });
    await tx.updateTable("listing_requests").set({ told_at: now }).where("token", "=", token).execute();
    room -= 1;
  }
}

function nextInTurn(tx: Transaction) {
  const rows = waiting(tx).select((row) => [
    "token",
    "rights",
    row
      .selectFrom("listing_requests as other")
      .select((other) => other.fn.coalesce(other.fn.max("other.told_at"), other.val(0)).as("told"))
      .whereRef("other.user_id", "=", "listing_requests.user_id")
      .as("turn"),
  ]);
  return rows.orderBy("turn").orderBy("at").orderBy("token").limit(1).executeTakeFirst();
}

/** Operators are told no more of what a person still waits for; what they were told of is nobody's. */
export async function forgetListings(tx: Transaction, userId: number): Promise<void> {
  const own = tx.deleteFrom("listing_requests").where("user_id", "=", userId);
  await own.where("told_at", "is", null).execute();
  await tx.updateTable("listing_requests").set({ user_id: 0 }).where("user_id", "=", userId).execute();
}
