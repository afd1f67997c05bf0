import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { NATIVE_TOKEN as KLV } from "../../encoding/amount.js";
import { contractCall, type ContractCall } from "../../encoding/call.js";
import { unlessFault } from "../../fault.js";
import type { ContractGateway } from "../../services/chain/query-gateway.js";
import { amountIn, FEE_BASE } from "../../services/market/pool.js";

/** Base units that come out of the smallest trade: 1 % of it is still one unit. */
const SMALLEST_OUT = 100n;
/** Base 100000; higher than any pair's fee. */
const ASSUMED_FEE = 5_000n;
const FAR_EPOCH = 1_000_000n;

export function targetsOf({ referralContract, routerContract, lockContract }: Config) {
  return {
    referral: { contract: "referral", address: referralContract },
    router: { contract: "router", address: routerContract },
    lock: { contract: "simpleLock", address: lockContract },
  } as const;
}

/** Makes up what the node doesn't provide, so that at least the form of the calls is tried. */
export async function smallestCalls(
  config: Config,
  gateway: Pick<ContractGateway, "query">,
  person: Address,
): Promise<readonly ContractCall[]> {
  const { referral, router, lock } = targetsOf(config);
  const [listed = [], [lockedToken] = [""]] = await Promise.all([
    unlessFault(() => gateway.query(router, "getAllPairContractMetadata", {})),
    unlessFault(() => gateway.query(lock, "getLockedTokenId", {})),
  ]);
  const pairs = listed.flatMap(({ address, ...each }) => (address === undefined ? [] : [{ ...each, address }]));
  const pool = pairs.find(({ firstTokenId, secondTokenId }) => [firstTokenId, secondTokenId].includes(KLV));
  const pair = { pair_address: pool?.address ?? config.routerContract };
  const pairAt = (address: Address) => ({ contract: "pair", address }) as const;
  const read = async () => gateway.query(pairAt(pair.pair_address), "getReservesAndTotalSupply", {});
  const [first, second] = (pool && (await unlessFault(read))) ?? [0n, 0n];
  const klvIsFirst = pool?.firstTokenId === KLV;
  const token = (klvIsFirst ? pool.secondTokenId : pool?.firstTokenId) ?? "KFI";
  const [reserveIn, reserveOut] = klvIsFirst ? [first, second] : [second, first];
  const side = { reserveIn, reserveOut, kept: FEE_BASE - ASSUMED_FEE };
  const paid = [{ tokenId: KLV, units: reserveOut > SMALLEST_OUT ? amountIn(side, SMALLEST_OUT) : 1n }];
  const unitOf = (tokenId: string) => ({ tokenId, units: 1n });
  const locked = [{ ...unitOf(lockedToken || "LOCKED-0000"), nonce: 1n }];
  // Two payments reach a contract sorted by token, so the bot makes them only if that is the pair's order.
  const straight = pairs.find(({ firstTokenId, secondTokenId }) => firstTokenId < secondTokenId);
  const deposit = [straight?.firstTokenId ?? "KFI", straight?.secondTokenId ?? KLV].map(unitOf);
  const swap = {
    referral_address: config.referralAddress,
    referral_percentage: BigInt(config.referralPercentage),
    token_in: KLV,
    token_out: token,
    amount_out_min: 1n,
    amount_out_destination: person,
  };
  const hop = { ...pair, function: "swapTokensFixedInput", token_wanted: token, amount_wanted: 1n } as const;

  return [
    contractCall(referral, "swap", swap, paid),
    contractCall(router, "multiPairSwap", { swap_operations: [hop] }, paid),
    contractCall(lock, "lockTokens", { unlock_epoch: FAR_EPOCH, opt_destination: person }, [unitOf(KLV)]),
    contractCall(lock, "unlockTokens", { opt_destination: person }, locked),
    contractCall(router, "createPair", unpaired(pairs) ?? { first_token_id: KLV, second_token_id: token }),
    contractCall(router, "issueLpToken", { ...pair, lp_token_display_name: "TRIAL", lp_token_ticker: "TRIAL" }),
    contractCall(router, "setLocalRoles", pair),
    contractCall(pairAt(straight?.address ?? config.routerContract), "addInitialLiquidity", {}, deposit),
    contractCall(router, "setSwapEnabledByUser", pair, locked),
  ];
}

function unpaired(pairs: readonly { readonly firstTokenId: string; readonly secondTokenId: string }[]) {
  const tokens = [...new Set(pairs.flatMap(({ firstTokenId, secondTokenId }) => [firstTokenId, secondTokenId]))].sort();
  const isPaired = (...both: readonly string[]) =>
    pairs.some(({ firstTokenId, secondTokenId }) => both.includes(firstTokenId) && both.includes(secondTokenId));
  for (const first of tokens) {
    const second = tokens.find((each) => each > first && !isPaired(first, each));
    if (second !== undefined) return { first_token_id: first, second_token_id: second };
  }
  return undefined;
}
