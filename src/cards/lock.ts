import { formatAmount, formatAssetId, isZero, type Amount } from "../encoding/amount.js";
import { isProven } from "../services/intent/intent.js";
import type { LockTerms, UnlockDoubt, UnlockTerms } from "../services/terms/lock-terms.js";
import { unlockTimeOf, type HeldLocks } from "../services/trade/lock-contract.js";
import type { ChainStatus } from "../services/chain/query-gateway.js";
import { isEnough } from "../services/trade/launch-facts.js";
import { readLockOutcome, readUnlockOutcome, type Lock } from "../services/trade/lock-record.js";
import { exactWithToken, figure, paidWithToken, withToken } from "./amount.js";
import { buttons, button } from "./buttons.js";
import { card, bold, labelled, line, say, momentOf, type Card, type View, type Line } from "./card.js";
import { asListed } from "../services/market/token-list.js";
import { checklistButton, shortfallLines, verdictLines } from "./launch.js";
import { durationOf } from "./duration.js";
import { listCard, type Entry, pageOf, turnRow, type Parts } from "./list.js";
import { returnUnknownLine } from "./rights.js";
import { type CardKind, type Subject, receivedLine } from "./subject.js";

export const lockCards: CardKind<"lock"> = {
  subject: (intent, view) => {
    const { terms } = intent;
    const { epoch, unlockEpoch, mergesInto, verdict, request } = terms;
    const words = view.words.lock;
    const given = asListed(terms.amount, view.tokenOf);
    const amount = paidWithToken(given, view.words);
    const moment = momentOf(terms.unlocksAt, view);
    const read = readLockOutcome(intent, view.returnDataEncoding);
    const locked = read?.kind === "locked" && [
      isProven(intent) && labelled(words.youLocked, amount),
      labelled(isProven(intent) ? words.locked : view.words.intent.reported, formatAssetId(read.locked)),
      say((time) => words.unlockAfter(time, unlockEpoch), moment),
    ];
    const merging = mergesInto === undefined ? words.mayMerge : words.merges(formatAssetId(mergesInto));
    const past = epoch !== undefined && unlockEpoch <= epoch ? [words.past(unlockEpoch, amount)] : undefined;
    return {
      title: words.title(amount),
      offer: past ?? [
        labelled(words.youLock, amount),
        moment === undefined
          ? labelled(words.untilEpoch, `${unlockEpoch}`)
          : labelled(words.until, bold(say((time) => words.dateOfEpoch(time, unlockEpoch), moment))),
        epoch === undefined ? words.nowUnknown(unlockEpoch) : moment === undefined && words.noDate,
        verdict && (isEnough(verdict) ? view.words.launch.isEnough : view.words.launch.isNotEnough),
        epoch === undefined ? words.noWayBackBefore(unlockEpoch) : words.noWayBack,
      ],
      details: [
        labelled(words.youLock, exactWithToken(given, view.words)),
        epoch !== undefined && words.now(epoch),
        past === undefined && [words.youReceive, merging],
        verdict && verdictLines(verdict, view),
      ],
      confirm: past === undefined ? words.confirmLock : words.confirmReturn,
      done: read === undefined || locked ? words.done : words.notLocked,
      answered: read && (locked || [labelled(words.returned, withToken(given, view.words))]),
      kept: words.keptTokens,
      unknownNext: words.unknownLock,
      next: request.launchId !== undefined && checklistButton(request.launchId, view),
      acknowledgement: acknowledgementOf(
        [...returnLines(terms, view), ...(past ?? [...uselessLines(terms, view), ...longLines(terms, view)])],
        view,
      ),
    };
  },
  summary: ({ terms: { amount, unlockEpoch, unlocksAt } }, view) =>
    say(
      view.words.lock.lockedUntil,
      withToken(asListed(amount, view.tokenOf), view.words),
      `${unlockEpoch}`,
      momentOf(unlocksAt, view, "day"),
    ),
  moved: (before, { epoch, isReturnUnknown, unlockEpoch }, { words }) => {
    if (isReturnUnknown && !before.isReturnUnknown) return words.rights.changed;
    return epoch !== undefined && unlockEpoch <= epoch ? words.lock.epochBegan : words.launch.noLongerEnough;
  },
  usage: ({ words }) => words.lock.usage,
};

export const unlockCards: CardKind<"unlock"> = {
  /** If the bot's record contradicts it, an extra confirmation comes first; the contract decides. */
  subject: (intent, view) => {
    const { terms } = intent;
    const words = view.words.lock;
    const back = terms.original && asListed({ ...terms.amount, token: terms.original }, view.tokenOf);
    const burned = back ? { ...terms.amount, token: { ...back.token, id: terms.amount.token.id } } : terms.amount;
    const amount = paidWithToken(burned, view.words);
    const doubts = (terms.doubts ?? []).map((doubt) => doubtLine(doubt, terms, view));
    const exact = (of: Amount) => exactWithToken(of, view.words);
    const read = readUnlockOutcome(intent, view.returnDataEncoding);
    const got = read && asListed(read, view.tokenOf);
    return {
      title: words.unlockTitle(amount),
      offer: [
        labelled(words.youBurn, amount),
        labelled(words.youGet, back === undefined ? words.sameAmount : withToken(back, view.words)),
        back === undefined && words.unknownLocked,
        doubts,
      ],
      details: [labelled(words.youBurn, exact(burned)), back && labelled(words.youGet, exact(back))],
      confirm: words.confirmUnlock,
      done: words.unlockDone,
      answered: got && [isProven(intent) && labelled(words.gaveBack, amount), receivedLine(intent, got, view)],
      kept: words.keptLocked,
      unknownNext: words.unknownUnlock,
      acknowledgement: acknowledgementOf(doubts, view),
    };
  },
  summary: ({ terms: { locked, original, amount } }, view) => {
    const words = view.words.lock;
    if (original === undefined) return words.unlockTitle(withToken(amount, view.words));
    const given = withToken(asListed({ ...amount, token: original }, view.tokenOf), view.words);
    return `${words.unlockTitle(given)} (${formatAssetId(locked)})`;
  },
  moved: (_before, _now, { words }) => words.lock.recordChanged,
  usage: ({ words }) => words.lock.unlockUsage,
};

