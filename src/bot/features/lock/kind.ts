import { lockSubject, lockSummary, unlockSubject, unlockSummary } from "../../../cards/lock.js";
import { formatAssetId, type AssetId } from "../../../encoding/asset.js";
import { unlistedToken } from "../../../encoding/token.js";
import { bookLaunch } from "../../../services/launch/launch.js";
import { readLockOutcome, readUnlockOutcome } from "../../../services/locks/outcome.js";
import { bookLock } from "../../../services/locks/record.js";
import { readLock, readUnlock } from "../../../services/locks/request.js";
import { amountUnlocked } from "../../../services/locks/pay.js";
import { amountPaid } from "../../../services/swap/pay.js";
import { defineKind } from "../../kind.js";

/** Putting tokens away. */
export const lockKind = defineKind("lock", {
  read: (line, { person, tokens }) => readLock(line, tokens, person),
  usage: (words) => words.lock.usage,
  draft: async (parts, { userId, person }, asked) => {
    const request = { ...asked, pay: await amountPaid(parts, person, asked.pay, asked.token) };
    const { launchId } = request;
    return launchId === undefined
      ? parts.locking.prepareLock(person, request)
      : parts.launching.prepareLock(person, userId, launchId, request);
  },
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

/** Taking them back. */
export const unlockKind = defineKind("unlock", {
  read: (line, { person, tokens }) => readUnlock(line, tokens, person),
  usage: (words) => words.lock.unlockUsage,
  draft: async (parts, { person }, asked) => {
    const pay = await amountUnlocked(parts, person, asked);
    return parts.locking.prepareUnlock(person, {
      kind: "unlock",
      locked: asked.locked,
      ...(pay !== undefined && { pay }),
    });
  },
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
