import { addressToBytes, type Address } from "../../encoding/address.js";
import type { HeardTransactions } from "../chain/heard-transactions.js";
import type { Transfer } from "../chain/transfers.js";
import type { ListedPair } from "./pools.js";

/** A swap in a pair: what was paid into it, and what it gave, in base units. */
export interface PairTrade {
  readonly paid: string;
  readonly paidUnits: bigint;
  readonly got: string;
  readonly gotUnits: bigint;
}

/** A swap that is on the chain, with a block on top. */
export interface SeenTrade extends PairTrade {
  readonly pair: Address;
  readonly hash: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** Tells of swaps in pairs, as the node's feed tells of them and the node confirms them. */
export interface PairTrades extends Pick<HeardTransactions, "missedAt" | "run"> {
  /** Of each pair once. @returns a function that ends it. */
  readonly watch: (pair: ListedPair, onTrade: (trade: SeenTrade) => Promise<void>) => () => void;
}

export function createPairTrades({ listen, missedAt, run }: HeardTransactions): PairTrades {
  return {
    missedAt,
    run,
    watch: (pair, onTrade) =>
      listen(pair.address, async ({ hash, heardAt: at, isOk, transfers }) => {
        const trade = isOk ? pairTradeIn(pair, transfers) : undefined;
        if (trade !== undefined) await onTrade({ ...trade, pair: pair.address, hash, at });
      }),
  };
}

const NOBODY = Buffer.alloc(32).toString("base64");

/**
 * What a transaction swapped in a pair, by what moved in and out of it: in all, if there are several swaps. Undefined if
 * it didn't: liquidity moves both tokens the same way, and shares of the pool; a gift moves one.
 */
export function pairTradeIn(
  { address, first, second }: ListedPair,
  transfers: readonly Transfer[],
): PairTrade | undefined {
  const pair = Buffer.from(addressToBytes(address)).toString("base64");
  const [paidIn, givenOut] = [transfers.filter(({ to }) => to === pair), transfers.filter(({ from }) => from === pair)];
  if ([...paidIn, ...givenOut].some(({ asset }) => asset !== first && asset !== second)) return undefined;
  const payers = new Set(paidIn.map(({ from }) => from));
  const sides = [first, second].map((token) => {
    const own = givenOut.filter(({ asset }) => asset === token);
    return {
      token,
      into: sum(paidIn.filter(({ asset, from }) => asset === token && from !== NOBODY)),
      // A part of the fee is burned, or collected elsewhere.
      out: sum(own.filter(({ to }) => to !== NOBODY)),
      back: sum(own.filter(({ to }) => payers.has(to))),
    };
  });
  const paid = sides.find(({ into, out }) => into > out);
  const got = sides.find(({ into, out }) => into < out);
  if (paid === undefined || got === undefined) return undefined;
  return { paid: paid.token, paidUnits: paid.into - paid.back, got: got.token, gotUnits: got.out - got.into };
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, { units }) => total + units, 0n);
}
