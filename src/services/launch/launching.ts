import type { Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import { addAmounts, amountOf, compareAmounts, subtractAmounts, type Amount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { ContractCall } from "../../encoding/call.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { Intent, IntentOf } from "../intent/intent.js";
import type { Launch } from "../launch-record.js";
import type { CallStep, LaunchStep } from "../request.js";
import type { Person } from "../person/person.js";
import type { LockRequest } from "../request.js";
import type { ContractGateway } from "../intent/gateway.js";
import { steadyDraft, type Draft, type Recheck } from "../intent/kind.js";
import { underWayOf } from "../intent/queries.js";
import type { Locking } from "../lock/locking.js";
import type { Lock } from "../lock/record.js";
import { changePerson, payoutOf, personOf } from "../person/people.js";
import { tokenOf, type TokenList } from "../token/list.js";
import type { Database } from "../../store/store.js";
import { readFacts, type LaunchFacts } from "./facts.js";
import { launchOf, launchPartOf, stepsUnderWay, withFacts, withLaunch } from "./launch.js";
import { progressOf } from "./progress.js";
import type { LaunchStart } from "./request.js";
import { assertLaunchable, startLaunch } from "./start.js";
import { callOf, depositOf, stepRules, termsOf, type StepInput } from "./steps.js";
import { hasMovedAway, type Market } from "./market.js";
import { judgeLock, MINIMUM_LIQUIDITY } from "./thresholds.js";

/** A launch as its card shows it. */
export type Checklist = Awaited<ReturnType<Launching["check"]>>;

interface LaunchingParts {
  readonly clock: Clock;
  readonly store: Database;
  readonly gateway: ContractGateway;
  readonly locking: Locking;
  readonly tokens: TokenList;
  readonly market: Market;
  readonly newId: () => string;
  readonly config: Pick<Config, "callIncludesCaller" | "launchExtended" | "routerContract"> & {
    /** Whether payments reach a contract in the order of their assets, as on a real chain, and not in that of the call. */
    readonly paymentsAreSorted?: boolean;
  };
}

/** How old the pools may be with which a first deposit is compared; at its confirm they are read again. */
const POOLS_MAX_AGE_MILLISECONDS = 20_000;

export type Launching = ReturnType<typeof createLaunching>;

/** Launching pairs: each step is checked against the chain before it is offered, and again before it is sent. */
export function createLaunching(parts: LaunchingParts) {
  const { store, locking, tokens, clock, config } = parts;
  const factParts = { ...parts, routerContract: config.routerContract, chainStatus: locking.epochStatus };

  /** @param except the intent of which a step's card is being confirmed. */
  const check = async (userId: number, launchId: string, except?: string) => {
    const facts = await readFacts(factParts, launchOf(await personOf(store, userId), launchId));
    const person = await changePerson(store, userId, (now) => {
      const launch = launchOf(now, launchId);
      const seen = withFacts(launch, facts);
      return seen === launch ? now : withLaunch(now, seen);
    });
    const launch = launchOf(person, launchId);
    const underWay = await underWayOf(store.db, userId);
    const locks = await locking.open(userId);
    const checklist = checklistOf(person, launch, facts, locks, stepsUnderWay(underWay, launchId, except));
    const planned = checklist.current === "add-liquidity" ? launch.liquidity : undefined;
    const deposit = planned && depositOf(planned, facts);
    const maxAge = except === undefined ? POOLS_MAX_AGE_MILLISECONDS : 0;
    // How the amounts of the first deposit compare with the market, while they wait to be sent.
    const market = deposit && (await parts.market(deposit.first, deposit.second, maxAge));
    return { ...checklist, market };
  };

  /** The checklist, where a step is due. @throws Fault `launch-step-not-due`. */
  const checkDue = async (userId: number, launchId: string, step: LaunchStep, except?: string) => {
    const checklist = await check(userId, launchId, except);
    if (checklist.current !== step || !checklist.canDo) throw new Fault("launch-step-not-due", {});
    return checklist;
  };

  const checklistOf = (
    person: Person,
    launch: Launch,
    facts: LaunchFacts,
    open: readonly Lock[],
    underWay: readonly LaunchStep[],
  ) => {
    const { lpTokenId } = launch;
    const lpToken = lpTokenId === undefined ? undefined : tokenOf(person, lpTokenId, tokens);
    const locks = open.filter(({ amount }) => amount.token.id === lpTokenId);
    const caller = { address: person.wallet?.address, travels: config.callIncludesCaller };
    const progress = progressOf({ launch, facts, locks, underWay, caller });
    const { current } = progress;
    const isManual = current !== undefined && stepRules[current].isUnspecified === true && !config.launchExtended;
    return {
      ...progress,
      launch,
      facts,
      /** When the views were asked, in milliseconds since 1970. */
      checkedAt: clock.now(),
      /** Whether the person makes the current step's call in their own wallet. */
      isManual,
      /** The call that is to be made there, once all of its values are known. */
      manualCall: isManual ? callIfDue(person, { ...progress, launch, facts }, current) : undefined,
      /** The LP token, as soon as its id is known. */
      lpToken,
      /** The LP tokens that the person should still have, beside what is locked. */
      lpLeft: lpToken && leftOf(lpToken, launch, facts, locks),
    };
  };

  const draftOf = (person: Person, input: StepInput, step: CallStep): Draft => {
    const payout = payoutOf(person);
    const [first, second] = [input.launch.firstToken.id, input.launch.secondToken.id];
    // Said before anything is paid: the pair's first liquidity could not be sent.
    if (config.paymentsAreSorted === true && step === "create-pair" && first > second) {
      throw new Fault("payment-order", { first, second });
    }
    const terms = termsOf(step, input, payout, config.callIncludesCaller);
    return steadyDraft(parts, terms, callOf(terms, config.routerContract));
  };

  const callIfDue = (person: Person, input: StepInput, step: LaunchStep): ContractCall | undefined => {
    if (step === "lock") return undefined;
    try {
      return draftOf(person, input, step).call;
    } catch (error) {
      if (isFault(error, "launch-step-not-due", "wallet-missing")) return undefined;
      throw error;
    }
  };

  return {
    /** @throws as {@link startLaunch}. */
    start: (userId: number, request: LaunchStart): Promise<string> => startLaunch(factParts, userId, request),
    /** @throws as {@link assertLaunchable}. */
    assertLaunchable: (userId: number, pair: Pick<LaunchStart, "first" | "second">): Promise<void> =>
      assertLaunchable(factParts, userId, pair),
    /**
     * Asks the chain's views, and says where a launch stands. What a node does not report is left open; nothing is sent.
     * @throws Fault `launch-unknown`, `store-…`.
     */
    check: (userId: number, launchId: string) => check(userId, launchId),

    /** Builds the call of a step that is due. @throws Fault `wallet-missing`, `launch-…`, `arguments-invalid`. */
    prepareStep: async (person: Person, userId: number, launchId: string, step: CallStep): Promise<Draft> =>
      draftOf(person, await checkDue(userId, launchId, step), step),

    /** Builds the call that locks LP tokens of a launch. @throws as `prepareStep`, and as `Locking.prepareLock`. */
    prepareLock: async (
      person: Person,
      userId: number,
      launchId: string,
      request: LockRequest<Amount>,
    ): Promise<Draft> => {
      const checklist = await checkDue(userId, launchId, "lock");
      return linked(await locking.prepareLock(person, request), checklist);
    },

    /** A card of a launch holds as long as its step is due, with the same values. @throws as `prepareStep`. */
    recheck: async (person: Person, intent: IntentOf<"lock" | "launch">): Promise<Recheck> => {
      const { terms } = intent;
      const part = launchPartOf(intent);
      if (part === undefined) throw new TypeError(`a ${terms.kind} of its own is no step of a launch`);
      const checklist = await checkDue(intent.owner, part.launchId, part.step, intent.id);
      assertSame(intent, checklist);
      if (terms.kind === "launch") {
        const { market } = checklist;
        const mayBeSent = terms.step !== "add-liquidity" || market === undefined || !hasMovedAway(terms.market, market);
        return mayBeSent ? { kind: "holds" } : { kind: "worse", draft: draftOf(person, checklist, terms.step) };
      }
      const checked = await locking.recheck(person, { ...intent, terms });
      return checked.kind === "worse" ? { ...checked, draft: linked(checked.draft, checklist) } : checked;
    },
  };
}

/** The card must still speak of the pair and the lock that the chain and the person's locks show. */
function assertSame({ terms }: Intent, { launch, lock }: Checklist): void {
  if (terms.kind !== "launch" || terms.step === "create-pair") return;
  const isSameLock =
    terms.step !== "enable" ||
    (lock !== undefined &&
      formatAssetId(lock.lock.locked) === formatAssetId(terms.locked) &&
      compareAmounts(lock.lock.amount, terms.amount) === 0);
  if (terms.pair !== launch.pair || !isSameLock) throw new Fault("launch-step-not-due", {});
}

/** A lock's draft as a step of a launch: with how it would stand against the router's conditions. */
function linked(draft: Draft, { conditions, facts }: Checklist): Draft {
  const { terms } = draft;
  if (terms.kind !== "lock") throw new TypeError("a lock's card is about a lock");
  const verdict = conditions && judgeLock(terms, conditions, facts);
  return { ...draft, terms: { ...terms, ...(verdict !== undefined && { verdict }) } };
}

/** What the first deposit gave, by its answer or else by the supply, minus what is locked; undefined where nothing is left. */
function leftOf(lpToken: Token, launch: Launch, { reserves }: LaunchFacts, locks: readonly Lock[]): Amount | undefined {
  const supply = reserves?.supply ?? 0n;
  const units = launch.lpUnits ?? (supply > MINIMUM_LIQUIDITY ? supply - MINIMUM_LIQUIDITY : 0n);
  const given = amountOf(lpToken, units);
  const locked = locks.map(({ amount }) => amount).reduce(addAmounts, amountOf(lpToken, 0n));
  return compareAmounts(given, locked) > 0 ? subtractAmounts(given, locked) : undefined;
}
