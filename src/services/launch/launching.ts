import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { parseAmount, type Amount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { ContractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { Store } from "../../store/store.js";
import type { ContractGateway } from "../clients/gateway.js";
import type { Recheck } from "../intents/confirm.js";
import type { Draft } from "../intents/draft.js";
import type { Intent } from "../../model/intent.js";
import { openLocks } from "../locks/book.js";
import type { Lock } from "../../model/lock.js";
import type { Locking, LockRequest } from "../locks/locking.js";
import { people, type Person } from "../../model/person.js";
import { personOf } from "../people.js";
import { tokenOf, type TokenList } from "../tokens.js";
import { launchPartOf, stepsUnderWay, withFacts } from "./book.js";
import { callOf, termsOf, unshownSteps, type CallStep } from "./calls.js";
import { readFacts, type LaunchFacts } from "./facts.js";
import { launchOf, withLaunch } from "./launch.js";
import type { Launch, LaunchStep } from "../../model/launch.js";
import { progressOf, type Progress } from "./progress.js";
import { createStartLaunch, type StartLaunch } from "./start.js";
import { judgeLock, MINIMUM_LIQUIDITY } from "./thresholds.js";

/** A launch as its card shows it. */
export interface Checklist extends Progress {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  /** When the views were asked, in milliseconds since 1970. */
  readonly checkedAt: number;
  /** The LP token, as soon as its id is known. */
  readonly lpToken?: Token;
  /** The LP units that the person should still have, beside what is locked. */
  readonly lpLeft?: bigint;
  /** Whether the person makes the current step's call in their own wallet. */
  readonly isManual: boolean;
  /** The call that is to be made there, once all of its values are known. */
  readonly manualCall?: ContractCall;
}

export interface Launching {
  readonly start: StartLaunch;
  /**
   * Asks the chain's views, and says where a launch stands. What a node does not tell is left
   * open; nothing is sent.
   * @throws Fault `launch-unknown`, `store-…`.
   */
  readonly check: (userId: number, launchId: string) => Promise<Checklist>;
  /** Builds the call of a step that is due. @throws Fault `wallet-missing`, `launch-…`, `arguments-invalid`. */
  readonly prepareStep: (person: Person, userId: number, launchId: string, step: CallStep) => Promise<Draft>;
  /** Builds the call that locks LP tokens of a launch. @throws as `prepareStep`, and as `Locking.prepareLock`. */
  readonly prepareLock: (person: Person, userId: number, launchId: string, request: LockRequest) => Promise<Draft>;
  /** A card of a launch holds as long as its step is due, with the same values. */
  readonly recheck: (intent: Intent) => Promise<Recheck>;
  /**
   * Keeps the first deposit as the person types it, in whole tokens.
   * @throws Fault `launch-unknown`, `amount-…`, `liquidity-too-small`.
   */
  readonly planLiquidity: (userId: number, launchId: string, first: string, second: string) => Promise<void>;
}

export interface LaunchingParts {
  readonly store: Store;
  readonly gateway: ContractGateway;
  readonly locking: Locking;
  readonly tokens: TokenList;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly config: {
    readonly routerContract: Address;
    readonly returnDataEncoding: ReturnDataEncoding;
    /** Whether the steps whose shape the interface does not show are carried out by the bot. */
    readonly launchExtended: boolean;
    readonly callIncludesCaller: boolean;
  };
}

/** A card of a launch has no price that could move, so it stays good for longer than a quote: ten minutes. */
const CARD_LIFE = 600_000;

/** Launching pairs: each step is checked against the chain before it is offered, and again before it is sent. */
export function createLaunching(parts: LaunchingParts): Launching {
  const { store, locking, config } = parts;
  const factParts = { ...parts, routerContract: config.routerContract, chainStatus: locking.epochStatus };

  /** Changes one launch. @throws Fault `launch-unknown`. */
  const change = (userId: number, launchId: string, next: (launch: Launch) => Launch): Promise<Person> =>
    store.update(people, String(userId), (person) => {
      const launch = known(person, launchId);
      const changed = next(launch);
      const after = changed === launch ? person : withLaunch(person, changed);
      return [after, after];
    });

  /** @param except the intent of which a step's card is being confirmed. */
  const look = async (userId: number, launchId: string, except?: string): Promise<Checklist> => {
    const facts = await readFacts(factParts, known(await personOf(store, userId), launchId));
    const person = await change(userId, launchId, (launch) => withFacts(launch, facts));
    return checklistOf(person, known(person, launchId), facts, stepsUnderWay(person, launchId, except));
  };

  const checklistOf = (
    person: Person,
    launch: Launch,
    facts: LaunchFacts,
    underWay: readonly LaunchStep[],
  ): Checklist => {
    const locks = locksOf(person, launch);
    const caller = { address: person.wallet?.address, travels: config.callIncludesCaller };
    const progress = progressOf({ launch, facts, locks, underWay, caller });
    const { current } = progress;
    const isManual = current !== undefined && unshownSteps.includes(current) && !config.launchExtended;
    const manualCall = isManual ? callIfDue(person, launch, facts, progress) : undefined;
    const lpToken = launch.lpTokenId === undefined ? undefined : tokenOf(person, launch.lpTokenId, parts.tokens);
    const lpLeft = lpUnitsLeft(launch, facts, locks);
    return {
      ...progress,
      launch,
      facts,
      checkedAt: parts.clock.now(),
      isManual,
      ...(manualCall !== undefined && { manualCall }),
      ...(lpToken !== undefined && { lpToken }),
      ...(lpLeft !== undefined && { lpLeft }),
    };
  };

  const draftOf = (person: Person, checklist: Pick<Checklist, "launch" | "facts" | keyof Progress>, step: CallStep) => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    const context = {
      router: config.routerContract,
      payout: person.wallet.address,
      callerTravels: config.callIncludesCaller,
    };
    const terms = termsOf(step, checklist.launch, checklist.facts, checklist, context);
    return { terms, call: callOf(terms, config.routerContract), expiresAt: parts.clock.now() + CARD_LIFE };
  };

  const callIfDue = (person: Person, launch: Launch, facts: LaunchFacts, progress: Progress) => {
    const { current } = progress;
    if (current === undefined || current === "lock") return undefined;
    try {
      return draftOf(person, { ...progress, launch, facts }, current).call;
    } catch (error) {
      if (isFault(error, "launch-step-not-due", "wallet-missing")) return undefined;
      throw error;
    }
  };

  return {
    start: createStartLaunch(factParts),
    check: (userId, launchId) => look(userId, launchId),

    prepareStep: async (person, userId, launchId, step) => {
      const checklist = await look(userId, launchId);
      assertDue(checklist, step);
      return draftOf(person, checklist, step);
    },

    prepareLock: async (person, userId, launchId, request) => {
      const checklist = await look(userId, launchId);
      assertDue(checklist, "lock");
      return linked(await locking.prepareLock(person, request), launchId, checklist);
    },

    recheck: async (intent) => {
      const { terms } = intent;
      const part = launchPartOf(intent);
      if (part === undefined) throw new TypeError(`a ${terms.kind} of its own is no step of a launch`);
      try {
        const checklist = await look(intent.owner, part.launchId, intent.id);
        assertDue(checklist, part.step);
        assertSame(intent, checklist);
        if (terms.kind !== "lock") return { kind: "holds" };
        const checked = await locking.recheck(await personOf(store, intent.owner), { ...intent, terms });
        return checked.kind === "worse"
          ? { ...checked, draft: linked(checked.draft, part.launchId, checklist) }
          : checked;
      } catch (error) {
        if (isFault(error)) return { kind: "failed", fault: error };
        throw error;
      }
    },

    planLiquidity: async (userId, launchId, first, second) => {
      await change(userId, launchId, (launch) => {
        const liquidity = {
          first: parseAmount(first, launch.firstToken),
          second: parseAmount(second, launch.secondToken),
        };
        // The contract keeps 1000 LP units for ever; by the stricter of its two rules both amounts must be above that.
        if ([liquidity.first, liquidity.second].some(({ units }) => units <= MINIMUM_LIQUIDITY)) {
          throw new Fault("liquidity-too-small", { minimum: MINIMUM_LIQUIDITY.toString() });
        }
        return { ...launch, liquidity };
      });
    },
  };
}

/** @throws Fault `launch-unknown` when it was dropped, or never was. */
export function known(person: Person, launchId: string): Launch {
  const launch = launchOf(person, launchId);
  if (launch === undefined) throw new Fault("launch-unknown", {});
  return launch;
}

function assertDue(checklist: Checklist, step: LaunchStep): void {
  if (checklist.current !== step || !checklist.canDo) throw new Fault("launch-step-not-due", {});
}

/** The card must still speak of the pair and the lock that the chain and the book show. */
function assertSame({ terms }: Intent, { launch, lock }: Checklist): void {
  if (terms.kind !== "launch" || terms.step === "create-pair") return;
  const isSameLock =
    terms.step !== "enable" ||
    (lock !== undefined &&
      formatAssetId(lock.lock.locked) === formatAssetId(terms.locked) &&
      lock.lock.amount.units === terms.amount.units);
  if (terms.pair !== launch.pair || !isSameLock) throw new Fault("launch-step-not-due", {});
}

/** A lock's draft as a step of a launch: with how it would stand against the router's conditions. */
function linked(draft: Draft, launchId: string, { conditions, facts }: Checklist): Draft {
  const { terms } = draft;
  if (terms.kind !== "lock") throw new TypeError("a lock's card is about a lock");
  const lock = { units: terms.amount.units, unlockEpoch: terms.unlockEpoch };
  const verdict = conditions && judgeLock(lock, conditions, facts);
  return { ...draft, terms: { ...terms, launch: { id: launchId, ...(verdict !== undefined && { verdict }) } } };
}

function locksOf(person: Person, { lpTokenId }: Launch): readonly Lock[] {
  return openLocks(person).filter(({ amount }) => amount.token.id === lpTokenId);
}

/** What the first deposit gave, by its answer or else by the supply, less what is locked. */
function lpUnitsLeft(launch: Launch, { reserves }: LaunchFacts, locks: readonly Lock[]): Amount["units"] | undefined {
  const supply = reserves?.supply ?? 0n;
  const given = launch.lpUnits ?? (supply > MINIMUM_LIQUIDITY ? supply - MINIMUM_LIQUIDITY : undefined);
  if (given === undefined) return undefined;
  const left = locks.reduce((rest, lock) => rest - lock.amount.units, given);
  return left > 0n ? left : undefined;
}
