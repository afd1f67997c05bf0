import type { Transaction } from "../../store/store.js";
import { enqueue } from "../telegram/outbox.js";
import type { StandingFacts } from "./standing-facts.js";
import {
  missReasons,
  refusedFor,
  STANDING,
  type Misses,
  type MissReason,
  type StandingOrder,
} from "./standing-queries.js";

/** What holds a reached order without its owner's knowing. */
export const toldHolds = ["frozen", "trading-paused", "no-price", ...refusedFor] as const satisfies MissReason[];
export type ToldHold = (typeof toldHolds)[number];

/** For how long what one thing holds is gathered, and a service may be away before anybody is told. */
const [GATHERED_MS, AWAY_MS] = [15_000, 60_000];

const HELD = "held-";

/** What the subject of a row is about, if it is about what holds orders. */
export function holdIn(subject: string): ToldHold | undefined {
  return toldHolds.find((hold) => subject === `${HELD}${hold}`);
}

/** Whether an order's owner hasn't been told that this holds it. */
export function isUntoldHold({ held, heldTold, ended }: StandingOrder, hold: ToldHold): boolean {
  return ended === null && held === hold && !heldTold.includes(hold);
}

/** What is told of holds an order as long as that lasts, also while something else does: its next time is told again. */
export function stillTold(
  { held, heldTold }: StandingOrder,
  { person, pausedSince }: Pick<StandingFacts, "pausedSince" | "person">,
): readonly string[] {
  const isOn = { frozen: person.frozenSince !== undefined, "trading-paused": pausedSince !== undefined };
  const ofCards = toldHolds.find((hold) => hold === held && !(hold in isOn));
  return heldTold.filter((hold) => {
    if (hold in isOn) return isOn[hold as keyof typeof isOn];
    return ofCards === undefined || hold === ofCards;
  });
}

/** Has the owner told what holds an order, if they aren't yet. */
export async function enqueueHold(tx: Transaction, order: StandingOrder, now: number): Promise<void> {
  const hold = toldHolds.find((one) => isUntoldHold(order, one));
  if (hold === undefined) return;
  const key = { user_id: order.userId, topic: STANDING, subject: `${HELD}${hold}` };
  await enqueue(tx, key, null, now, {
    dueAt: now + (hold === "no-price" ? AWAY_MS : GATHERED_MS),
    mayStorm: true,
  });
}

/** What an order's owner hasn't been told of yet: of a limit or a stop, `/orders` shows it. */
export function untoldMisses({ missed, told, kind }: Pick<StandingOrder, "kind" | "missed" | "told">): Misses {
  if (kind !== "dca") return {};
  const counts = missReasons.map((reason) => [reason, (missed[reason] ?? 0) - (told[reason] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Tells the owner of what they don't know yet, but not of an order that is paused what it misses by that. */
export async function tellOfOrder(tx: Transaction, order: StandingOrder, now: number): Promise<void> {
  await enqueueHold(tx, order, now);
  const isNews = order.paused === null && Object.keys(untoldMisses(order)).length > 0;
  if (!isNews && order.ended === null) return;
  await enqueue(tx, { user_id: order.userId, topic: STANDING, subject: order.id }, null, now);
}