function returnLines({ amount, isReturnUnknown }: LockTerms, view: View): Line[] {
  return isReturnUnknown ? [returnUnknownLine([amount.token], view)] : [];
}

/** Says that a lock for a launch isn't enough for its next step, or that nobody knows. */
function uselessLines({ request, verdict, unlockEpoch, unlocksAt }: LockTerms, view: View): Line[] {
  const words = view.words.launch;
  if (verdict === undefined) return request.launchId === undefined ? [] : [words.lockUnchecked];
  if (isEnough(verdict)) return [];
  const until = say((time) => words.lockedForNothing(unlockEpoch, time), momentOf(unlocksAt, view));
  return [until, ...shortfallLines(verdict, view)];
}

/** Says how long the tokens stay locked, if that needs an extra confirmation. */
function longLines({ years, epoch, unlockEpoch, unlocksAt }: LockTerms, view: View): Line[] {
  const words = view.words.lock;
  if (years === undefined) return [];
  if (unlocksAt !== undefined)
    return [say((time) => words.long(years, time), momentOf(unlocksAt, view)), words.noWayBack];
  return epoch === undefined
    ? [words.nowUnknown(unlockEpoch), words.longAtMost(years + 1n), words.noWayBackBefore(unlockEpoch)]
    : [words.noDate, words.longAtUsualLength(unlockEpoch, years), words.noWayBack];
}

function acknowledgementOf(reasons: readonly Line[], { words: { lock } }: View): Subject["acknowledgement"] {
  return reasons.length === 0 ? undefined : { sentences: [...reasons, lock.sure], button: lock.sureButton };
}

function doubtLine(doubt: UnlockDoubt, { locked }: UnlockTerms, view: View): Line {
  const { words } = view;
  if (doubt.kind === "too-early")
    return say((time) => words.lock.tooEarly(doubt.unlockEpoch, doubt.epoch, time), momentOf(doubt.beginsAt, view));
  const [asset, { recorded }] = [formatAssetId(locked), doubt];
  return isZero(recorded)
    ? words.lock.noneLeft(asset)
    : words.lock.tooMuch(asset, figure(formatAmount(recorded), words));
}

export function unlockableCard({ locked, amount }: Lock, { words, tokenOf }: View): Card {
  const id = formatAssetId(locked);
  const lines = [
    bold(words.lock.reminder(withToken(asListed(amount, tokenOf), words), id)),
    words.lock.reminderHow(`/unlock ${id}`),
  ];
  return card(lines, [[button(words.lock.unlockButton(id), buttons.unlock, id)]]);
}

const PAGE_SIZE = 8;

/**
 * @param page counts from 0 and is clamped. @param status undefined if the node could not be asked: no time is claimed
 * then. @param held other locks in the account; undefined if unknown.
 */
export function locksCard(locks: readonly Lock[], page: number, view: View, status?: ChainStatus, held?: HeldLocks) {
  const words = view.words.lock;
  const all: readonly (HeldLocks["locks"][number] & Partial<Lock>)[] = [...locks, ...(held?.locks ?? [])];
  const entryOf = ({ locked, amount, unlockEpoch }: (typeof all)[number]): Entry => {
    const id = formatAssetId(locked);
    const shown = bold(withToken(amount, view.words));
    const unlock = [button(words.unlockButton(id), buttons.unlock, id)];
    if (unlockEpoch === undefined) return { lines: [shown, words.elsewhere], buttons: unlock };
    const isReady = status !== undefined && status.epoch >= unlockEpoch;
    const state = isReady ? words.ready : lockWaitingLine(unlockEpoch, status, view);
    return { lines: [line(shown, " · ", id), state], ...(isReady && { buttons: unlock }) };
  };
  const place = pageOf(all, page, PAGE_SIZE);
  const parts: Parts = [
    bold(view.words.help.commands.locks),
    all.length === 0
      ? words.listEmpty
      : locks.length > 0 && (status === undefined ? words.epochUnknown : words.now(status.epoch)),
    "",
    { layout: "close", entries: place.items.map(entryOf) },
    place.pages > 1 && view.words.common.page(place.page + 1, place.pages),
    all.length > 0 && "",
    held === undefined ? words.onlyOnRecord : words.lookedUpTo(held.upTo, held.lockedToken),
  ];
  return listCard(parts, [turnRow(place, buttons.locksPage)]);
}

function lockWaitingLine(unlockEpoch: bigint, status: ChainStatus | undefined, view: View): Line {
  const words = view.words.lock;
  const beginsAt = status && unlockTimeOf(unlockEpoch, status, view.now).beginsAt;
  if (beginsAt === undefined) return words.unlocksAt(unlockEpoch);
  const left = durationOf(beginsAt - view.now, view);
  return say((time) => words.unlocksOn(time, unlockEpoch, left), momentOf(beginsAt, view));
}
