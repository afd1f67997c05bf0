import { amountOf, formatAmount } from "../encoding/amount.js";
import { formatAssetId } from "../encoding/asset.js";
import { unlistedToken } from "../encoding/token.js";
import { isProven, type IntentOf } from "../model/intent.js";
import type { LockTerms, UnlockDoubt, UnlockTerms } from "../model/terms.js";
import { readLockOutcome, readUnlockOutcome } from "../services/locks/outcome.js";
import { exactWithToken, paidWithToken, withToken } from "./amount.js";
import { labelled, type Lines } from "./card.js";
import { accountLines, type Subject } from "./subject.js";
import { checklistButton } from "./launch-step.js";
import { verdictLine, verdictLines } from "./lock-verdict.js";
import { formatMoment } from "./time.js";
import type { View } from "./view.js";

/** Locking tokens. A past epoch, a long time and an unknown one need a second step first. */
export function lockSubject(intent: IntentOf<"lock">, view: View): Subject {
  const { terms } = intent;
  const words = view.words.lock;
  const amount = paidWithToken(terms.amount, view.words);
  const isPast = terms.epoch !== undefined && terms.unlockEpoch <= terms.epoch;
  const epoch = terms.unlockEpoch.toString();
  const epochNow = terms.epoch?.toString();
  const past = words.past(epoch, epochNow ?? "");
  const reasons = isPast ? [past] : longLines(terms, view);
  const verdict = terms.launch?.verdict;
  return {
    title: words.title(amount),
    decided: words.title(amount),
    offer: isPast
      ? [past, accountLines(intent, view)]
      : [
          labelled(words.youLock, amount),
          terms.unlocksAt === undefined
            ? labelled(words.untilEpoch, epoch)
            : labelled(words.until, words.dateOfEpoch(formatMoment(terms.unlocksAt, view.timeZone), epoch)),
          epochNow === undefined ? words.nowUnknown : undefined,
          epochNow !== undefined && terms.unlocksAt === undefined ? words.noDate : undefined,
          verdict && verdictLine(verdict, view),
          words.noWayBack,
          accountLines(intent, view),
        ],
    details: [
      labelled(words.youLock, exactWithToken(terms.amount, view.words)),
      epochNow && words.now(epochNow),
      words.youReceive,
      terms.mergesInto === undefined ? words.mayMerge : words.merges(formatAssetId(terms.mergesInto)),
      verdict && verdictLines(verdict, view),
    ],
    confirm: isPast ? words.confirmReturn : words.confirmLock,
    done: words.done,
    answered: lockAnswered(intent, view),
    kept: words.keptTokens,
    unknownNext: words.unknownLock,
    ...(terms.launch !== undefined && { next: checklistButton(terms.launch.id, view) }),
    ...(reasons.length > 0 && { hurdle: { sentences: [...reasons, words.sure], button: words.sureButton } }),
  };
}

function lockAnswered(intent: IntentOf<"lock">, view: View): Lines | undefined {
  const words = view.words.lock;
  const { amount, unlockEpoch, unlocksAt } = intent.terms;
  const read = readLockOutcome(intent, view.returnDataEncoding);
  const proven = isProven(intent);
  if (read?.kind !== "locked") return read && [labelled(words.returned, withToken(read.amount, view.words))];
  return [
    labelled(proven ? words.youLocked : words.youLock, paidWithToken(amount, view.words)),
    labelled(proven ? words.locked : view.words.intent.reported, formatAssetId(read.locked)),
    words.unlockAfter(
      unlocksAt === undefined ? undefined : formatMoment(unlocksAt, view.timeZone),
      unlockEpoch.toString(),
    ),
  ];
}

/** How long the tokens would be out of reach, where that is so long, or so uncertain, that it has to be agreed to. */
function longLines(
  { years, epoch, unlockEpoch, unlocksAt }: LockTerms,
  { words: { lock: words }, timeZone }: View,
): string[] {
  if (years === undefined) return [];
  if (unlocksAt !== undefined) return [words.long(years, formatMoment(unlocksAt, timeZone)), words.noWayBack];
  if (epoch !== undefined)
    return [words.noDate, words.longAtUsualLength(unlockEpoch.toString(), years), words.noWayBack];
  return [words.nowUnknown, words.longAtMost(years + 1n), words.noWayBack];
}

/** What a lock was about, in one line. */
export function lockSummary({ terms }: IntentOf<"lock">, view: View): string {
  const words = view.words.lock;
  const moment = terms.unlocksAt === undefined ? undefined : formatMoment(terms.unlocksAt, view.timeZone).slice(0, 10);
  return words.lockedUntil(withToken(terms.amount, view.words), terms.unlockEpoch.toString(), moment);
}

/** What an unlock was about, in one line. */
export function unlockSummary({ terms: { locked, original, amount } }: IntentOf<"unlock">, view: View): string {
  const given = withToken({ ...amount, token: original ?? amount.token }, view.words);
  return `${view.words.lock.unlockTitle(given)} (${formatAssetId(locked)})`;
}

/** Taking locked tokens back. Where the bot's record speaks against it, a second step comes first; the contract decides. */
export function unlockSubject(intent: IntentOf<"unlock">, view: View): Subject {
  const { terms } = intent;
  const words = view.words.lock;
  const amount = paidWithToken(terms.amount, view.words);
  const doubts = (terms.doubts ?? []).map((doubt) => doubtLine(doubt, terms, view));
  const back = terms.original && { ...terms.amount, token: terms.original };
  const read = readUnlockOutcome(intent, view.returnDataEncoding);
  // The token's precision is known when the bot locked it; otherwise only smallest units are certain.
  const proven = isProven(intent);
  const received = read && amountOf(terms.original ?? unlistedToken(read.tokenId), read.units);
  return {
    title: words.unlockTitle(amount),
    decided: words.unlockTitle(amount),
    offer: [
      labelled(words.youBurn, amount),
      labelled(words.youGet, back === undefined ? words.sameAmount : withToken(back, view.words)),
      back === undefined ? words.unknownLocked : undefined,
      doubts,
      accountLines(intent, view),
    ],
    details: [
      labelled(words.youBurn, exactWithToken(terms.amount, view.words)),
      back && labelled(words.youGet, exactWithToken(back, view.words)),
    ],
    confirm: words.confirmUnlock,
    done: words.unlockDone,
    answered: received && [
      labelled(proven ? words.gaveBack : words.youBurn, amount),
      labelled(proven ? words.unlocked : view.words.intent.reported, withToken(received, view.words)),
    ],
    kept: words.keptLocked,
    unknownNext: words.unknownUnlock,
    ...(doubts.length > 0 && { hurdle: { sentences: [...doubts, words.sure], button: words.sureButton } }),
  };
}

function doubtLine(doubt: UnlockDoubt, { locked }: UnlockTerms, view: View): string {
  const words = view.words.lock;
  switch (doubt.kind) {
    case "too-much":
      return words.tooMuch(formatAssetId(locked), formatAmount(doubt.recorded));
    case "too-early": {
      const { unlockEpoch, epoch, beginsAt } = doubt;
      const moment = beginsAt === undefined ? undefined : formatMoment(beginsAt, view.timeZone);
      return words.tooEarly(unlockEpoch.toString(), epoch.toString(), moment);
    }
  }
}
