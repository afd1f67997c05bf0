import {
  addAmounts,
  amountOf,
  compareAmounts,
  dividedUp,
  subtractAmounts,
  formatAssetId,
  type Amount,
  type Token,
} from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, unlessFault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { Intent } from "../intent/intent.js";
import type { Draft, TradeKind } from "../intent/trade-kind.js";
import { underWayOf } from "../intent/queries.js";
import { paymentsOf, launchIdOf } from "../terms/terms.js";
import { draftLock, lockFlow, recheckLock, type LockDraft } from "./lock.js";
import { readLockOutcome, recordLock, type Lock } from "./lock-record.js";
import { readLock } from "./lock-request.js";
import { payoutOf, personIn } from "../person/person.js";
import type { LaunchStep } from "../terms/launch-terms.js";
import type { LockTerms } from "../terms/lock-terms.js";
import { assertSwappable } from "./swap-request.js";
import type { LaunchFacts, LaunchKindParts } from "./launch-facts.js";
import {
  checkLock,
  hasMovedAway,
  isEnough,
  leastUnits,
  liquidityWayOut,
  marketOf,
  MINIMUM_LIQUIDITY,
  readFacts,
} from "./launch-facts.js";
import * as rows from "./launch-record.js";
import { readLpName, readLpTicker, suggestedLpName, type LaunchStart } from "./launch-request.js";
import { callsOf, pairOfStep, sightings, stepOf } from "./launch-seen.js";
import { depositOf, draftStep, progressOf, provenByViews, stepResult, unspecifiedSteps } from "./launch-steps.js";

export type Checklist = Awaited<ReturnType<typeof checkLaunch>>;

export const POOLS_MAX_AGE_MS = 20_000;

/** Checks each step against the chain before offering it, and again before sending it. */
export const launchKind: TradeKind<"launch", LaunchKindParts> = {
  draft: async (parts, { launchId, step }, { userId, person }) =>
    draftStep(parts, person, await checkDue(parts, userId, launchId, step), step),
  /** A card holds while its step is due with the same values. */
  recheck: async (parts, { id, owner, terms }, person) => {
    await parts.routerCheck.assertMatch();
    const checklist = await checkDue(parts, owner, terms.request.launchId, terms.step, id);
    if (terms.step === "create-pair") return undefined;
    const { launch, lock, market } = checklist;
    const isSameLock =
      terms.step !== "enable" ||
      (lock !== undefined &&
        formatAssetId(lock.locked) === formatAssetId(terms.locked) &&
        compareAmounts(lock.amount, terms.amount) === 0);
    if (terms.pair !== launch.pair || !isSameLock) throw new Fault("launch-step-not-due", {});
    const mayBeSent =
      terms.step !== "add-liquidity" ||
      ((market === undefined || !hasMovedAway(terms.market, market)) &&
        (terms.isReturnUnknown === true || !checklist.isReturnUnknown));
    return mayBeSent ? undefined : draftStep(parts, person, checklist, terms.step);
  },
  recordEffects: recordStep,
  seen: async (parts, intent) => {
    const { firstToken, secondToken } = intent.terms;
    const pair = pairOfStep(intent, parts.settings.returnDataEncoding);
    const facts = await readFacts(parts, { firstToken, secondToken, ...(pair !== undefined && { pair }) });
    return sightingsBeside(parts, intent, intent.terms.request.launchId, facts);
  },
  // The router returns the locked token that enabling sends it, so that counts as no payment.
  flow: ({ terms }) => ({ paid: paymentsOf(terms) }),
};

