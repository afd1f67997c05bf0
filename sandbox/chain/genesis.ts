import type { World } from "../world.js";
import { MINIMUM_LIQUIDITY } from "./amm.js";
import { lockedAttributesKey } from "./codec.js";
import { assetOf, assetText } from "./ledger.js";
import { emptyState, type ChainState } from "./state.js";

/** Builds the chain's state from a world. */
export function createState(world: World): ChainState {
  const state = emptyState(world);
  for (const { address, balances } of world.accounts) {
    for (const [asset, units] of Object.entries(balances)) state.ledger.mint(address, { ...assetOf(asset), units });
  }
  for (const [id, issued] of Object.entries(world.issued)) state.issued.set(id, issued);
  for (const each of world.lockedNonces) addLockedNonce(state, each);
  for (const each of world.pairs) addPair(state, each);
  for (const { commonToken, ...config } of world.router.enableSwapByUser) state.enableConfigs.set(commonToken, config);
  return state;
}

function addPair(state: ChainState, declared: World["pairs"][number]): void {
  const { address, lpToken, initialLiquidityAdder, feesCollector, lockedOutput, ...figures } = declared;
  state.registry.set(`${declared.firstToken} ${declared.secondToken}`, address);
  state.pairs.set(address, {
    ...figures,
    hasLpRoles: lpToken !== undefined,
    totalFeePercent: BigInt(declared.totalFeePercent),
    specialFeePercent: BigInt(declared.specialFeePercent),
    ...(lpToken !== undefined && { lpToken }),
    ...(initialLiquidityAdder !== undefined && { initialLiquidityAdder }),
    ...(feesCollector !== undefined && {
      feesCollector: { address: feesCollector.address, cutPercentage: BigInt(feesCollector.cutPercentage) },
    }),
    ...(lockedOutput !== undefined && { lockedOutput }),
  });
  state.ledger.mint(address, { tokenId: declared.firstToken, nonce: 0n, units: declared.reserveFirst });
  state.ledger.mint(address, { tokenId: declared.secondToken, nonce: 0n, units: declared.reserveSecond });
  if (lpToken !== undefined) distributeLp(state, declared, lpToken);
}

function distributeLp(state: ChainState, pair: World["pairs"][number], lpToken: string): void {
  const lp = { tokenId: lpToken, nonce: 0n };
  const kept = pair.lpSupply < MINIMUM_LIQUIDITY ? pair.lpSupply : MINIMUM_LIQUIDITY;
  const rest = pair.lpSupply - kept - state.ledger.supply(lp);
  state.ledger.mint(pair.address, { ...lp, units: kept });
  // Holdings may exceed the LP supply that shares the reserves, as with the units issued to the router.
  if (rest > 0n) state.ledger.mint(state.world.router.owner, { ...lp, units: rest });
}

/** For the lock contract's own nonces, it also holds the original tokens and the one unit that keeps the nonce. */
function addLockedNonce(state: ChainState, declared: World["lockedNonces"][number]): void {
  const { tokenId, nonce, ...attributes } = declared;
  const { address, lockedToken } = state.world.simpleLock;
  const asset = { tokenId, nonce };
  state.lockedAttributes.set(assetText(asset), attributes);
  if (tokenId !== lockedToken) return;
  state.lockNonces.set(lockedAttributesKey(attributes), nonce);
  state.ledger.mint(address, {
    tokenId: attributes.originalTokenId,
    nonce: attributes.originalTokenNonce,
    units: state.ledger.supply(asset),
  });
  state.ledger.mint(address, { ...asset, units: 1n });
}
