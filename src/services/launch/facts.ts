import type { Address } from "../../encoding/address.js";
import type { EnableSwapByUserConfig, PairState } from "../../encoding/result.js";
import { isFault, SERVICE_AWAY, type Fault } from "../../fault.js";
import type { ContractGateway } from "../intent/gateway.js";
import type { LockContract } from "../lock/contract.js";
import type { Launch } from "./record.js";

/** Undefined fields: the node does not report them. */
export interface LaunchFacts {
  /** False: what is absent may be there to ask later. */
  readonly isReachable: boolean;
  readonly pair?: Address | "none" | undefined;
  readonly firstTokenId?: string | undefined;
  /** Empty: not issued yet. */
  readonly lpTokenId?: string | undefined;
  readonly reserves?: { readonly first: bigint; readonly second: bigint; readonly supply: bigint } | undefined;
  readonly state?: PairState | undefined;
  readonly adder?: Address | "none" | undefined;
  /** Empty: neither of the two. */
  readonly common?: string | undefined;
  readonly config?: EnableSwapByUserConfig | "none" | undefined;
  readonly epoch?: bigint | undefined;
}

/** The router's words where its owner has set no conditions for a token (mx-exchange-sc dex/router). */
const NO_CONFIG = "No config set";

/** In parallel; what a node does not report, or can't be asked now, is left out. */
export async function readFacts(
  parts: {
    readonly gateway: Pick<ContractGateway, "query">;
    readonly lock: Pick<LockContract, "epochStatus">;
    readonly settings: { readonly routerContract: Address };
  },
  { firstToken, secondToken, pair: knownPair }: Launch,
): Promise<LaunchFacts> {
  const { gateway } = parts;
  const router = { contract: "router", address: parts.settings.routerContract } as const;
  let isReachable = true;
  /** The answer, or undefined where there is none; a fault that is an answer in itself is read by `meaning`. */
  const told = async <Value>(answer: Promise<Value>, meaning?: (fault: Fault) => Value | undefined) => {
    try {
      return await answer;
    } catch (fault) {
      if (!isFault(fault)) throw fault;
      if (isOutage(fault)) isReachable = false;
      return meaning?.(fault);
    }
  };

  const askPair = async (): Promise<Partial<LaunchFacts>> => {
    const tokens = { first_token_id: firstToken.id, second_token_id: secondToken.id };
    const found = await told<readonly [Address | "none"]>(gateway.query(router, "getPair", tokens), (fault) =>
      // No pair is answered with the zero address.
      isFault(fault, "address-zero") ? ["none"] : undefined,
    );
    const pair = found?.[0];
    const address = pair ?? knownPair;
    if (address === undefined || address === "none") return { pair };
    const target = { contract: "pair", address } as const;
    const [first, lp, reserves, state, adder] = await Promise.all([
      told(gateway.query(target, "getFirstTokenId", {})),
      told(gateway.query(target, "getLpTokenIdentifier", {})),
      told(gateway.query(target, "getReservesAndTotalSupply", {})),
      told(gateway.query(target, "getState", {})),
      told(gateway.query(target, "getInitialLiquidtyAdder", {})),
    ]);
    return {
      pair,
      firstTokenId: first?.[0],
      lpTokenId: lp?.[0],
      reserves: reserves && { first: reserves[0], second: reserves[1], supply: reserves[2] },
      state: state?.[0],
      adder: adder && (adder[0] ?? "none"),
    };
  };

  /** The router takes the pair's first token if it is a common one, else the second. */
  const askConditions = async (): Promise<Partial<LaunchFacts>> => {
    const listed = await told(gateway.query(router, "getCommonTokensForUserPairs", {}));
    if (listed === undefined) return {};
    const common = [firstToken.id, secondToken.id].find((id) => listed.includes(id));
    if (common === undefined) return { common: "" };
    const config = await told<readonly [EnableSwapByUserConfig | "none"]>(
      gateway.query(router, "getEnableSwapByUserConfig", { token_id: common }),
      (fault) =>
        isFault(fault, "contract-failed") && fault.parameters.text.includes(NO_CONFIG) ? ["none"] : undefined,
    );
    return { common, config: config?.[0] };
  };

  const [pair, conditions, status] = await Promise.all([askPair(), askConditions(), told(parts.lock.epochStatus())]);
  return { isReachable, ...pair, ...conditions, epoch: status?.epoch };
}

/** Other than an answer that it has no such view. */
function isOutage(fault: Fault): boolean {
  if (isFault(fault, "service-status")) return fault.parameters.status >= 500;
  return isFault(fault, ...SERVICE_AWAY, "node-refused", "service-unauthorized");
}