/** A standalone lock, or the lock step of a launch. */
export const lockKind: TradeKind<"lock", LaunchKindParts> = {
  read: async ({ store, tokens }, line, { userId }) => {
    const launched = (await rows.launchesOf(store.db, userId)).flatMap((each) => rows.lpTokenOf(each, tokens) ?? []);
    return readLock(line, tokens, launched);
  },
  draft: async (parts, request, { userId, person }) => {
    const { launchId, token } = request;
    if (launchId === undefined) {
      const draft = await draftLock(parts, person, request);
      const checklist = await checklistWaitingFor(parts, userId, token);
      return checklist === undefined ? draft : judged(draft, checklist);
    }
    // The user named the LP token if neither a view nor an answer did.
    const withToken = (launch: rows.Launch) => ({ lpTokenId: token.id, ...launch });
    await parts.store.write((tx) => rows.changeLaunch(tx, userId, launchId, withToken));
    const checklist = await checkDue(parts, userId, launchId, "lock");
    return judged(await draftLock(parts, person, request), checklist);
  },
  recheck: async (parts, { id, owner, terms }, person) => {
    const { launchId } = terms.request;
    if (launchId === undefined) return recheckLock(parts, terms, person);
    const checklist = await checkDue(parts, owner, launchId, "lock", id);
    const worse = await recheckLock(parts, terms, person);
    if (worse !== undefined) return judged(worse, checklist);
    const verdict = verdictOf(terms, checklist);
    const isStillEnough = verdict === undefined || isEnough(verdict);
    const wasTold = terms.verdict !== undefined && !isEnough(terms.verdict);
    return isStillEnough || wasTold ? undefined : judged(await draftLock(parts, person, terms.request), checklist);
  },
  seen: async (parts, intent) => {
    const launchId = launchIdOf(intent.terms.request);
    const launch = launchId === undefined ? undefined : await rows.findLaunch(parts.store.db, intent.owner, launchId);
    return launch === undefined ? [] : sightingsBeside(parts, intent, launch.id, await readFacts(parts, launch));
  },
  recordEffects: async (tx, ended, encoding) => {
    await recordLock(tx, ended, encoding);
    await recordStep(tx, ended, encoding);
  },
  flow: lockFlow,
};

/** What views show of a call, as its caller knows it, and of its launch's others. */
async function sightingsBeside({ settings, store }: LaunchKindParts, intent: Intent, id: string, facts: LaunchFacts) {
  const others = (await callsOf(store.db, intent.owner, id)).filter((call) => call.id !== intent.id);
  return sightings([intent, ...others], facts, settings.returnDataEncoding);
}

/**
 * Returns the user's launch of this pair, or else a new one, not stored yet. Refuses an existing pair unless the user
 * created it and it isn't open for swaps.
 * @throws Fault `wallet-missing`, `tokens-identical`, `token-not-swappable`, `lp-…`, `pair-exists`.
 */
export async function launchFor(parts: LaunchKindParts, owner: number, { first, second, ...lp }: LaunchStart) {
  if (first.id === second.id) throw new Fault("tokens-identical", { token: first.id });
  [first, second].forEach(assertSwappable);
  const suggested = suggestedLpName(first, second);
  const launch = {
    id: parts.newId(),
    firstToken: first,
    secondToken: second,
    lpTicker: readLpTicker(lp.lpTicker ?? suggested),
    lpName: readLpName(lp.lpName ?? lp.lpTicker ?? suggested),
    createdAt: parts.clock.now(),
    done: {},
    unknown: [],
  };
  const before = await rows.launchOfPair(parts.store.db, owner, launch);
  if (before !== undefined) return before;
  const facts = await readFacts(parts, launch);
  const payout = payoutOf(await personIn(parts.store.db, owner));
  const { adder, firstTokenId, pair, state } = facts;
  const isOwnAndClosed = adder === payout && state !== undefined && state !== "Active";
  if (pair !== undefined && pair !== "none" && !isOwnAndClosed) throw new Fault("pair-exists", { pair });
  const inPoolOrder = firstTokenId === second.id ? { ...launch, firstToken: second, secondToken: first } : launch;
  return withFacts(inPoolOrder, facts);
}

