import type { Logger } from "pino";
import { callData, type ContractCall } from "../../encoding/call.js";
import { Fault } from "../../fault.js";
import type { Clock } from "../../clock.js";
import type { SigningGateway } from "../clients/gateway.js";
import type { Http } from "../clients/http.js";
import { createContractViews } from "../clients/wire-gateway.js";
import type { ChainNode } from "./node.js";
import { prepareTransaction } from "./prepare.js";

/** For how long the node is believed to be of the chain that it said it is of. */
const CHAIN_HOLDS = 60_000;

/**
 * The gateway to a real chain: a node builds a transaction of each call, the person's wallet signs it, and the node is given
 * the bytes that were checked and hashed here.
 */
export function createWalletGateway(parts: {
  readonly nodeUrl: string;
  readonly node: ChainNode;
  readonly http: Http;
  readonly hide: (text: string) => string;
  readonly chainId: string;
  /** In the smallest units of KLV. */
  readonly maxNetworkFee: bigint;
  readonly signSeconds: number;
  /** 32 random bytes in base64url. */
  readonly newToken: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}): SigningGateway {
  const { node, clock, log, chainId } = parts;
  let askedAt = Number.NEGATIVE_INFINITY;

  const assertChain = async (): Promise<void> => {
    if (clock.monotonic() - askedAt < CHAIN_HOLDS) return;
    const told = await node.chainId();
    if (told !== chainId) {
      log.error({ told, configured: chainId }, "CHAIN_ID is not the chain of the node");
      throw new Fault("chain-mismatch", {});
    }
    askedAt = clock.monotonic();
  };

  return {
    ...createContractViews({ ...parts, returnDataEncoding: "base64", bodyOf: viewBody }),
    prepare: async (call, caller) => {
      const [transaction] = await Promise.all([prepareTransaction(parts, call, caller), assertChain()]);
      return { ...transaction, token: parts.newToken(), signUntil: clock.now() + parts.signSeconds * 1000 };
    },
  };
}

/** A call as a real node's `/vm/query` takes it: arguments in plain hex (klever-go network/api/vm). */
function viewBody(call: ContractCall): object {
  const [funcName, ...args] = callData(call).split("@");
  return { scAddress: call.scAddress, funcName, args };
}
