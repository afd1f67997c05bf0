import { lockSubject, lockSummary, unlockSubject, unlockSummary } from "../../../cards/lock.js";
import { formatAssetId, type AssetId } from "../../../encoding/asset.js";
import { unlistedToken } from "../../../encoding/token.js";
import { plainAmount } from "../../../encoding/amount.js";
import { bookLaunch } from "../../../services/launch/launch.js";
import { readLockOutcome, readUnlockOutcome } from "../../../services/locks/outcome.js";
import { bookLock } from "../../../services/locks/record.js";
import { incompleteTrade, isIncompleteTrade, swapLine } from "../../../services/swap/request.js";
import { withOwnLocked } from "../../intents/own-amount.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { PersonFlavor } from "../../context.js";
import { defineKind, type KindParts, type Prepared } from "../../kind.js";

/** Putting tokens away: `5 LPKLVKFI-3I0N 5500`, the last word an epoch, a date or a duration. */
export const lockKind = defineKind("lock", {
  prepare: prepareLock,
  // Its time stands where a trade has its second token.
  isIncomplete: (typed, tokens) => {
    const words = incompleteTrade(typed);
    return words !== undefined && isIncompleteTrade(swapLine({ ...words, tokenOut: undefined }), tokens);
  },
  reopen: async (parts, owner, { launch, typed }) => {
    if (launch === undefined) return prepareLock(parts, owner, typed);
    const [amount = "", token = "", until = ""] = wordsOf(typed);
    return {
      draft: await parts.launching.prepareLock(owner.person, owner.userId, launch.id, { amount, token, until }),
    };
  },
  withAmount: ({ launch, amount: { token }, typed }, amount) =>
    launch === undefined ? [plainAmount(amount, token.id), ...wordsOf(typed).slice(1)].join(" ") : undefined,
  recheck: (parts, person, intent) =>
    intent.terms.launch === undefined ? parts.locking.recheck(person, intent) : parts.launching.recheck(person, intent),
  book: (person, ended, encoding) => bookLaunch(bookLock(person, ended, encoding), ended, encoding),
  subject: lockSubject,
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
  summary: lockSummary,
  moved: (_before, _now, words) => words.lock.epochBegan,
});

/** Taking them back: `LKTOK-1A2B/7 5`, or without the amount all of it. */
export const unlockKind = defineKind("unlock", {
  prepare: prepareUnlock,
  withOwn: withOwnLocked,
  reopen: (parts, owner, { typed }) => prepareUnlock(parts, owner, typed),
  withAmount: ({ locked, amount: { token } }, amount) => `${formatAssetId(locked)} ${plainAmount(amount, token.id)}`,
  recheck: (parts, person, intent) => parts.locking.recheck(person, intent),
  book: bookLock,
  subject: unlockSubject,
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
  summary: unlockSummary,
  moved: (_before, _now, words) => words.lock.recordChanged,
});

async function prepareLock(parts: KindParts, { person, words }: PersonFlavor, typed: string): Promise<Prepared> {
  const [amount, token, until, ...rest] = wordsOf(typed);
  if (amount === undefined || token === undefined || until === undefined || rest.length > 0) {
    return { sentence: words.lock.usage };
  }
  return { draft: await parts.locking.prepareLock(person, { amount, token, until }) };
}

async function prepareUnlock(parts: KindParts, { person, words }: PersonFlavor, typed: string): Promise<Prepared> {
  const [locked, amount, ...rest] = wordsOf(typed);
  if (locked === undefined || rest.length > 0) return { sentence: words.lock.unlockUsage };
  return { draft: await parts.locking.prepareUnlock(person, { locked, ...(amount !== undefined && { amount }) }) };
}
