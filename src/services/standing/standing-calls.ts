import type { Reader } from "../../store/store.js";
import { isDone, isResolved, isSigned, isUnresolved, type Intent, type SignedIntent } from "../intent/intent.js";
import { intentOf } from "../intent/intent-row.js";
import { isOnChain, isUnderWay } from "../intent/machine.js";
import { MAX_CARD_MS } from "../intent/trade-kind.js";
import { standingIn } from "../terms/terms.js";

/** What an order's calls have come to. */
export interface StandingCalls {
  /** One may be executed, or its outcome isn't known. */
  readonly isUnderWay: boolean;
  /** Numbers of the occurrences that were executed; null for an order without. */
  readonly done: readonly (number | null)[];
  /** Those that certainly traded nothing, but that their owner didn't decline. */
  readonly failed: readonly FailedCall[];
  /** Signed transactions that aren't known to be on the chain, however they ended. */
  readonly signed: readonly SignedIntent[];
}

/** `at`: when it ended. `isGone`: its price wasn't there any more at the tap. */
interface FailedCall {
  readonly n: number | null;
  readonly at: number;
  readonly isGone: boolean;
}

/** @param but an intent that is left out. */
export async function standingCalls(db: Reader, id: string, but = ""): Promise<StandingCalls> {
  const all = db.selectFrom("intents").where("standing", "=", id).where("id", "<>", but);
  const ok = await all.select("occurrence").where("state", "=", "OK").execute();
  const others = all.selectAll().where("state", "<>", "OK").where("claimed_at", "is not", null);
  const calls = (await others.execute()).map(intentOf);
  return {
    isUnderWay: calls.some((call) => isUnderWay(call.state) || (isUnresolved(call) && !isLost(call))),
    done: [...ok.map(({ occurrence }) => occurrence), ...calls.filter(isDone).map(occurrenceOf)],
    failed: calls.flatMap((call) => failedCallOf(call) ?? []),
    signed: calls.filter(isSigned).filter((call) => !isOnChain(call)),
  };
}

/** Whether it was open when the data was kept that was restored: its order is held until its owner says what happened. */
const isLost = ({ outcome }: Intent) => outcome?.kind === "unknown" && outcome.code === "restored";

/** Ids of an order's calls that were confirmed and that the network may not have yet. */
export async function callsUnsent(db: Reader, id: string): Promise<readonly string[]> {
  const own = db.selectFrom("intents").select("id").where("standing", "=", id);
  return (await own.where("state", "in", ["SIGNING", "SENT"]).execute()).map((row) => row.id);
}

/** Ids of an order's open cards. */
export async function openCards(db: Reader, id: string): Promise<readonly string[]> {
  const own = db.selectFrom("intents").select("id").where("standing", "=", id);
  return (await own.where("state", "=", "QUOTED").execute()).map((row) => row.id);
}

function failedCallOf(call: Intent): FailedCall | undefined {
  const { outcome, state, times } = call;
  const isRefused = state === "FAILED" || (state === "UNKNOWN" && isResolved(call));
  const code = outcome !== undefined && "code" in outcome ? outcome.code : undefined;
  if (!isRefused || isDone(call) || code === "signing-declined") return undefined;
  return { n: occurrenceOf(call), at: times[state] ?? 0, isGone: code === "standing-price-back" };
}

/** The last swap of an order that was executed, as far as that is known. */
export async function lastDone(db: Reader, id: string): Promise<Intent | undefined> {
  const done = db.selectFrom("intents").selectAll().where("standing", "=", id).where("state", "=", "OK");
  const row = await done.orderBy("ended_at", "desc").limit(1).executeTakeFirst();
  return row && intentOf(row);
}

/**
 * Until when one of an order's cards can be tapped, if any can. One that is open for longer is from before the clock was
 * set. @param occurrence only those of this one.
 */
export async function openUntil(
  db: Reader,
  id: string,
  now: number,
  occurrence: number | undefined,
): Promise<number | undefined> {
  const all = db.selectFrom("intents").where("standing", "=", id).where("state", "=", "QUOTED");
  const cards = occurrence === undefined ? all : all.where("occurrence", "=", occurrence);
  const open = cards.where("expires_at", ">", now).where("expires_at", "<=", now + MAX_CARD_MS);
  const { at } = await open.select(({ fn }) => fn.max<number | null>("expires_at").as("at")).executeTakeFirstOrThrow();
  return at ?? undefined;
}

/** The number of the occurrence that a card is of; null without. */
export function occurrenceOf({ terms: { request } }: Intent): number | null {
  return standingIn(request)?.occurrence?.n ?? null;
}
