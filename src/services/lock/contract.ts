import type { Logger } from "pino";
import type { Address } from "../../encoding/address.js";
import { amountOf } from "../../encoding/amount.js";
import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import { unlessFault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import type { Balances } from "../gateway/balances.js";
import type { ChainStatus, ContractGateway } from "../intent/gateway.js";
import type { TokenList } from "../token/list.js";
import { openLocks } from "./record.js";
import { lockedToken, type Locked } from "./request.js";

export type LockContract = ReturnType<typeof createLockContract>;

export interface HeldLocks {
  readonly locks: readonly Locked[];
  /** Nodes list no account's nonces, so each is asked for, up to this one. */
  readonly lockedToken: string;
  readonly upTo: number;
}

interface LockContractParts {
  readonly store: Pick<Database, "db">;
  readonly gateway: Pick<ContractGateway, "chainStatus" | "query">;
  readonly balances: Pick<Balances, "known">;
  readonly tokens: TokenList;
  readonly log: Logger;
  readonly lockContract: Address;
  readonly epochSeconds: number | undefined;
}

/** Numbers asked for at once; where the last ones were held, more are asked for, up to the most. */
const BATCH = 32;
const MAX_NONCE = 192;

export function createLockContract(parts: LockContractParts) {
  const { balances, epochSeconds, gateway, log, store, tokens } = parts;
  const target = { contract: "simpleLock", address: parts.lockContract } as const;
  const epochLength = epochSeconds === undefined ? {} : { epochMilliseconds: epochSeconds * 1000 };
  const epochStatus = async (): Promise<ChainStatus> => ({ ...epochLength, ...(await gateway.chainStatus()) });

  let issued: string | undefined;
  const issuedToken = async () => {
    issued ??= await unlessFault(
      async () => (await gateway.query(target, "getLockedTokenId", {}))[0],
      (err) => log.info({ err }, "Lock contract's token unreadable"),
    );
    return issued;
  };

  return {
    target,
    /** By the node or the operator. @throws Fault `service-…`. */
    epochStatus,
    statusIfTold: () => unlessFault(epochStatus, (err) => log.info({ err }, "Epoch unreadable")),
    epochLength,
    /** Undefined where the node does not tell. */
    issuedToken,
    /** What an account holds besides its open locks; undefined where that can't be known in a moment. */
    heldBeside: async (owner: number, address: Address): Promise<HeldLocks | undefined> => {
      const tokenId = await issuedToken();
      if (tokenId === undefined) return undefined;
      const onRecord = new Set((await openLocks(store.db, owner)).map(({ locked }) => formatAssetId(locked)));
      const locks: Locked[] = [];
      let upTo = 0;
      for (let isOften = true; isOften && upTo < MAX_NONCE; upTo += BATCH) {
        const assets = Array.from({ length: BATCH }, (_, at) => ({ tokenId, nonce: BigInt(upTo + at + 1) }));
        const holdings = await balances.known(address, assets.map(formatAssetId));
        if (holdings === undefined) return undefined;
        const unitsOf = (asset: AssetId) => holdings[formatAssetId(asset)] ?? 0n;
        const held = assets.filter((asset) => unitsOf(asset) > 0n);
        for (const locked of held.filter((asset) => !onRecord.has(formatAssetId(asset)))) {
          locks.push({ locked, amount: amountOf(lockedToken(tokens, locked), unitsOf(locked)) });
        }
        isOften = held.some(({ nonce }) => nonce > BigInt(upTo + BATCH / 2));
      }
      return { locks, lockedToken: tokenId, upTo };
    },
  };
}