/** Records what the chain shows, for when the node can't be asked. */
export function withFacts(launch: rows.Launch, facts: LaunchFacts): rows.Launch {
  const { pair, lpTokenId } = facts;
  const shown = { ...launch, ...(pair && pair !== "none" && { pair }), ...(lpTokenId && { lpTokenId }) };
  return provenByViews(facts).reduce((now, step) => rows.withDone(now, step, "view"), shown);
}

export function stepsOf(intents: readonly Intent[], launchId: string, except?: string): readonly LaunchStep[] {
  return intents.filter(({ id, terms }) => id !== except && launchIdOf(terms.request) === launchId).map(stepOf);
}

/**
 * @param except id of an intent that doesn't block the step. @throws Fault `launch-unknown`, `launch-step-not-due`,
 * `token-stuck`.
 */
async function checkDue(parts: LaunchKindParts, owner: number, launchId: string, step: LaunchStep, except?: string) {
  const checklist = await checkLaunch(parts, owner, launchId, except);
  if (checklist.current === step && checklist.stuck !== undefined) throw checklist.stuck;
  if (checklist.current !== step || !checklist.canDo) throw new Fault("launch-step-not-due", {});
  return checklist;
}

/** @throws Fault `launch-unknown`, `store-…`. */
export async function checkLaunch(parts: LaunchKindParts, owner: number, launchId: string, except?: string) {
  const { store, clock, settings } = parts;
  const facts = await readFacts(parts, await rows.launchOf(store.db, owner, launchId));
  const launch = await store.write((tx) => rows.changeLaunch(tx, owner, launchId, (now) => withFacts(now, facts)));
  const person = await personIn(store.db, owner);
  const underWay = stepsOf(await underWayOf(store.db, owner), launchId, except);
  const locks = (await parts.lock.open(owner)).filter(({ amount }) => amount.token.id === launch.lpTokenId);
  const caller = { address: person.wallet?.address, travels: settings.callIncludesCaller };
  const progress = progressOf({ launch, facts, locks, underWay, caller });
  const { current } = progress;
  const byHand = settings.launchExtended ? undefined : unspecifiedSteps.find((step) => step === current);
  const isDeposit = current === "add-liquidity";
  const deposit = isDeposit && launch.liquidity && depositOf(launch.liquidity, facts);
  const maxAge = except === undefined ? POOLS_MAX_AGE_MS : 0;
  const kept = isDeposit ? await liquidityWayOut(parts, launch, person, except === undefined ? undefined : maxAge) : {};
  return {
    ...progress,
    ...kept,
    canDo: progress.canDo && kept.stuck === undefined,
    checkedAt: clock.now(),
    isManual: byHand !== undefined,
    /** Also undefined if the step can't be drafted, for example before a deposit is planned. */
    manualCall: byHand && (await unlessFault(() => Promise.resolve(draftStep(parts, person, progress, byHand).call))),
    locks,
    market: deposit ? await marketOf(parts.worth, deposit.first, deposit.second, maxAge) : undefined,
  };
}

/** What is needed and 5 %, as the price may move; all if that is less. Undefined if all is not enough. */
export function offeredLock(least: Amount, all: Amount | undefined): Amount | undefined {
  const { token, units } = least;
  const more = amountOf(token, dividedUp(units * 105n, 100n));
  if (all === undefined || compareAmounts(all, more) >= 0) return more;
  return compareAmounts(all, least) >= 0 ? all : undefined;
}

/**
 * Returns what the next step needs if an amount is less, even if it is added to a lock that the user has. Undefined if it
 * is enough, or nobody knows. @throws as {@link checkLaunch}.
 */
export async function lacksForLock(parts: LaunchKindParts, owner: number, launchId: string, amount: Amount) {
  const { conditions, facts, locks } = await checkLaunch(parts, owner, launchId);
  const units = conditions && leastUnits(conditions, facts);
  if (units === undefined) return undefined;
  const least = amountOf(amount.token, units);
  const sums = [amount, ...locks.map((lock) => addAmounts(amount, lock.amount))];
  return sums.some((sum) => compareAmounts(sum, least) >= 0) ? undefined : least;
}

