import { tell, type RowKey } from "../outbox/outbox.js";
import type { Reader, Transaction } from "../../store/queries.js";
import { isLookedFor, type Intent } from "./intent.js";

export const CARD = "card";
export const CALL = "call";
/** What its owner learns in a message under the card, since a changed card notifies nobody. */
export type CallNews = "found" | "interrupted";

/** Who brings a change about shows it. Only where that fails, or nobody does, the outbox does it after so long. */
const GRACE_MS = 2_000;

/** What names a card in the outbox. */
export function cardOf({ owner, id }: Pick<Intent, "id" | "owner">): RowKey {
  return { user_id: owner, topic: CARD, subject: id };
}

/** Has the owner of an intent told what it has become. */
export async function tellChange(
  tx: Transaction,
  before: Intent | undefined,
  after: Intent,
  now: number,
): Promise<void> {
  const news = newsOf(before, after);
  if (news !== undefined) await tell(tx, { ...cardOf(after), topic: CALL }, news, now);
  // An interrupted call's end is shown by nobody else.
  const dueAt = news === undefined ? now + GRACE_MS : now;
  if (isOnCard(before, after)) await tell(tx, cardOf(after), null, now, dueAt);
}

function newsOf(before: Intent | undefined, { state, outcome }: Intent): CallNews | undefined {
  if (before === undefined || before.state === state) return undefined;
  if (state === "SENT") return isLookedFor(before) ? "found" : undefined;
  return state === "UNKNOWN" && outcome?.kind === "unknown" && outcome.code === "interrupted"
    ? "interrupted"
    : undefined;
}

/** Whether its card says something else now. */
function isOnCard(before: Intent | undefined, after: Intent): boolean {
  // Its message shows another card.
  if (after.replacedBy !== undefined) return false;
  // Any other new card is the answer to an update, which is handled again where it got lost.
  if (before === undefined) return after.actsFrom !== undefined;
  // Until it is answered, the card goes on saying that it is being sent.
  if (after.state === "SENT" && after.transaction === undefined) return false;
  return (
    before.state !== after.state ||
    before.messageId !== after.messageId ||
    before.balances !== after.balances ||
    before.check !== after.check ||
    before.transaction?.closing !== after.transaction?.closing ||
    before.transaction?.refusal !== after.transaction?.refusal
  );
}

/** Whether a person has not been told of everything that became of their cards. */
export async function hasUntold(db: Reader, owner: number): Promise<boolean> {
  const untold = db.selectFrom("outbox").select("subject").where("user_id", "=", owner);
  return (await untold.where("topic", "in", [CARD, CALL]).executeTakeFirst()) !== undefined;
}
