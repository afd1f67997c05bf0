import type { Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import { type Amount, NATIVE_TOKEN, parseAssetId } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { Balances } from "../chain/query-gateway.js";
import type { Intents } from "../intent/intent-service.js";
import { limitFault } from "../intent/limits.js";
import { assertCovered, type Draft, type Owner } from "../intent/trade-kind.js";
import type { EstimateFee } from "../signing/prepare.js";
import { rightsFor, type RightsReader } from "../market/token-rights.js";
import type { Request } from "../terms/terms.js";
import { flowOf, type Kinds } from "./kinds.js";

export interface DraftParts {
  readonly trades: Pick<Kinds, "draft">;
  readonly intents: Pick<Intents, "spentLately">;
  readonly balances: Pick<Balances, "known">;
  readonly rights: Pick<RightsReader, "known">;
  /** Undefined unless wallets sign. */
  readonly estimateFee: EstimateFee | undefined;
  readonly settings: Pick<Config, "callIncludesCaller" | "returnDataEncoding">;
  readonly clock: Clock;
}

/**
 * What a new card for a request says, from current figures: within the user's limits, covered by what their account
 * holds as far as that is known, and with the network fee to expect. Sends nothing. @throws Fault
 */
export async function prepareDraft(parts: DraftParts, request: Request, owner: Owner): Promise<Draft> {
  const { balances, clock, intents, settings, trades } = parts;
  const { person, userId } = owner;
  const draft = await trades.draft(request, owner);
  // Without limits, the user need not wait for two days of calls to be read; confirming reads them anyway.
  const spent = person.limits === undefined ? [] : await intents.spentLately(userId);
  const beyond = limitFault(person, draft.terms, spent, clock.now());
  if (beyond !== undefined) throw beyond;
  const { payout } = draft.terms;
  const { paid } = flowOf(draft, settings.returnDataEncoding);
  await assertSignable(parts, paid);
  const assets = paid.map(({ token }) => token.id);
  // Otherwise another account pays.
  if (settings.callIncludesCaller) assertCovered(paid, await balances.known(payout, assets));
  const estimatedFee = await parts.estimateFee?.(draft.call, payout, paid);
  return { ...draft, ...(estimatedFee && { estimatedFee }) };
}

/** The node would put royalties into a wallet's transaction, where nothing checks them. @throws Fault `royalties-unsigned`. */
export async function assertSignable(
  { estimateFee, rights }: Pick<DraftParts, "estimateFee" | "rights">,
  paid: readonly Amount[],
): Promise<void> {
  const sent = paid.map(({ token }) => parseAssetId(token.id).tokenId).filter((id) => id !== NATIVE_TOKEN);
  for (const told of estimateFee === undefined ? [] : (await rightsFor(rights, sent)).values())
    if (typeof told === "object" && told.now.royalties) throw new Fault("royalties-unsigned", { token: told.tokenId });
}
