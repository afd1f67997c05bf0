import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, isZero, paymentOf, type Amount } from "../../encoding/amount.js";
import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import { contractCall } from "../../encoding/call.js";
import { formatUntil, momentOf, type Until } from "../../encoding/until.js";
import { Fault, unlessFault } from "../../fault.js";
import { unlockTimeAt, unlockTimeOf, waitFor } from "../chain/epochs.js";
import type { ChainStatus, ContractGateway } from "../intent/gateway.js";
import { steadyDraft, type Draft, type Recheck } from "../intent/kind.js";
import type { IntentOf } from "../intent/intent.js";
import type { LockRequest, UnlockRequest } from "../request.js";
import type { UnlockDoubt } from "../intent/terms.js";
import type { Person } from "../person/person.js";
import { payoutOf } from "../person/people.js";
import type { Reader } from "../../store/queries.js";
import type { TokenList } from "../token/list.js";
import { assertRoomForLock, findLock, locksOf, openLocks } from "./record.js";
import { lockedToken } from "./request.js";
import type { Lock } from "./record.js";

/** Beyond this many years a lock is more likely a mistake than intended. */
const MAX_YEARS = 20n;
/** A longer lock needs a second step, and so does one whose date is unknown. */
const YEARS_WITHOUT_ASKING = 2n;

export type Locking = ReturnType<typeof createLocking>;

interface LockingParts {
  readonly db: Reader;
  readonly gateway: Pick<ContractGateway, "chainStatus" | "query">;
  readonly tokens: TokenList;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lockContract: Address;
  /** How long an epoch lasts, for nodes that do not report it. */
  readonly epochSeconds: number | undefined;
}

/** Locking and unlocking through the simple-lock contract. */
export function createLocking(parts: LockingParts) {
  const { db, tokens, clock } = parts;
  const { target, withLength, epochStatus, statusIfTold, lockedTokenId } = lockContractOf(parts);

  const prepareLock = async (person: Person, request: LockRequest<Amount>): Promise<Draft> => {
    const { token, pay: amount, until } = request;
    const payout = payoutOf(person);
    assertNotOver(until, clock.now());
    const status = await statusIfTold();
    const { epoch, ...when } = whenUnlocked(until, status, clock.now(), withLength({ epoch: 0n }));
    const locks = await openLocks(db, person.chatId);
    const same = locks.find((lock) => lock.amount.token.id === token.id && lock.unlockEpoch === epoch);
    if (same === undefined) assertRoomForLock(locks);
    const terms = {
      kind: "lock",
      amount,
      unlockEpoch: epoch,
      ...(status && { epoch: status.epoch }),
      ...when,
      ...(same && { mergesInto: same.locked }),
      payout,
      request: { ...request, until: { epoch } },
    } as const;
    const inputs = { unlock_epoch: epoch, opt_destination: payout };
    return steadyDraft(parts, terms, contractCall(target, "lockTokens", inputs, [paymentOf(amount)]));
  };

  const prepareUnlock = async (person: Person, request: UnlockRequest<Amount>) => {
    const { locked } = request;
    const known = await findLock(db, person.chatId, locked);
    const token = lockedToken(tokens, locked, known?.amount.token);
    const all = known === undefined || isZero(known.amount) ? undefined : amountOf(token, known.amount.units);
    const amount = request.pay ?? all;
    if (amount === undefined) throw new Fault("amount-empty", {});
    const payout = payoutOf(person);
    if (known === undefined) await assertGiven(locked);
    const doubts = await doubtsOf(known, amount);
    const terms = {
      kind: "unlock",
      locked,
      amount,
      ...(known && { original: known.amount.token }),
      ...(doubts.length > 0 && { doubts }),
      payout,
      request,
    } as const;
    const payment = { ...locked, units: amount.units };
    return steadyDraft(parts, terms, contractCall(target, "unlockTokens", { opt_destination: payout }, [payment]));
  };

  const assertGiven = async (locked: AssetId): Promise<void> => {
    const given = await lockedTokenId();
    if (given === undefined || locked.tokenId === given) return;
    throw new Fault("locked-token-foreign", { text: formatAssetId(locked), lockedToken: given });
  };

  const doubtsOf = async (known: Lock | undefined, amount: Amount): Promise<readonly UnlockDoubt[]> =>
    known === undefined ? [] : doubtsAbout(known, amount, await statusIfTold(), clock.now());

  return {
    /** What the bot has on record, each @throws Fault `store-unreadable`. */
    all: (owner: number) => locksOf(db, owner),
    open: (owner: number) => openLocks(db, owner),
    find: (owner: number, locked: AssetId) => findLock(db, owner, locked),
    /** The epoch now and how long one lasts, by the node or by the operator. @throws Fault `service-…`. */
    epochStatus,
    /** The id of what the contract gives out for what it locks; undefined where the node does not tell. */
    lockedTokenId,
    /**
     * Builds the call that locks tokens for a person, to the person.
     * @throws Fault `wallet-missing`, `unlock-time-past`, `lock-too-long`, `locks-full`, `epoch-length-unknown`, `service-…`.
     */
    prepareLock,
    /**
     * Builds the call that takes locked tokens back; without an amount all that the bot knows to be locked. The
     * contract says whether that can be; where the bot's own record speaks against it, the card warns.
     * @throws Fault `wallet-missing`, `locked-token-foreign`, `amount-empty`, `service-…`.
     */
    prepareUnlock,
    /** Whether a card still does what it says: time has passed since, and other cards may have been confirmed. @throws as both. */
    recheck: async (person: Person, { terms, call }: IntentOf<"lock" | "unlock">): Promise<Recheck> => {
      if (terms.kind === "unlock") {
        const doubts = await doubtsOf(await findLock(db, person.chatId, terms.locked), terms.amount);
        if (doubts.every(({ kind }) => terms.doubts?.some((doubt) => doubt.kind === kind))) return { kind: "holds" };
        return { kind: "worse", draft: steadyDraft(parts, { ...terms, doubts }, call) };
      }
      // What the card said already, or never knew, does not change.
      if (terms.epoch === undefined || terms.unlockEpoch <= terms.epoch) return { kind: "holds" };
      const status = await statusIfTold();
      if (status === undefined || status.epoch < terms.unlockEpoch) return { kind: "holds" };
      return { kind: "worse", draft: await prepareLock(person, terms.request) };
    },
  };
}

