import { within, type Clock } from "../../clock.js";
import type { Amount, Token } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import type { Basics } from "../../loop.js";
import type { IntentChange } from "../intent/change.js";
import type { Intents } from "../intent/intent-service.js";
import type { Owner } from "../intent/trade-kind.js";
import { assetOf, countPositions, POOLS_MAX_AGE_MS } from "./portfolio.js";
import type { Asset, Portfolio, PortfolioServiceParts } from "./portfolio.js";
import { noPosition } from "./positions.js";
import { saleOf } from "./sale.js";

/** Maximum number of people whose counts are kept: a count takes more than a second for the longest history. */
const MAX_COUNTED = 1000;
/** How long a card waits for a count, in milliseconds. It goes on, for the next card. */
const COUNTING_MS = 3000;

type Counted = Awaited<ReturnType<typeof countPositions>>;
/** The counts of somebody's calls up to `newest`, by the token that they are in. */
type Kept = { readonly newest: string; readonly counts: Map<string, Promise<Counted>> };

interface TokenPositionParts extends Basics, Pick<PortfolioServiceParts, "pools" | "rights" | "settings" | "swaps"> {
  readonly clock: Clock;
  readonly intents: Pick<Intents, "count" | "everything" | "newestCall">;
  readonly events: { readonly on: (name: "changed", listener: (change: IntentChange) => void) => unknown };
}

/** What a user has of a token, as their portfolio has it. */
export type TokenPosition = Asset & Pick<Portfolio, "countedIn" | "tooOld" | "uncounted" | "unknownRoyalties">;

/** Never throws a Fault: what isn't told in seconds is unknown. @param held what the account holds of it, if known. */
export type ReadTokenPosition = (
  owner: Owner,
  token: Token,
  countedIn: Token,
  held: Amount | undefined,
) => Promise<TokenPosition>;

/** Counts somebody's history again only once a call in it has changed. */
export function createTokenPosition(parts: TokenPositionParts): ReadTokenPosition {
  const { clock, intents, log, pools } = parts;
  /** By owner, the least recently asked for first. */
  const kept = new Map<number, Kept>();
  parts.events.on("changed", ({ after }) => {
    if (after.times.CLAIMED !== undefined) kept.delete(after.owner);
  });

  const countedOf = async (owner: number, countedIn: Token): Promise<Counted | undefined> => {
    // Nothing announces that a history was deleted.
    const newest = await intents.newestCall(owner);
    const before = kept.get(owner);
    kept.delete(owner);
    if (newest === undefined) return undefined;
    const own = before?.newest === newest ? before : { newest, counts: new Map<string, Promise<Counted>>() };
    kept.set(owner, own);
    for (const [oldest] of kept) if (kept.size > MAX_COUNTED) kept.delete(oldest);
    const count = own.counts.get(countedIn.id) ?? countPositions(parts, owner, countedIn);
    own.counts.set(countedIn.id, count);
    count.catch(() => own.counts.delete(countedIn.id));
    return count;
  };

  return async ({ userId, person }, token, countedIn, held) => {
    const counting = unlessFault(
      () => countedOf(userId, countedIn),
      (err) => log.info({ userId, err }, "Position not counted"),
    );
    const [counted, graph] = await Promise.all([within(clock, COUNTING_MS, counting), pools.known(POOLS_MAX_AGE_MS)]);
    const sale = held && (await saleOf(parts, person, graph, held, countedIn));
    const position = counted?.positions.get(token.id) ?? noPosition(token);
    const { uncounted = 0, unknownRoyalties = 0, tooOld = 0 } = counted ?? {};
    return { ...assetOf(position, held, sale, countedIn), countedIn, uncounted, unknownRoyalties, tooOld };
  };
}
