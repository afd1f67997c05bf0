import { createStandingCheck, type CheckAnswer, type CheckParts } from "../chain/standing-check.js";
import type { ChainNode } from "./node.js";

/** Whether the node is of the chain that this bot is set up for; otherwise `chain-mismatch`. */
export function createChainCheck(
  parts: CheckParts & { readonly node: Pick<ChainNode, "chainId">; readonly chainId: string },
) {
  const { node, chainId: configured, log } = parts;

  const ask = async (): Promise<CheckAnswer> => {
    const told = await node.chainId();
    if (told === configured) return "match";
    if (told === undefined) {
      log.warn("The node does not tell which chain it is of; CHAIN_ID is compared with each transaction only");
      return "unknown";
    }
    log.error({ told, configured }, "CHAIN_ID is not the chain of the node");
    return "mismatch";
  };
  const unread = "The node's chain could not be read; CHAIN_ID is compared with each transaction only";
  return createStandingCheck({ ...parts, ask, unread, mismatch: "chain-mismatch" });
}