/** What the contract and its chain say. */
function lockContractOf({ gateway, log, lockContract, epochSeconds }: LockingParts) {
  const target = { contract: "simpleLock", address: lockContract } as const;
  const length = epochSeconds === undefined ? {} : { epochMilliseconds: epochSeconds * 1000 };
  const withLength = (status: ChainStatus): ChainStatus => ({ ...length, ...status });
  const epochStatus = async () => withLength(await gateway.chainStatus());
  let toldTokenId: string | undefined;
  return {
    target,
    withLength,
    epochStatus,
    /** For callers that can do without: undefined where the node does not report it. */
    statusIfTold: () => unlessFault(epochStatus, (err) => log.info({ err }, "The epoch could not be read")),
    /** Asked until it was answered once. Undefined where the node does not say: then nothing is refused because of it. */
    lockedTokenId: async (): Promise<string | undefined> => {
      const query = async () => (await gateway.query(target, "getLockedTokenId", {}))[0];
      const onFault = (err: Fault) => log.info({ err }, "The lock contract's token could not be read");
      toldTokenId ??= await unlessFault(query, onFault);
      return toldTokenId;
    },
  };
}

/** An epoch that has begun is a second step: somebody may know what they do. A day that is over is a mistake. */
function assertNotOver(until: Until, now: number): void {
  if (!("epoch" in until) && momentOf(until, now) <= now) {
    throw new Fault("unlock-time-past", { text: formatUntil(until) });
  }
}

/**
 * When a lock ends, and in how many years where that has to be agreed to.
 * @param beginning of an epoch's count, for a node that does not say which epoch it is.
 * @throws Fault `lock-too-long`, `epoch-length-unknown`.
 */
function whenUnlocked(until: Until, status: ChainStatus | undefined, now: number, beginning: ChainStatus) {
  const { epoch, beginsAt } = unlockTimeAt(until, status, now);
  const wait = waitFor(epoch, status ?? beginning);
  if (wait.isLongerThan(MAX_YEARS)) {
    const years = { years: wait.years.toString(), maximum: MAX_YEARS.toString() };
    throw new Fault("lock-too-long", { epoch: epoch.toString(), ...years });
  }
  const isPast = status !== undefined && epoch <= status.epoch;
  const isAsked = wait.isLongerThan(YEARS_WITHOUT_ASKING) || (beginsAt === undefined && !isPast);
  return { epoch, ...(beginsAt !== undefined && { unlocksAt: beginsAt }), ...(isAsked && { years: wait.years }) };
}

/** What the bot's record says against an unlock. Without the epoch nothing is said about the time. */
function doubtsAbout(known: Lock, amount: Amount, status: ChainStatus | undefined, now: number): UnlockDoubt[] {
  const recorded = amountOf(amount.token, known.amount.units);
  const doubts: UnlockDoubt[] = compareAmounts(amount, recorded) > 0 ? [{ kind: "too-much", recorded }] : [];
  if (status !== undefined && status.epoch < known.unlockEpoch) {
    const { epoch: unlockEpoch, ...begin } = unlockTimeOf(known.unlockEpoch, status, now);
    doubts.push({ kind: "too-early", unlockEpoch, epoch: status.epoch, ...begin });
  }
  return doubts;
}
