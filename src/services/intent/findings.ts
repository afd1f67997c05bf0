import { changeIntent, type IntentParts } from "./change.js";
import { type Intent, type OutcomeCheck, type OutcomeFinding, withCheck } from "./intent.js";
import type { Sighting } from "./trade-kind.js";

/** Saves a check of a call's end, by the bot or by its owner. @returns the intent afterwards. */
export async function markChecked(parts: IntentParts, intent: Intent, check: OutcomeCheck): Promise<Intent> {
  // The end may not be written yet, or no longer be this one.
  const checked = (now: Intent) => (now.state === intent.state ? withCheck(now, check) : now);
  const kept = await changeIntent(parts, intent.owner, intent.id, checked);
  return kept?.state === intent.state ? kept : withCheck(intent, check);
}

/** Saves which calls views have proven. */
export async function noteArrived(parts: IntentParts, sightings: readonly Sighting[], at: number): Promise<void> {
  for (const { call, found } of sightings) {
    if (found.finding === "arrived") await markChecked(parts, call, { at, ...found });
  }
}

/** What balances, as last looked at, show of how a call ended. */
export function balancesFinding({ balances }: Intent): OutcomeFinding {
  const unclear = (why: OutcomeCheck["why"]) => ({ by: "balances", finding: "unclear", why }) as const;
  if (balances === undefined) return unclear("unknown-before");
  const { before, after, finding } = balances;
  if (Object.keys(before).length === 0) return unclear("nothing-to-read");
  if (after === undefined || !Object.keys(before).some((asset) => asset in after)) return unclear("unknown-now");
  if (finding === undefined) return unclear("other-calls");
  return finding === "unclear" ? unclear("other") : { by: "balances", finding };
}
