import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, isZero, paymentOf, type Amount } from "../../encoding/amount.js";
import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import { contractCall } from "../../encoding/call.js";
import { formatUntil, momentOf, type Until } from "../../encoding/until.js";
import { Fault, unlessFault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import { unlockTimeAt, unlockTimeOf, waitFor } from "../chain/epochs.js";
import type { Balances } from "../gateway/balances.js";
import { steadyDraft, type Draft, type Recheck } from "../intent/kind.js";
import type { ChainStatus, ContractGateway } from "../intent/gateway.js";
import type { IntentOf } from "../intent/intent.js";
import type { UnlockDoubt } from "../intent/terms.js";
import { payoutOf } from "../person/people.js";
import type { Person } from "../person/person.js";
import type { LockRequest, UnlockRequest } from "../request.js";
import type { TokenList } from "../token/list.js";
import { assertRoomForLock, findLock, openLocks, type Lock } from "./record.js";
import { lockedToken, type Locked } from "./request.js";

/** Locking and unlocking through the simple-lock contract. */
export interface LockService {
  /** The epoch now and how long one lasts, by the node or by the operator. @throws Fault `service-…`. */
  readonly epochStatus: () => Promise<ChainStatus>;
  /**
   * The call that locks tokens for a person, to the person.
   * @throws Fault `wallet-missing`, `unlock-time-past`, `lock-too-long`, `locks-full`, `epoch-length-unknown`, `service-…`.
   */
  readonly draftLock: (person: Person, request: LockRequest<Amount>) => Promise<Draft>;
  /**
   * The call that takes locked tokens back; without an amount all that the bot knows to be locked. The contract says whether
   * that can be; where the bot's own record speaks against it, the card warns.
   * @throws Fault `wallet-missing`, `locked-token-foreign`, `amount-empty`, `service-…`.
   */
  readonly draftUnlock: (person: Person, request: UnlockRequest<Amount>) => Promise<Draft>;
  /** Whether a card still does what it says: time has passed since, and other cards may have been confirmed. @throws as both. */
  readonly recheck: (person: Person, intent: Pick<IntentOf<"lock" | "unlock">, "terms" | "call">) => Promise<Recheck>;
  /** What an account holds of the lock contract's token besides the owner's open locks; undefined where that can't be known in a moment. */
  readonly heldBeside: (owner: number, address: Address) => Promise<HeldLocks | undefined>;
}

/** Locked tokens in an account of which the bot has no record. */
export interface HeldLocks {
  readonly locks: readonly Locked[];
  /** The locked token, and up to which number it was looked for: nodes list no account's numbers, so each is asked for. */
  readonly lockedToken: string;
  readonly upTo: number;
}

interface LockParts {
  readonly store: Pick<Database, "db">;
  readonly gateway: Pick<ContractGateway, "chainStatus" | "query">;
  readonly balances: Pick<Balances, "known">;
  readonly tokens: TokenList;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lockContract: Address;
  /** How long an epoch lasts, for nodes that do not report it. */
  readonly epochSeconds: number | undefined;
}

export function createLock(parts: LockParts): LockService {
  const { tokens, clock, gateway, log } = parts;
  const { db } = parts.store;
  const target = { contract: "simpleLock", address: parts.lockContract } as const;
  const length = parts.epochSeconds === undefined ? {} : { epochMilliseconds: parts.epochSeconds * 1000 };
  const epochStatus = async (): Promise<ChainStatus> => ({ ...length, ...(await gateway.chainStatus()) });
  const statusIfTold = () => unlessFault(epochStatus, (err) => log.info({ err }, "The epoch could not be read"));

  let issued: string | undefined;
  /** The id of what the contract issues. Asked until it was answered once; undefined where the node does not tell. */
  const issuedToken = async (): Promise<string | undefined> => {
    issued ??= await unlessFault(
      async () => (await gateway.query(target, "getLockedTokenId", {}))[0],
      (err) => log.info({ err }, "The lock contract's token could not be read"),
    );
    return issued;
  };

  const draftLock: LockService["draftLock"] = async (person, request) => {
    const { token, pay: amount, until } = request;
    const payout = payoutOf(person);
    assertNotOver(until, clock.now());
    const status = await statusIfTold();
    const { epoch, ...when } = whenUnlocked(until, status, clock.now(), length);
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

  const doubtsOf = async (known: Lock | undefined, amount: Amount): Promise<readonly UnlockDoubt[]> =>
    known === undefined ? [] : doubtsAbout(known, amount, await statusIfTold(), clock.now());

  const draftUnlock: LockService["draftUnlock"] = async (person, request) => {
    const { locked } = request;
    const known = await findLock(db, person.chatId, locked);
    const token = lockedToken(tokens, locked, known?.amount.token);
    const all = known === undefined || isZero(known.amount) ? undefined : amountOf(token, known.amount.units);
    const amount = request.pay ?? all;
    if (amount === undefined) throw new Fault("amount-empty", {});
    const payout = payoutOf(person);
    const expected = known === undefined ? await issuedToken() : undefined;
    if (expected !== undefined && locked.tokenId !== expected) {
      throw new Fault("locked-token-foreign", { text: formatAssetId(locked), lockedToken: expected });
    }
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

  return {
    epochStatus,
    draftLock,
    draftUnlock,
    recheck: async (person, { terms, call }) => {
      if (terms.kind === "unlock") {
        const doubts = await doubtsOf(await findLock(db, person.chatId, terms.locked), terms.amount);
        if (doubts.every(({ kind }) => terms.doubts?.some((doubt) => doubt.kind === kind))) return { kind: "holds" };
        return { kind: "worse", draft: steadyDraft(parts, { ...terms, doubts }, call) };
      }
      // What the card said already, or never knew, does not change.
      if (terms.epoch === undefined || terms.unlockEpoch <= terms.epoch) return { kind: "holds" };
      const status = await statusIfTold();
      if (status === undefined || status.epoch < terms.unlockEpoch) return { kind: "holds" };
      return { kind: "worse", draft: await draftLock(person, terms.request) };
    },
    heldBeside: async (owner, address) => {
      const tokenId = await issuedToken();
      return tokenId === undefined ? undefined : heldBeside(parts, address, await openLocks(db, owner), tokenId);
    },
  };
}

/** Numbers asked for at once; where the last ones were held, more are asked for, up to the most. */
const AT_ONCE = 32;
const MOST = 192;

async function heldBeside(
  { balances, tokens }: LockParts,
  address: Address,
  locks: readonly Lock[],
  tokenId: string,
): Promise<HeldLocks | undefined> {
  const onRecord = new Set(locks.map(({ locked }) => formatAssetId(locked)));
  const found: Locked[] = [];
  let upTo = 0;
  for (let isOften = true; isOften && upTo < MOST; upTo += AT_ONCE) {
    const assets = Array.from({ length: AT_ONCE }, (_, at) => ({ tokenId, nonce: BigInt(upTo + at + 1) }));
    const holdings = await balances.known(address, assets.map(formatAssetId));
    if (holdings === undefined) return undefined;
    const unitsOf = (asset: AssetId) => holdings[formatAssetId(asset)] ?? 0n;
    const held = assets.filter((asset) => unitsOf(asset) > 0n);
    for (const locked of held.filter((asset) => !onRecord.has(formatAssetId(asset)))) {
      found.push({ locked, amount: amountOf(lockedToken(tokens, locked), unitsOf(locked)) });
    }
    isOften = held.some(({ nonce }) => nonce > BigInt(upTo + AT_ONCE / 2));
  }
  return { locks: found, lockedToken: tokenId, upTo };
}

/** An epoch that has begun is a second step: somebody may know what they do. A day that is over is a mistake. */
function assertNotOver(until: Until, now: number): void {
  if (!("epoch" in until) && momentOf(until, now) <= now) {
    throw new Fault("unlock-time-past", { text: formatUntil(until) });
  }
}

/** Beyond this many years a lock is more likely a mistake than intended. */
const MAX_YEARS = 20n;
/** A longer lock needs a second step, and so does one whose date is unknown. */
const YEARS_WITHOUT_ASKING = 2n;

/**
 * When a lock ends, and in how many years where that has to be agreed to.
 * @param length of an epoch, for a node that does not say which epoch it is.
 * @throws Fault `lock-too-long`, `epoch-length-unknown`.
 */
function whenUnlocked(
  until: Until,
  status: ChainStatus | undefined,
  now: number,
  length: Pick<ChainStatus, "epochMilliseconds">,
) {
  const { epoch, beginsAt } = unlockTimeAt(until, status, now);
  const wait = waitFor(epoch, status ?? { epoch: 0n, ...length });
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
