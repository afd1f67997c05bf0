import type { Reader, Transaction } from "../../store/store.js";
import { enqueue } from "../telegram/outbox.js";
import { ACTS_AFTER_MS, cardKey, type IntentParts } from "./change.js";
import type { Intent } from "./intent.js";
import { updateIntent } from "./intent-row.js";
import { findIntent } from "./queries.js";
import { MAX_CARD_MS } from "./trade-kind.js";

/** How long a card that nobody just asked for may wait until Telegram takes it. Its figures would be old afterwards. */
export const UNSENT_MS = 60_000;

/**
 * What became of sending a card that nobody just asked for. `begun`: an attempt begins, `not-sent`: that one has certainly
 * sent nothing, `sent`: Telegram has answered.
 */
export type CardSending =
  | { readonly kind: "begun" | "not-sent" }
  | { readonly kind: "sent"; readonly messageId?: number | undefined };

/** The card of what offers one, as long as it is open and no message shows it yet. */
export async function unsentCard(
  db: Reader,
  owner: number,
  offering: { readonly card: string | null } | undefined,
  now: number,
): Promise<Intent | undefined> {
  if (offering === undefined || offering.card === null) return undefined;
  const card = await findIntent(db, owner, offering.card);
  return card?.state === "QUOTED" && card.messageId === undefined && now < card.expiresAt ? card : undefined;
}

/**
 * Notes it, in the transaction of what else follows from it. From when it may have arrived, a card lives as long as one
 * without a price, by both clocks, and a proposal's until that is too old; one that hasn't ends {@link UNSENT_MS} after it
 * was made.
 */
export async function noteCardSending(
  parts: Pick<IntentParts, "clock" | "run">,
  tx: Transaction,
  { owner, id }: Pick<Intent, "id" | "owner">,
  sending: CardSending,
): Promise<void> {
  const before = await findIntent(tx, owner, id);
  if (before === undefined) return;
  if (sending.kind === "sent") {
    const { messageId } = sending;
    await updateIntent(tx, before, { ...living(before, parts, true), ...(messageId !== undefined && { messageId }) });
    // It was closed while it was being sent.
    if (before.state !== "QUOTED" && messageId !== undefined)
      await enqueue(tx, cardKey(before), null, parts.clock.now(), { isEdit: true });
  } else if (before.state === "QUOTED") {
    const { arrived: _arrived, ...unsent } = before;
    const after =
      sending.kind === "begun"
        ? living(before, parts, false)
        : { ...unsent, expiresAt: endOf(before, before.quotedAt, UNSENT_MS), openedAt: openedThen(before, parts) };
    await updateIntent(tx, before, after);
  }
}

function living(card: Intent, { clock, run }: Pick<IntentParts, "clock" | "run">, isSure: boolean): Intent {
  const at = clock.now();
  const life = { run, openedAt: clock.monotonic(), expiresAt: endOf(card, at), arrived: { at, isSure } };
  return { ...card, ...life, ...(card.proposed !== undefined && { actsFrom: at + ACTS_AFTER_MS }) };
}

/** When a card ends that lives from a time on. */
export function endOf({ proposed }: Pick<Intent, "proposed">, at: number, milliseconds = MAX_CARD_MS): number {
  return Math.min(at + milliseconds, proposed?.until ?? Number.POSITIVE_INFINITY);
}

/** When it was made, by the monotonic clock, as far as the other one tells. */
function openedThen({ quotedAt }: Intent, { clock }: Pick<IntentParts, "clock">): number {
  return clock.monotonic() - Math.max(0, clock.now() - quotedAt);
}
