import type { Logger } from "pino";
import type { Address } from "../../encoding/address.js";
import { amountOf, formatAssetId, type AssetId } from "../../encoding/amount.js";
import { untilToTime, type Until } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { readOrLog } from "../../loop.js";
import type { Database } from "../../store/store.js";
import type { Balances, ChainStatus, ContractGateway } from "../chain/query-gateway.js";
import { asListed, type TokenList } from "../market/token-list.js";
import { type Lock, openLocks } from "./lock-record.js";
import { lockedToken, type Locked } from "./lock-request.js";

/** Locked tokens that an account holds, and the bot has no open lock for. */
export interface HeldLocks {
  readonly locks: readonly Locked[];
  /** Id of the token that the contract issues. */
  readonly lockedToken: string;
  /** The last nonce that was asked for: nodes don't list an account's. */
  readonly upTo: number;
}

/** The contract that locks tokens until an epoch, and the locks on record. */
export interface LockContract {
  readonly target: { readonly contract: "simpleLock"; readonly address: Address };
  /** The epoch's length is the node's, or else the operator's. @throws Fault `service-…`. */
  readonly epochStatus: () => Promise<ChainStatus>;
  /** Same as `epochStatus`, but undefined if the node can't tell. Never throws a Fault. */
  readonly statusIfTold: () => Promise<ChainStatus | undefined>;
  /** As operators configured it, if they did. */
  readonly epochLength: { readonly epochMilliseconds?: number };
  /** Locks on record that hold something. @throws Fault `store-unreadable`. */
  readonly open: (owner: number) => Promise<Lock[]>;
  /** Id of the token that the contract issues; undefined if the node doesn't report it. */
  readonly issuedToken: () => Promise<string | undefined>;
  /** Undefined if balances can't be read quickly. */
  readonly heldElsewhere: (owner: number, address: Address) => Promise<HeldLocks | undefined>;
}

/** Nonces per request. If one in the upper half of a batch is held, the next batch is read, up to the maximum. */
const NONCES_PER_REQUEST = 32;
const MAX_NONCE = 192;

export function createLockContract(parts: {
  readonly store: Pick<Database, "db">;
  readonly gateway: Pick<ContractGateway, "chainStatus" | "query">;
  readonly balances: Pick<Balances, "known">;
  readonly tokens: TokenList;
  readonly log: Logger;
  readonly lockContract: Address;
  readonly epochSeconds: number | undefined;
}): LockContract {
  const { balances, epochSeconds, gateway, store, tokens } = parts;
  const target = { contract: "simpleLock", address: parts.lockContract } as const;
  const epochLength = epochSeconds === undefined ? {} : { epochMilliseconds: epochSeconds * 1000 };
  const epochStatus = async (): Promise<ChainStatus> => ({ ...epochLength, ...(await gateway.chainStatus()) });

  let issued: string | undefined;
  const askIssued = async () => (await gateway.query(target, "getLockedTokenId", {}))[0];
  const issuedToken = async () => (issued ??= await readOrLog(parts, "Lock contract's token unreadable", askIssued));

  return {
    target,
    epochStatus,
    statusIfTold: () => readOrLog(parts, "Epoch unreadable", epochStatus),
    epochLength,
    open: async (owner: number) =>
      (await openLocks(store.db, owner)).map((one) => ({ ...one, amount: asListed(one.amount, tokens.named) })),
    issuedToken,
    heldElsewhere: async (owner: number, address: Address) => {
      const tokenId = await issuedToken();
      if (tokenId === undefined) return undefined;
      const onRecord = new Set((await openLocks(store.db, owner)).map(({ locked }) => formatAssetId(locked)));
      const locks: Locked[] = [];
      let upTo = 0;
      for (let isOften = true; isOften && upTo < MAX_NONCE; upTo += NONCES_PER_REQUEST) {
        const assets = Array.from({ length: NONCES_PER_REQUEST }, (_, at) => ({
          tokenId,
          nonce: BigInt(upTo + at + 1),
        }));
        const holdings = await balances.known(address, assets.map(formatAssetId));
        if (holdings === undefined) return undefined;
        const unitsOf = (asset: AssetId) => holdings[formatAssetId(asset)] ?? 0n;
        const held = assets.filter((asset) => unitsOf(asset) > 0n);
        for (const locked of held.filter((asset) => !onRecord.has(formatAssetId(asset)))) {
          locks.push({ locked, amount: amountOf(lockedToken(tokens, locked), unitsOf(locked)) });
        }
        isOften = held.some(({ nonce }) => nonce > BigInt(upTo + NONCES_PER_REQUEST / 2));
      }
      return { locks, lockedToken: tokenId, upTo };
    },
  };
}

export const LOCK_YEAR_MS = 31_557_600_000n;
/** Epoch length on Klever mainnet (klever-go: 5400 slots of four seconds), used if the node doesn't report it. */
const USUAL_EPOCH_MS = 21_600_000;
const LAST_MOMENT = 8.64e15;

/** Rounds up to the start of an epoch. @throws Fault `epoch-length-unknown` unless `until` is an epoch. */
export function unlockTimeAt(until: Until, status: ChainStatus | undefined, now: number) {
  if ("epoch" in until) return unlockTimeOf(until.epoch, status, now);
  const target = untilToTime(until, now);
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined) throw new Fault("epoch-length-unknown", {});
  const further = Math.max(0, Math.ceil((target - nextEpochAt(status, length, now)) / length));
  return unlockTimeOf(target <= now ? status.epoch : status.epoch + 1n + BigInt(further), status, now);
}

/** Milliseconds until an epoch, assuming the usual length if the epoch length is unknown. */
export function waitFor(epoch: bigint, status: Pick<ChainStatus, "epoch" | "epochMilliseconds">): bigint {
  const length = BigInt(Math.round(status.epochMilliseconds ?? USUAL_EPOCH_MS));
  return epoch > status.epoch ? (epoch - status.epoch) * length : 0n;
}

export interface UnlockTime {
  readonly epoch: bigint;
  /**
   * In milliseconds since 1970, estimated. Absent if the epoch has begun or is beyond the range of `Date`, or if the
   * epoch length is unknown.
   */
  readonly beginsAt?: number;
}

/** Estimates when an epoch begins. */
export function unlockTimeOf(epoch: bigint, status: ChainStatus | undefined, now: number): UnlockTime {
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined || epoch <= status.epoch) return { epoch };
  // oxlint-disable-next-line money/no-floating-point -- a count of epochs, never an amount
  const beginsAt = nextEpochAt(status, length, now) + Number(epoch - status.epoch - 1n) * length;
  return beginsAt > LAST_MOMENT ? { epoch } : { epoch, beginsAt };
}

/** Assumes that the epoch has just begun if the node doesn't report its end: better late than early. */
function nextEpochAt(status: ChainStatus, length: number, now: number): number {
  return status.nextEpochAt ?? now + length;
}
