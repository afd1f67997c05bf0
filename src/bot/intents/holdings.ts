import type { Intent } from "../../model/intent.js";
import type { Movement } from "../../model/movement.js";
import type { BotSettings } from "../context.js";
import { kinds } from "../kinds.js";

/**
 * The assets by which the person's own balances can tell what became of a call: what is paid leaves their account only where calls are
 * made in their name, and what is wanted arrives there where that is so, or where the call names them.
 */
export function movedAssets(
  intent: Intent,
  settings: Pick<BotSettings, "callIncludesCaller" | "returnDataEncoding">,
): readonly string[] {
  const { paid, wanted } = movementOf(intent, settings);
  const isCaller = settings.callIncludesCaller;
  const arrives = isCaller || intent.call.args.includes(`address:${intent.terms.payout}`);
  const watched = [...(isCaller ? paid : []), ...(wanted !== undefined && arrives ? [wanted] : [])];
  return [...new Set(watched.map(({ token }) => token.id))];
}

/** What an intent moves. */
export function movementOf(
  intent: Pick<Intent, "terms" | "outcome">,
  { returnDataEncoding }: Pick<BotSettings, "returnDataEncoding">,
): Movement {
  return kinds[intent.terms.kind].movement(intent, returnDataEncoding);
}
