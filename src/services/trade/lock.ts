import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import type { Amount, AssetId } from "../../encoding/amount.js";
import {
  amountOf,
  BPS,
  compareAmounts,
  dividedUp,
  formatAssetId,
  formatUnits,
  isZero,
  paymentOf,
  shareOfAmount,
} from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { formatUntil, untilToTime } from "../../encoding/typed.js";
import { Fault, isFault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import type { PeriodicCheck } from "../chain/checks.js";
import { draftWithoutPrice, type Answered, type Draft, type Flow, type TradeKind } from "../intent/trade-kind.js";
import type { LockTerms, UnlockDoubt, LockRequest, UnlockRequest } from "../terms/lock-terms.js";
import { payoutOf, type Person } from "../person/person.js";
import { amountPaid, type PayParts } from "./swap-request.js";
import { asListed, type TokenList } from "../market/token-list.js";
import { CONFIRM_AGE_MS } from "../market/token-rights.js";
import { wayOut } from "../market/trade-rights.js";
import { unlockTimeAt, unlockTimeOf, waitFor, LOCK_YEAR_MS, type LockContract } from "./lock-contract.js";
import * as rows from "./lock-record.js";
import { lockedToken, readUnlock } from "./lock-request.js";

export type LockDraft = Draft & { readonly terms: LockTerms };

export interface LockKindParts extends PayParts {
  readonly store: Database;
  readonly lock: LockContract;
  readonly lockCheck: PeriodicCheck;
  readonly tokens: TokenList;
  readonly clock: Clock;
}

export function lockFlow(intent: Answered<LockTerms>, encoding: ReturnDataEncoding): Flow {
  const read = rows.readLockOutcome(intent, encoding);
  const { amount, mergesInto } = intent.terms;
  if (read?.kind === "returned") return { paid: [], received: amount };
  const as = (locked: AssetId) => ({ ...amount, token: { ...amount.token, id: formatAssetId(locked) } });
  return { paid: [amount], expected: mergesInto && as(mergesInto), received: read && as(read.locked) };
}

export const unlockKind: TradeKind<"unlock", LockKindParts> = {
  read: async ({ store, tokens }, line, { userId }) => readUnlock(line, tokens, await rows.locksOf(store.db, userId)),
  draft: (parts, request, { person }) => draftUnlock(parts, person, request),
  recheck: async (parts, { terms, call }, person) => {
    await parts.lockCheck.assertMatch();
    const known = await rows.findLock(parts.store.db, person.chatId, terms.locked);
    const doubts = await doubtsOf(parts, known, terms.amount);
    if (doubts.every(({ kind }) => terms.doubts?.some((doubt) => doubt.kind === kind))) return undefined;
    return draftWithoutPrice(parts, { ...terms, doubts }, call);
  },
  recordEffects: rows.recordLock,
  flow: (intent, encoding) => {
    const { amount, original } = intent.terms;
    const received = rows.readUnlockOutcome(intent, encoding);
    return { paid: [amount], expected: original && { ...amount, token: original }, received };
  },
};

const MAX_YEARS = 20n;
/** As many days as a lock takes without being asked about. */
const MAX_BARE_DAYS = 730n;
/** Longer locks, and those whose unlock date is unknown, need an extra confirmation. */
const YEARS_WITHOUT_ASKING = 2n;

/**
 * @param maxAge of what is known of the token's issuer, in milliseconds. @throws Fault `wallet-missing`, `lock-mismatch`,
 * `token-stuck`, `unlock-time-past`, `unlock-epoch-past`, `lock-too-long`, `locks-full`, `epoch-length-unknown`, `service-…`.
 */
export async function draftLock(
  parts: LockKindParts,
  person: Person,
  request: LockRequest,
  maxAge?: number,
): Promise<LockDraft> {
  const { clock, lock, store } = parts;
  const { token, until } = request;
  parts.lockCheck.assertNoMismatch();
  const amount = await amountPaid(parts, person, request.pay, token);
  const payout = payoutOf(person);
  const told = await lockedWayOut(parts, token.id, payout, maxAge);
  // A past epoch needs an extra confirmation; a past date is a mistake.
  if (!("epoch" in until) && untilToTime(until, clock.now()) <= clock.now()) {
    throw new Fault("unlock-time-past", { text: formatUntil(until) });
  }
  const status = await lock.statusIfTold();
  const { epoch, beginsAt } = unlockTimeAt(until, status, clock.now());
  const wait = waitFor(epoch, status ?? { epoch: 0n, ...lock.epochLength });
  const years = wait / LOCK_YEAR_MS;
  if (wait > MAX_YEARS * LOCK_YEAR_MS) {
    // Just above the maximum, rounding down would name the maximum.
    const shown = years > MAX_YEARS ? `${years}` : formatUnits(dividedUp(wait * 10n, LOCK_YEAR_MS), 1);
    throw new Fault("lock-too-long", { epoch: `${epoch}`, years: shown, maximum: `${MAX_YEARS}` });
  }
  const isPast = status !== undefined && epoch <= status.epoch;
  // Nobody means an epoch that has begun if the number could be days.
  if (isPast && "epoch" in until && until.isBare && epoch > 0n && epoch <= MAX_BARE_DAYS) {
    throw new Fault("unlock-epoch-past", { text: formatUntil(until), epoch: `${epoch}` });
  }
  const isAsked = wait > YEARS_WITHOUT_ASKING * LOCK_YEAR_MS || (beginsAt === undefined && !isPast);
  const locks = await rows.openLocks(store.db, person.chatId);
  const same = locks.find((one) => one.amount.token.id === token.id && one.unlockEpoch === epoch);
  if (same === undefined) rows.assertRoomForLock(locks);
  const terms = {
    kind: "lock",
    amount,
    unlockEpoch: epoch,
    ...(status && { epoch: status.epoch }),
    ...(beginsAt !== undefined && { unlocksAt: beginsAt }),
    ...(isAsked && { years }),
    ...(same && { mergesInto: same.locked }),
    ...told,
    payout,
    request: { ...request, pay: amount, until: { epoch } },
  } as const;
  const inputs = { unlock_epoch: epoch, opt_destination: payout };
  return draftWithoutPrice(parts, terms, contractCall(lock.target, "lockTokens", inputs, [paymentOf(amount)]));
}

const lockedWayOut = ({ rights, lock }: LockKindParts, tokenId: string, payout: Address, maxAge?: number) =>
  wayOut(rights, [tokenId], { is: "lock", address: lock.target.address }, payout, maxAge);

/**
 * Redrafts a lock whose unlock epoch has begun since its card, unless the card said so or didn't know the epoch, or that
 * may never come out. @throws Fault `token-stuck`, and as {@link draftLock}.
 */
export async function recheckLock(parts: LockKindParts, terms: LockTerms, person: Person) {
  await parts.lockCheck.assertMatch();
  const { amount, epoch, payout, request, unlockEpoch } = terms;
  const { isReturnUnknown } = await lockedWayOut(parts, amount.token.id, payout, CONFIRM_AGE_MS);
  if (isReturnUnknown && !terms.isReturnUnknown) return draftLock(parts, person, request, CONFIRM_AGE_MS);
  if (epoch === undefined || unlockEpoch <= epoch) return undefined;
  const status = await parts.lock.statusIfTold();
  if (status === undefined || status.epoch < unlockEpoch) return undefined;
  return draftLock(parts, person, request);
}

/**
 * The contract decides; if the bot's own records say that an unlock will fail, the card only warns.
 * @throws Fault `wallet-missing`, `lock-mismatch`, `locked-token-foreign`, `amount-empty`, `service-…`.
 */
async function draftUnlock(parts: LockKindParts, person: Person, { kind, locked, pay }: UnlockRequest): Promise<Draft> {
  const { lock, lockCheck } = parts;
  lockCheck.assertNoMismatch();
  const known = await rows.findLock(parts.store.db, person.chatId, locked);
  const token = lockedToken(parts.tokens, locked, known?.amount.token);
  const recorded = known === undefined || isZero(known.amount) ? undefined : amountOf(token, known.amount.units);
  const isAllRecorded = pay === undefined && recorded !== undefined;
  /** A share, or all, is of the account's balance; if balances are unknown, a share is of the recorded amount. */
  const amountAsked = async (): Promise<Amount> => {
    const wanted = pay ?? { shareBps: BPS };
    try {
      return await amountPaid(parts, person, wanted, token);
    } catch (error) {
      if (!isFault(error, "balances-untold") || "units" in wanted) throw error;
      if (pay === undefined) throw new Fault("amount-empty", {});
      if (recorded === undefined) throw error;
      return shareOfAmount(recorded, wanted.shareBps);
    }
  };
  const amount = isAllRecorded ? recorded : await amountAsked();
  const payout = payoutOf(person);
  const expected = known === undefined ? await lock.issuedToken() : undefined;
  if (expected !== undefined && locked.tokenId !== expected) {
    throw new Fault("locked-token-foreign", { text: formatAssetId(locked), lockedToken: expected });
  }
  const doubts = await doubtsOf(parts, known, amount);
  const terms = {
    kind,
    locked,
    amount,
    ...(known && { original: asListed(known.amount, parts.tokens.named).token }),
    ...(doubts.length > 0 && { doubts }),
    payout,
    request: { kind, locked, ...(!isAllRecorded && { pay: amount }) },
  } as const;
  const payments = [{ ...locked, units: amount.units }];
  const call = contractCall(lock.target, "unlockTokens", { opt_destination: payout }, payments);
  return draftWithoutPrice(parts, terms, call);
}

/** Omits `too-early` if the epoch is unknown. */
async function doubtsOf({ lock, clock }: LockKindParts, known: rows.Lock | undefined, amount: Amount) {
  if (known === undefined) return [];
  const status = await lock.statusIfTold();
  const recorded = amountOf(amount.token, known.amount.units);
  const doubts: UnlockDoubt[] = compareAmounts(amount, recorded) > 0 ? [{ kind: "too-much", recorded }] : [];
  if (status !== undefined && status.epoch < known.unlockEpoch) {
    const { epoch: unlockEpoch, ...begin } = unlockTimeOf(known.unlockEpoch, status, clock.now());
    doubts.push({ kind: "too-early", unlockEpoch, epoch: status.epoch, ...begin });
  }
  return doubts;
}
