import type { Transaction } from "../../store/store.js";
import { changeIntents, newIntent, type IntentParts } from "./change.js";
import type { Intent } from "./intent.js";
import { closedAs, isExpired } from "./machine.js";
import { findIntent } from "./queries.js";
import type { Draft } from "./trade-kind.js";

/**
 * Stores a card that nobody just asked for, and closes the one before, if that is open. @param note runs in the same
 * transaction, and has it sent. @returns undefined if it is false: then there is no card.
 */
export function offerCard(
  parts: IntentParts,
  of: Pick<Intent, "chatId" | "owner">,
  draft: Draft & Pick<Intent, "proposed">,
  before: string | null,
  note: (tx: Transaction, id: string) => Promise<boolean>,
): Promise<Intent | undefined> {
  return changeIntents(parts, async (tx, step) => {
    const fresh = newIntent(parts, of, draft, draft.proposed === undefined ? "standing" : "proposal");
    if (!(await note(tx, fresh.id))) return undefined;
    const last = before === null ? undefined : await findIntent(tx, of.owner, before);
    const end = last !== undefined && isExpired(last, parts) ? "EXPIRED" : "SUPERSEDED";
    if (last?.state === "QUOTED") await step(last, closedAs(last, end, parts));
    return step(undefined, fresh);
  });
}
