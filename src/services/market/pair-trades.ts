import { type Address, addressFromBytes } from "../../encoding/address.js";
import { isContract, NOBODY, type Transfer } from "../chain/transfers.js";

/** A swap in a pair: what was paid into it, and what it gave, in base units. */
export interface PairTrade {
  readonly pair: Address;
  readonly paid: string;
  readonly paidUnits: bigint;
  readonly got: string;
  readonly gotUnits: bigint;
}

/**
 * What a transaction swapped in each pair, by what moved in and out of it: in all, if there are several swaps. A pair has
 * two tokens, and moves no others in a swap: liquidity moves both the same way, and shares of the pool; a gift moves one.
 */
export function pairTradesIn(transfers: readonly Transfer[]): readonly PairTrade[] {
  const accounts = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  return [...accounts].flatMap((account) => {
    return isContract(account) && account !== NOBODY ? (pairTradeOf(account, transfers) ?? []) : [];
  });
}

/** More accounts than that pay in no usual trade. */
const MAX_PAYERS = 8;

/** The accounts, other than contracts, from which more of some token went than came. An account that only gets a fee is none. */
export function payersIn(transfers: readonly Transfer[]): readonly Address[] {
  const left = new Map<string, bigint>();
  for (const { from, to, asset, units } of transfers) {
    for (const [account, moved] of [
      [from, -units],
      [to, units],
    ] as const) {
      const key = `${account} ${asset}`;
      if (!isContract(account) && account !== NOBODY) left.set(key, (left.get(key) ?? 0n) + moved);
    }
  }
  const payers = [...left].flatMap(([key, moved]) => (moved < 0n ? (key.split(" ")[0] ?? "") : []));
  return [...new Set(payers)].slice(0, MAX_PAYERS).map((each) => addressFromBytes(Buffer.from(each, "base64")));
}

function pairTradeOf(account: string, transfers: readonly Transfer[]): PairTrade | undefined {
  const paidIn = transfers.filter(({ to }) => to === account);
  const givenOut = transfers.filter(({ from }) => from === account);
  const tokens = new Set([...paidIn, ...givenOut].map(({ asset }) => asset));
  if (tokens.size !== 2) return undefined;
  const payers = new Set(paidIn.map(({ from }) => from));
  const sides = [...tokens].map((token) => {
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
  const pair = addressFromBytes(Buffer.from(account, "base64"));
  return { pair, paid: paid.token, paidUnits: paid.into - paid.back, got: got.token, gotUnits: got.out - got.into };
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, { units }) => total + units, 0n);
}
