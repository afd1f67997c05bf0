import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { Fault, isFault } from "../../fault.js";
import { createStandingCheck, type CheckAnswer, type StandingCheck } from "../standing-check.js";
import type { ChainNode } from "./node.js";

/** Whether the node is of the chain that this bot is set up for; otherwise `chain-mismatch`. */
export function createChainCheck(parts: {
  readonly node: Pick<ChainNode, "chainId">;
  readonly chainId: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears of each answer. */
  readonly onAnswer?: (answer: CheckAnswer) => void;
}): StandingCheck {
  const { node, chainId: configured, log } = parts;

  const ask = async (): Promise<CheckAnswer> => {
    try {
      const told = await node.chainId();
      if (told === configured) return "match";
      if (told === undefined) {
        log.warn("The node does not tell which chain it is of; CHAIN_ID is compared with each transaction only");
        return "unknown";
      }
      log.error({ told, configured }, "CHAIN_ID is not the chain of the node");
      return "mismatch";
    } catch (error) {
      if (!isFault(error)) throw error;
      log.warn({ err: error }, "The node's chain could not be read; CHAIN_ID is compared with each transaction only");
      return "unknown";
    }
  };
  return createStandingCheck({ ...parts, ask, fault: () => new Fault("chain-mismatch", {}) });
}
