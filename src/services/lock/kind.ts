import { amountOf, isZero, type Amount } from "../../encoding/amount.js";
import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import { shareOf } from "../../encoding/percent.js";
import { unlistedToken } from "../../encoding/token.js";
import { isFault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import type { TradeKind } from "../intent/kind.js";
import type { Person } from "../person/person.js";
import type { UnlockRequest } from "../request.js";
import { amountPaid, type PayParts } from "../swap/request.js";
import type { TokenList } from "../token/list.js";
import type { LockService } from "./lock.js";
import { readLockOutcome, readUnlockOutcome } from "./record.js";
import { bookLock, findLock, locksOf } from "./record.js";
import { lockedToken, readLock, readUnlock } from "./request.js";

export interface LockKindParts extends PayParts {
  readonly lock: LockService;
  readonly store: Database;
  readonly tokens: TokenList;
}

/** Putting tokens away. */
export const lockKind: TradeKind<"lock", LockKindParts> & { readonly book: typeof bookLock } = {
  read: ({ tokens }, line) => readLock(line, tokens),
  draft: async (parts, request, { person }) =>
    parts.lock.draftLock(person, { ...request, pay: await amountPaid(parts, person, request.pay, request.token) }),
  recheck: ({ lock }, intent, person) => lock.recheck(person, intent),
  book: bookLock,
  movement: (intent, encoding) => {
    const read = readLockOutcome(intent, encoding);
    const { amount, mergesInto } = intent.terms;
    if (read?.kind === "returned") return { paid: [], received: amount };
    const as = (locked: AssetId) => ({ ...amount, token: { ...amount.token, id: formatAssetId(locked) } });
    return {
      paid: [amount],
      ...(mergesInto !== undefined && { wanted: as(mergesInto) }),
      ...(read?.kind === "locked" && { received: as(read.locked) }),
    };
  },
};

/** Taking them back. */
export const unlockKind: TradeKind<"unlock", LockKindParts> = {
  read: async ({ store, tokens }, line, { userId }) => readUnlock(line, tokens, await locksOf(store.db, userId)),
  draft: async (parts, request, { person }) => parts.lock.draftUnlock(person, await withAmount(parts, person, request)),
  recheck: ({ lock }, intent, person) => lock.recheck(person, intent),
  book: bookLock,
  movement: (intent, encoding) => {
    const back = readUnlockOutcome(intent, encoding);
    const { amount, original } = intent.terms;
    return {
      paid: [amount],
      ...(original !== undefined && { wanted: { ...amount, token: original } }),
      ...(back !== undefined && {
        received: { token: original ?? unlistedToken(back.tokenId), units: back.units },
      }),
    };
  },
};

const ALL = { shareBps: 10_000n };

/**
 * How much of a locked token is taken back; absent for all that the bot has a record of. Without a record all means what the
 * account holds, and where balances aren't told, a share is one of the record.
 * @throws as {@link amountPaid}.
 */
async function withAmount(
  parts: LockKindParts,
  person: Person,
  { pay, ...request }: UnlockRequest,
): Promise<UnlockRequest<Amount>> {
  const known = (await findLock(parts.store.db, person.chatId, request.locked))?.amount;
  const recorded = known === undefined || isZero(known) ? undefined : known;
  if (pay === undefined && recorded !== undefined) return request;
  const token = lockedToken(parts.tokens, request.locked, known?.token);
  const wanted = pay ?? ALL;
  try {
    return { ...request, pay: await amountPaid(parts, person, wanted, token) };
  } catch (error) {
    if (!isFault(error, "balances-untold") || "units" in wanted) throw error;
    if (pay === undefined) return request;
    if (recorded === undefined) throw error;
    return { ...request, pay: amountOf(token, shareOf(recorded, wanted.shareBps).units) };
  }
}