/** Suggests amounts and epochs for the lock step; whatever is unknown is undefined. @throws as {@link checkLaunch}. */
export async function adviseLock(parts: LaunchKindParts, owner: number, launchId: string) {
  const { launch, facts, conditions, locks } = await checkLaunch(parts, owner, launchId);
  const { epoch, reserves } = facts;
  const epochs =
    epoch === undefined ? undefined : conditions && { now: epoch, least: epoch + conditions.minimumPeriod + 1n };
  const lpToken = rows.lpTokenOf(launch, parts.tokens);
  if (lpToken === undefined) return { epochs };
  // LP tokens of the first deposit, by its answer or else the supply, minus those already locked.
  const supply = reserves?.supply ?? 0n;
  const given = amountOf(lpToken, launch.lpUnits ?? (supply > MINIMUM_LIQUIDITY ? supply - MINIMUM_LIQUIDITY : 0n));
  const locked = locks.map(({ amount }) => amount).reduce(addAmounts, amountOf(lpToken, 0n));
  const all = compareAmounts(given, locked) > 0 ? subtractAmounts(given, locked) : undefined;
  const units = conditions && leastUnits(conditions, facts);
  if (units === undefined) return { lpToken, all, offered: all, epochs };
  const least = amountOf(lpToken, units);
  return { lpToken, all, least, offered: offeredLock(least, all), epochs };
}

/** Of the launch whose lock step is due for this LP token, as it may be meant also if it was asked for by itself. */
async function checklistWaitingFor(
  parts: LaunchKindParts,
  owner: number,
  token: Token,
): Promise<Checklist | undefined> {
  const launches = await rows.launchesOf(parts.store.db, owner);
  const launch = launches.find((each) => rows.lpTokenOf(each, parts.tokens)?.id === token.id);
  const checklist = launch && (await unlessFault(() => checkLaunch(parts, owner, launch.id)));
  return checklist?.current === "lock" ? checklist : undefined;
}

function judged({ terms, ...draft }: LockDraft, checklist: Checklist): Draft {
  const verdict = verdictOf(terms, checklist);
  return { ...draft, terms: { ...terms, ...(verdict !== undefined && { verdict }) } };
}

/** Of the whole lock, if it is added to one to the same epoch. Undefined if the node doesn't report enough. */
function verdictOf({ amount, unlockEpoch }: LockTerms, { conditions, facts, locks }: Checklist) {
  if (conditions === undefined) return undefined;
  const isAdded = ({ locked, unlockEpoch: epoch }: Lock) =>
    epoch === unlockEpoch && locked.tokenId === conditions.lockedTokenId;
  const whole = [amount, ...locks.filter(isAdded).map((lock) => lock.amount)].reduce(addAmounts);
  return checkLock({ amount: whole, unlockEpoch }, conditions, facts);
}

/** Records the outcome of a call that is a launch step. */
export async function recordStep(tx: Transaction, ended: Intent, encoding: ReturnDataEncoding): Promise<void> {
  const { owner, terms, outcome } = ended;
  const [launchId, step] = [launchIdOf(terms.request), stepOf(ended)];
  if (launchId === undefined || (outcome?.kind !== "ok" && outcome?.kind !== "unknown")) return;
  // The user may have dropped the launch meanwhile.
  if ((await rows.findLaunch(tx, owner, launchId)) === undefined) return;
  await rows.changeLaunch(tx, owner, launchId, (launch) => {
    // A readable outcome of a lock is recorded with the user's locks instead.
    if (terms.kind === "lock" && readLockOutcome({ terms, outcome }, encoding) !== undefined) return launch;
    const result = terms.kind === "launch" ? stepResult({ terms, outcome }, encoding) : undefined;
    if (result === undefined) return { ...launch, unknown: [...new Set([...launch.unknown, step])] };
    return { ...rows.withDone(launch, step, "answer"), ...result };
  });
}
