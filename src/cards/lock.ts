import { formatAssetId } from "../encoding/asset.js";
import { unlistedToken } from "../encoding/token.js";
import type { LockTerms, UnlockTerms } from "../model/intent.js";
import { readLockOutcome, readUnlockOutcome } from "../services/locks/outcome.js";
import { withToken } from "./amount.js";
import { code, labelled, line } from "./card.js";
import type { Subject } from "./life.js";
import { checklistButton } from "./launch-step.js";
import { verdictLines } from "./lock-verdict.js";
import { formatMoment } from "./time.js";
import type { View } from "./view.js";

/** Putting tokens away. A past epoch, with which the contract only returns them, needs a second step first. */
export function lockSubject(terms: LockTerms, view: View, isPastAccepted: boolean): Subject {
  const words = view.words.lock;
  const amount = withToken(terms.amount, view.words);
  const isPast = terms.epoch !== undefined && terms.unlockEpoch <= terms.epoch;
  const epoch = terms.unlockEpoch.toString();
  const epochNow = terms.epoch?.toString();
  const past = words.past(epoch, epochNow ?? "");
  const date = terms.unlocksAt === undefined ? "" : ` (${words.about(formatMoment(terms.unlocksAt, view.timeZone))})`;
  const until = line(labelled(words.until, epoch), date);
  const destination = line(`${words.goesTo}: `, code(terms.payout));
  return {
    title: words.title(amount),
    offer: isPast
      ? [past, "", destination]
      : [
          labelled(words.youLock, amount),
          until,
          epochNow === undefined ? words.nowUnknown : words.now(epochNow),
          ...(epochNow !== undefined && terms.unlocksAt === undefined ? [words.noDate] : []),
          ...(terms.launch?.verdict === undefined ? [] : ["", ...verdictLines(terms.launch.verdict, view)]),
          "",
          words.noWayBack,
          words.youReceive,
          terms.mergesInto === undefined ? words.mayMerge : words.merges(formatAssetId(terms.mergesInto)),
          "",
          destination,
        ],
    summary: [labelled(words.youLock, amount), until, destination],
    confirm: isPast ? words.confirmReturn : words.confirmLock,
    answered: (returnData) => {
      const outcome = readLockOutcome(terms, returnData, view.returnDataEncoding);
      if (outcome.kind === "unverified") return undefined;
      if (outcome.kind === "returned") return [labelled(words.returned, withToken(outcome.amount, view.words))];
      return [labelled(words.locked, formatAssetId(outcome.locked)), words.unlockAfter(epoch)];
    },
    kept: words.keptTokens,
    unknownNext: words.unknownLock,
    ...(terms.launch !== undefined && { next: checklistButton(terms.launch.id, view) }),
    ...(isPast && !isPastAccepted && { hurdle: { sentences: [past, words.pastSure], button: words.pastButton } }),
  };
}

/** Taking locked tokens back. */
export function unlockSubject(terms: UnlockTerms, view: View): Subject {
  const words = view.words.lock;
  const amount = withToken(terms.amount, view.words);
  const destination = line(`${words.goesTo}: `, code(terms.payout));
  const gives = labelled(words.youBurn, amount);
  const gets =
    terms.original === undefined ? words.sameAmount : withToken({ ...terms.amount, token: terms.original }, view.words);
  return {
    title: words.unlockTitle(amount),
    offer: [
      gives,
      labelled(words.youGet, gets),
      ...(terms.original === undefined ? [words.unknownLocked] : []),
      "",
      destination,
    ],
    summary: [gives, destination],
    confirm: words.confirmUnlock,
    answered: (returnData) => {
      const outcome = readUnlockOutcome(terms, returnData, view.returnDataEncoding);
      if (outcome.kind === "unverified") return undefined;
      const { tokenId, units } = outcome.payment;
      // The token's precision is known when the bot locked it; otherwise only smallest units are certain.
      const token = terms.original ?? unlistedToken(tokenId);
      return [labelled(words.unlocked, withToken({ token, units }, view.words))];
    },
    kept: words.keptLocked,
    unknownNext: words.unknownUnlock,
  };
}
