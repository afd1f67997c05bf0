import type { Issued, World } from "../world.js";
import type { Address } from "./address.js";
import { createJournal } from "./journal.js";
import { createLedger } from "./ledger.js";

export type PairState = "Inactive" | "Active" | "PartialActive";

/** A pair contract's storage. Reserves are separate from balances: tokens sent to the pair do not change the price. */
export interface Pair {
  readonly firstToken: string;
  readonly secondToken: string;
  readonly reserveFirst: bigint;
  readonly reserveSecond: bigint;
  readonly lpToken?: string;
  /** LP units that have a share in the reserves. */
  readonly lpSupply: bigint;
  /** Whether the pair may mint and burn its LP token. */
  readonly hasLpRoles: boolean;
  /** Base 100000. */
  readonly totalFeePercent: bigint;
  readonly specialFeePercent: bigint;
  readonly state: PairState;
  readonly initialLiquidityAdder?: Address;
  readonly feesCollector?: { readonly address: Address; readonly cutPercentage: bigint };
  readonly feeDestinations: readonly string[];
  readonly lockedOutput?: { readonly deadlineEpoch: bigint; readonly unlockEpoch: bigint };
}

/** What a locked token represents. */
export interface LockedAttributes {
  readonly originalTokenId: string;
  readonly originalTokenNonce: bigint;
  readonly unlockEpoch: bigint;
}

export interface EnableConfig {
  readonly lockedToken: string;
  readonly minValue: bigint;
  readonly minPeriodEpochs: bigint;
}

export type ChainState = ReturnType<typeof emptyState>;

/** Everything that calls can change, and the world's settings, which they can't. */
export function emptyState(world: World) {
  const journal = createJournal();
  return {
    journal,
    ledger: createLedger(journal),
    pairs: journal.table<Address, Pair>(),
    /** The router's registry: maps `first second`, in order of creation, to the pair's address. */
    registry: journal.table<string, Address>(),
    /** A pair's creator, until its LP token is issued; counts for `temporaryOwnerBlocks`. */
    temporaryOwners: journal.table<Address, { readonly creator: Address; readonly block: number }>(),
    /** Conditions for enabling a user's pair, by common token. */
    enableConfigs: journal.table<string, EnableConfig>(),
    issuedTokens: journal.table<string, { readonly name: string; readonly precision: number }>(),
    /** Maps `token/nonce` to what it represents. */
    lockedAttributes: journal.table<string, LockedAttributes>(),
    /** The lock's nonces by what they represent; they remain after all units are burned. */
    lockNonces: journal.table<string, bigint>(),
    /** What issuers can do, by token; absent: nothing. */
    issued: journal.table<string, Issued>(),
    world,
  };
}

/** The pair of two tokens, in either order. */
export function findPair(state: ChainState, tokenA: string, tokenB: string): Address | undefined {
  return state.registry.get(`${tokenA} ${tokenB}`) ?? state.registry.get(`${tokenB} ${tokenA}`);
}

/** The pair at an address, if the router's registry has it for its two tokens. */
export function registeredPair(state: ChainState, address: Address): Pair | undefined {
  const pair = state.pairs.get(address);
  return pair && state.registry.get(`${pair.firstToken} ${pair.secondToken}`) === address ? pair : undefined;
}

/** Decimals of a token that the world declares or that was issued since. */
export function precisionOf(state: ChainState, tokenId: string): number | undefined {
  return (state.world.tokens.find(({ id }) => id === tokenId) ?? state.issuedTokens.get(tokenId))?.precision;
}
