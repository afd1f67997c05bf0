import type { Address } from "./address.js";
import type { BlockTime } from "./block-time.js";
import type { ChainState, PairState } from "./state.js";

/** The chain at one moment as plain JSON, for the inspector. Amounts are smallest units in decimal text. */
export interface Snapshot {
  readonly epoch: number;
  readonly block: number;
  /** What is left of the epoch when nobody advances it. */
  readonly nextEpochInMilliseconds: number;
  readonly tokens: readonly TokenSnapshot[];
  readonly accounts: readonly AccountSnapshot[];
  readonly pools: readonly PoolSnapshot[];
  /** What each nonce of a locked token stands for, by asset. */
  readonly locked: Readonly<Record<string, { readonly asset: string; readonly unlockEpoch: string }>>;
}

interface TokenSnapshot {
  readonly id: string;
  readonly name: string;
  readonly precision: number;
  readonly kind: "fungible" | "semi-fungible";
}

interface AccountSnapshot {
  readonly address: Address;
  readonly name: string;
  readonly telegramId?: number;
  readonly isContract: boolean;
  /** Units by asset, without those of zero. */
  readonly balances: Readonly<Record<string, string>>;
}

interface PoolSnapshot {
  readonly address: Address;
  readonly firstToken: string;
  readonly secondToken: string;
  readonly reserveFirst: string;
  readonly reserveSecond: string;
  readonly lpToken?: string;
  readonly lpSupply: string;
  /** Base 100000. */
  readonly totalFeePercent: string;
  readonly state: PairState;
}

export function takeSnapshot(state: ChainState, time: BlockTime): Snapshot {
  const { blocksPerEpoch, blockMilliseconds } = state.world.chain;
  return {
    epoch: time.epoch(),
    block: time.block(),
    nextEpochInMilliseconds: (time.epochStartBlock() + blocksPerEpoch - time.block()) * blockMilliseconds,
    tokens: [
      ...state.world.tokens,
      ...state.issuedTokens.entries().map(([id, token]) => ({ id, ...token, kind: "fungible" as const })),
    ],
    accounts: accountsOf(state),
    pools: state.pairs.entries().map(([address, pair]) => ({
      address,
      firstToken: pair.firstToken,
      secondToken: pair.secondToken,
      reserveFirst: pair.reserveFirst.toString(),
      reserveSecond: pair.reserveSecond.toString(),
      ...(pair.lpToken !== undefined && { lpToken: pair.lpToken }),
      lpSupply: pair.lpSupply.toString(),
      totalFeePercent: pair.totalFeePercent.toString(),
      state: pair.state,
    })),
    locked: Object.fromEntries(
      state.lockedAttributes.entries().map(([asset, attributes]) => {
        const { originalTokenId: id, originalTokenNonce: nonce, unlockEpoch } = attributes;
        return [asset, { asset: nonce === 0n ? id : `${id}/${nonce}`, unlockEpoch: unlockEpoch.toString() }];
      }),
    ),
  };
}

/** The world's accounts first, then the contracts, then others that came to hold something. */
function accountsOf(state: ChainState): readonly AccountSnapshot[] {
  const { accounts, router, referral, simpleLock } = state.world;
  const known = new Map<Address, Omit<AccountSnapshot, "balances">>();
  for (const { address, name = "Account", telegramId } of accounts) {
    known.set(address, { address, name, isContract: false, ...(telegramId !== undefined && { telegramId }) });
  }
  const contracts: readonly (readonly [Address, string])[] = [
    [router.address, "Router"],
    [referral.address, "Referral"],
    [simpleLock.address, "Simple lock"],
    ...state.pairs
      .entries()
      .map(([address, { firstToken, secondToken }]) => [address, `Pair ${firstToken}/${secondToken}`] as const),
  ];
  for (const [address, name] of contracts) known.set(address, { address, name, isContract: true });

  const balances = new Map<Address, Record<string, string>>();
  for (const { owner, asset, units } of state.ledger.holdings()) {
    balances.set(owner, { ...balances.get(owner), [asset]: units.toString() });
    if (!known.has(owner)) known.set(owner, { address: owner, name: "Account", isContract: false });
  }
  return [...known.values()].map((account) => ({ ...account, balances: balances.get(account.address) ?? {} }));
}
