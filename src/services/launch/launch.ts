import type { Config } from "../../config.js";
import { addAmounts, amountOf, compareAmounts, subtractAmounts, type Amount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { ContractCall } from "../../encoding/call.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import { draftWithoutPrice, type Draft, type Recheck } from "../intent/kind.js";
import type { ContractGateway } from "../intent/gateway.js";
import type { Intent, IntentOf } from "../intent/intent.js";
import { underWayOf } from "../intent/queries.js";
import { draftLock, recheckLock, type LockDraft, type LockKindParts } from "../lock/lock.js";
import { openLocks, type Lock } from "../lock/record.js";
import { payoutOf, personOf } from "../person/people.js";
import type { Person } from "../person/person.js";
import { launchIdOf, type CallStep, type LaunchStep, type LockRequest } from "../request.js";
import { assertSwappable } from "../swap/request.js";
import { readFacts, type LaunchFacts } from "./facts.js";
import { progressOf, provenByViews } from "./progress.js";
import { addLaunch, changeLaunch, launchOf, launchOfPair, lpTokenOf, withDone, type Launch } from "./record.js";
import { readLpName, readLpTicker, suggestedLpName, type LaunchStart } from "./request.js";
import { callOf, depositOf, stepRules, termsOf, type StepInput } from "./steps.js";
import { hasMovedAway, checkLock, MINIMUM_LIQUIDITY, type Market } from "./thresholds.js";

export type LaunchService = ReturnType<typeof createLaunch>;
export type Checklist = Awaited<ReturnType<typeof checkLaunch>>;

interface LaunchParts extends LockKindParts {
  readonly gateway: Pick<ContractGateway, "query">;
  readonly market: Market;
  readonly newId: () => string;
  readonly settings: LockKindParts["settings"] &
    Pick<Config, "launchExtended" | "routerContract"> & {
      /** Whether contracts get payments sorted by asset, as on a real chain. */
      readonly paymentsAreSorted: boolean;
    };
}

export const POOLS_MAX_AGE_MS = 20_000;

/** Each step is checked against the chain before it is offered, and again before it is sent. */
export function createLaunch(parts: LaunchParts) {
  const { store } = parts;

  /** @throws Fault `launch-step-not-due`. */
  const checkDue = async (owner: number, launchId: string, step: LaunchStep, except?: string) => {
    const checklist = await checkLaunch(parts, owner, launchId, except);
    if (checklist.current !== step || !checklist.canDo) throw new Fault("launch-step-not-due", {});
    return checklist;
  };

  const launchFor = async (owner: number, request: LaunchStart): Promise<Launch> => {
    const launch = newLaunch(parts, request);
    const before = await launchOfPair(store.db, owner, launch);
    if (before !== undefined) return before;
    const facts = await readFacts(parts, launch);
    assertFree(await personOf(store, owner), facts);
    return withFacts(inPoolOrder(launch, facts), facts);
  };

  return {
    /**
     * @returns the launch's id; of a pair that the user already launches, that one's. An existing pair is refused,
     * unless the user created it and it is not open for swaps. @throws Fault `wallet-missing`, `tokens-identical`,
     * `token-not-swappable`, `lp-…`, `pair-exists`, `launches-full`.
     */
    start: async (owner: number, request: LaunchStart) => {
      const launch = await launchFor(owner, request);
      return (await store.write((tx) => addLaunch(tx, owner, launch))).id;
    },
    /** @throws as `start`. */
    assertLaunchable: async (owner: number, request: LaunchStart) => void (await launchFor(owner, request)),
    /** @throws Fault `launch-unknown`, `store-…`. */
    check: (owner: number, launchId: string) => checkLaunch(parts, owner, launchId),
    /** @throws Fault `wallet-missing`, `launch-…`, `arguments-invalid`. */
    draftStep: async (person: Person, launchId: string, step: CallStep) =>
      draftOf(parts, person, await checkDue(person.chatId, launchId, step), step),
    /** @throws as `draftStep`, and as {@link draftLock}. */
    draftLock: async (person: Person, request: LockRequest & { readonly launchId: string }) => {
      const { launchId } = request;
      // The user names the LP token where no view and no answer gave it.
      const named = (launch: Launch) =>
        launch.lpTokenId === undefined ? { ...launch, lpTokenId: request.token.id } : launch;
      await store.write((tx) => changeLaunch(tx, person.chatId, launchId, named));
      const checklist = await checkDue(person.chatId, launchId, "lock");
      return judged(await draftLock(parts, person, request), checklist);
    },
    /** Holds while its step is due with the card's values. @throws as `draftStep`. */
    recheck: async (person: Person, intent: IntentOf<"lock" | "launch">): Promise<Recheck> => {
      const { terms } = intent;
      const part = launchPartOf(intent);
      if (part === undefined) throw new TypeError(`a ${terms.kind} of its own is no step of a launch`);
      const checklist = await checkDue(intent.owner, part.launchId, part.step, intent.id);
      if (terms.kind === "lock") {
        const checked = await recheckLock(parts, { terms }, person);
        return checked.kind === "worse" ? { ...checked, draft: judged(checked.draft, checklist) } : checked;
      }
      assertSame(intent, checklist);
      const { market } = checklist;
      const mayBeSent = terms.step !== "add-liquidity" || market === undefined || !hasMovedAway(terms.market, market);
      return mayBeSent ? { kind: "holds" } : { kind: "worse", draft: draftOf(parts, person, checklist, terms.step) };
    },
  };
}

function newLaunch({ clock, newId }: LaunchParts, { first, second, ...lp }: LaunchStart): Launch {
  if (first.id === second.id) throw new Fault("tokens-identical", { token: first.id });
  [first, second].forEach(assertSwappable);
  const suggested = suggestedLpName(first, second);
  return {
    id: newId(),
    firstToken: first,
    secondToken: second,
    lpTicker: readLpTicker(lp.lpTicker ?? suggested),
    lpName: readLpName(lp.lpName ?? lp.lpTicker ?? suggested),
    createdAt: clock.now(),
    done: {},
    unknown: [],
  };
}

/** @throws Fault `wallet-missing`, `pair-exists`. */
function assertFree(person: Person, { pair, adder, state }: LaunchFacts): void {
  const payout = payoutOf(person);
  if (pair === undefined || pair === "none") return;
  const isOwnAndClosed = adder === payout && state !== undefined && state !== "Active";
  if (!isOwnAndClosed) throw new Fault("pair-exists", { pair });
}

function inPoolOrder(launch: Launch, { firstTokenId }: LaunchFacts): Launch {
  const { firstToken, secondToken } = launch;
  return firstTokenId === secondToken.id ? { ...launch, firstToken: secondToken, secondToken: firstToken } : launch;
}

/** Keeps what the chain shows now for when the node can't be asked. */
export function withFacts(launch: Launch, facts: LaunchFacts): Launch {
  const proven = provenByViews(facts)
    .filter((step) => launch.done[step] !== "view")
    .reduce((now, step) => withDone(now, step, "view"), launch);
  const pair = facts.pair === "none" ? undefined : facts.pair;
  const shown = { ...(pair && { pair }), ...(facts.lpTokenId && { lpTokenId: facts.lpTokenId }) };
  const isKnown =
    (shown.pair ?? proven.pair) === proven.pair && (shown.lpTokenId ?? proven.lpTokenId) === proven.lpTokenId;
  return isKnown ? proven : { ...proven, ...shown };
}

export function launchPartOf({ terms }: Intent): { readonly launchId: string; readonly step: LaunchStep } | undefined {
  const launchId = launchIdOf(terms.request);
  return launchId === undefined ? undefined : { launchId, step: terms.kind === "launch" ? terms.step : "lock" };
}

export function stepsOf(intents: readonly Intent[], launchId: string, except?: string): readonly LaunchStep[] {
  return intents.flatMap((intent) => {
    const part = launchPartOf(intent);
    return part?.launchId === launchId && intent.id !== except ? [part.step] : [];
  });
}

async function checkLaunch(parts: LaunchParts, owner: number, launchId: string, except?: string) {
  const { store, tokens, clock, settings } = parts;
  const facts = await readFacts(parts, await launchOf(store.db, owner, launchId));
  const launch = await store.write((tx) => changeLaunch(tx, owner, launchId, (now) => withFacts(now, facts)));
  const person = await personOf(store, owner);
  const underWay = stepsOf(await underWayOf(store.db, owner), launchId, except);
  const locks = (await openLocks(store.db, owner)).filter(({ amount }) => amount.token.id === launch.lpTokenId);
  const caller = { address: person.wallet?.address, travels: settings.callIncludesCaller };
  const progress = progressOf({ launch, facts, locks, underWay, caller });
  const { current } = progress;
  const isManual = current !== undefined && stepRules[current].isUnspecified === true && !settings.launchExtended;
  const lpToken = lpTokenOf(launch, tokens);
  const deposit = current === "add-liquidity" && launch.liquidity && depositOf(launch.liquidity, facts);
  return {
    ...progress,
    launch,
    facts,
    checkedAt: clock.now(),
    isManual,
    manualCall: isManual ? callIfDue(parts, person, { ...progress, launch, facts }, current) : undefined,
    lpToken,
    lpLeft: lpToken && leftOf(lpToken, launch, facts, locks),
    market: deposit
      ? await parts.market(deposit.first, deposit.second, except === undefined ? POOLS_MAX_AGE_MS : 0)
      : undefined,
  };
}

function draftOf(parts: LaunchParts, person: Person, input: StepInput, step: CallStep): Draft {
  const { callIncludesCaller, paymentsAreSorted, routerContract } = parts.settings;
  const payout = payoutOf(person);
  const [first, second] = [input.launch.firstToken.id, input.launch.secondToken.id];
  // Said before anything is paid: the pair's first liquidity could not be sent.
  if (paymentsAreSorted && step === "create-pair" && first > second) {
    throw new Fault("payment-order", { first, second });
  }
  const terms = termsOf(step, input, payout, callIncludesCaller);
  return draftWithoutPrice(parts, terms, callOf(terms, routerContract));
}

function callIfDue(parts: LaunchParts, person: Person, input: StepInput, step: LaunchStep): ContractCall | undefined {
  if (step === "lock") return undefined;
  try {
    return draftOf(parts, person, input, step).call;
  } catch (error) {
    if (isFault(error, "launch-step-not-due", "wallet-missing")) return undefined;
    throw error;
  }
}

function assertSame({ terms }: IntentOf<"lock" | "launch">, { launch, lock }: Checklist): void {
  if (terms.kind !== "launch" || terms.step === "create-pair") return;
  const isSameLock =
    terms.step !== "enable" ||
    (lock !== undefined &&
      formatAssetId(lock.lock.locked) === formatAssetId(terms.locked) &&
      compareAmounts(lock.lock.amount, terms.amount) === 0);
  if (terms.pair !== launch.pair || !isSameLock) throw new Fault("launch-step-not-due", {});
}

function judged({ terms, ...draft }: LockDraft, { conditions, facts }: Checklist): Draft {
  const verdict = conditions && checkLock(terms, conditions, facts);
  return { ...draft, terms: { ...terms, ...(verdict !== undefined && { verdict }) } };
}

/**
 * The first deposit's LP tokens, by its answer or the supply, minus what is locked; undefined where nothing is left.
 */
function leftOf(lpToken: Token, launch: Launch, { reserves }: LaunchFacts, locks: readonly Lock[]): Amount | undefined {
  const supply = reserves?.supply ?? 0n;
  const units = launch.lpUnits ?? (supply > MINIMUM_LIQUIDITY ? supply - MINIMUM_LIQUIDITY : 0n);
  const given = amountOf(lpToken, units);
  const locked = locks.map(({ amount }) => amount).reduce(addAmounts, amountOf(lpToken, 0n));
  return compareAmounts(given, locked) > 0 ? subtractAmounts(given, locked) : undefined;
}
