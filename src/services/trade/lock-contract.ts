import type { Logger } from "pino";
import type { Address } from "../../encoding/address.js";
import { amountOf, formatAssetId, type AssetId } from "../../encoding/amount.js";
import { untilToTime, type Until } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { readOrLog } from "../../loop.js";
import type { Database } from "../../store/store.js";
import type { Balances, ChainStatus, ContractGateway } from "../chain/query-gateway.js";
import { asListed, type TokenList } from "../market/token-list.js";
import { openLocks } from "./lock-record.js";
import { lockedToken, type Locked } from "./lock-request.js";

export type LockContract = ReturnType<typeof createLockContract>;

export type HeldLocks = NonNullable<Awaited<ReturnType<LockContract["heldElsewhere"]>>>;

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
}) {
  const { balances, epochSeconds, gateway, store, tokens } = parts;
  const target = { contract: "simpleLock", address: parts.lockContract } as const;
  const epochLength = epochSeconds === undefined ? {} : { epochMilliseconds: epochSeconds * 1000 };
  const epochStatus = async (): Promise<ChainStatus> => ({ ...epochLength, ...(await gateway.chainStatus()) });

  let issued: string | undefined;
  const askIssued = async () => (await gateway.query(target, "getLockedTokenId", {}))[0];
  const issuedToken = async () => (issued ??= await readOrLog(parts, "Lock contract's token unreadable", askIssued));

  return {
    target,
    /** The epoch's length is the node's, or else the operator's. @throws Fault `service-…`. */
    epochStatus,
    statusIfTold: () => readOrLog(parts, "Epoch unreadable", epochStatus),
    epochLength,
    /** Locks on record that hold something. @throws Fault `store-unreadable`. */
    open: async (owner: number) =>
      (await openLocks(store.db, owner)).map((one) => ({ ...one, amount: asListed(one.amount, tokens.named) })),
    /** Id of the token that the contract issues; undefined if the node doesn't report it. */
    issuedToken,
    /** Locked tokens of an account that the bot has no open lock for; undefined if balances can't be read quickly. */
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
      // Nodes don't list an account's nonces, so each one up to `upTo` was queried.
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

/**
 * Estimates when an epoch begins, in milliseconds since 1970. `beginsAt` is absent if the epoch has begun or is beyond
 * the range of `Date`, or if the epoch length is unknown.
 */
export function unlockTimeOf(epoch: bigint, status: ChainStatus | undefined, now: number) {
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
