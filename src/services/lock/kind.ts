import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import { unlistedToken } from "../../encoding/token.js";
import type { TradeKind } from "../intent/kind.js";
import { amountPaid, type PayParts } from "../swap/request.js";
import type { TokenList } from "../token/list.js";
import type { Locking } from "./locking.js";
import { readLockOutcome, readUnlockOutcome } from "./outcome.js";
import { amountUnlocked } from "./pay.js";
import { bookLock } from "./record.js";
import { readLock, readUnlock } from "./request.js";

export interface LockKindParts extends PayParts {
  readonly locking: Locking;
  readonly tokens: TokenList;
}

/** Putting tokens away. */
export const lockKind: TradeKind<"lock", LockKindParts> & { readonly book: typeof bookLock } = {
  read: ({ tokens }, line, { person }) => readLock(line, tokens, person),
  draft: async (parts, request, { person }) => {
    const pay = await amountPaid(parts, person, request.pay, request.token);
    return parts.locking.prepareLock(person, { ...request, pay });
  },
  recheck: ({ locking }, intent, person) => locking.recheck(person, intent),
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
  read: async ({ locking, tokens }, line, { userId }) => readUnlock(line, tokens, await locking.all(userId)),
  draft: async (parts, { kind, locked, pay: asked }, { person }) => {
    const pay = await amountUnlocked(parts, person, locked, asked);
    return parts.locking.prepareUnlock(person, { kind, locked, ...(pay !== undefined && { pay }) });
  },
  recheck: ({ locking }, intent, person) => locking.recheck(person, intent),
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
