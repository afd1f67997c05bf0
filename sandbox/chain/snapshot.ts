import type { Address } from "./address.js";
import type { BlockTime } from "./block-time.js";
import { assetText } from "./ledger.js";
import type { ChainState } from "./state.js";

/** The chain's current state as plain JSON, for the inspector. Amounts are base units as decimal text. */
export function takeSnapshot(state: ChainState, time: BlockTime) {
  const { blocksPerEpoch, blockMilliseconds } = state.world.chain;
  return {
    epoch: time.epoch(),
    block: time.block(),
    /** Unless someone advances the epoch. */
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
      /** Base 100000. */
      totalFeePercent: pair.totalFeePercent.toString(),
      state: pair.state,
    })),
    /** What each nonce of a locked token represents, by asset. */
    locked: Object.fromEntries(
      state.lockedAttributes.entries().map(([asset, attributes]) => {
        const { originalTokenId: tokenId, originalTokenNonce: nonce, unlockEpoch } = attributes;
        return [asset, { asset: assetText({ tokenId, nonce }), unlockEpoch: unlockEpoch.toString() }];
      }),
    ),
  };
}

/** The world's accounts first, then the contracts, then all others with a balance. */
function accountsOf(state: ChainState) {
  const { accounts, router, referral, simpleLock } = state.world;
  const known = new Map<Address, { address: Address; name: string; telegramId?: number; isContract: boolean }>();
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
  // Units by asset, without zeros.
  return [...known.values()].map((account) => ({ ...account, balances: balances.get(account.address) ?? {} }));
}
