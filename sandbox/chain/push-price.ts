import type { Address } from "./address.js";
import { otherToken } from "./contracts/pair-pool.js";
import type { ChainState } from "./state.js";

/** Moves the price of a pair's token by changing the reserve of the other token. */
export function pushPrice(state: ChainState, address: Address, token: string, percent: bigint): void {
  const { journal, ledger, pairs } = state;
  journal.atomically(() => {
    const pair = pairs.get(address);
    const tokenId = pair && otherToken(pair, token);
    if (pair === undefined || tokenId === undefined) throw new Error("there is no such pair of that token");
    const reserve = tokenId === pair.firstToken ? "reserveFirst" : "reserveSecond";
    const units = (pair[reserve] * percent) / 100n;
    if (units > 0n) ledger.mint(address, { tokenId, nonce: 0n, units });
    else ledger.burn(address, { tokenId, nonce: 0n, units: -units });
    pairs.set(address, { ...pair, [reserve]: pair[reserve] + units });
  });
}
