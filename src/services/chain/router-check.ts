import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault } from "../../fault.js";
import type { ContractGateway } from "../clients/gateway.js";
import { createStandingCheck, type CheckAnswer, type StandingCheck } from "../standing-check.js";

/**
 * Whether the referral contract swaps through the router that this bot is set up for, by `getRouterAddress`; otherwise
 * `router-mismatch`. A node without views proves nothing.
 */
export function createRouterCheck(parts: {
  readonly gateway: Pick<ContractGateway, "query">;
  readonly referralContract: Address;
  readonly routerContract: Address;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears of each answer. */
  readonly onAnswer?: (answer: CheckAnswer) => void;
}): StandingCheck {
  const { log } = parts;

  const ask = async (): Promise<CheckAnswer> => {
    try {
      const target = { contract: "referral", address: parts.referralContract } as const;
      const [router] = await parts.gateway.query(target, "getRouterAddress", {});
      if (router === parts.routerContract) return "match";
      log.error({ router, configured: parts.routerContract }, "ROUTER_CONTRACT is not the referral contract's router");
      return "mismatch";
    } catch (error) {
      if (!isFault(error)) throw error;
      if (error.code === "address-zero") {
        log.error({ configured: parts.routerContract }, "The referral contract has no router");
        return "mismatch";
      }
      log.warn({ err: error }, "The referral contract's router could not be read; it is not compared");
      return "unknown";
    }
  };
  return createStandingCheck({ ...parts, ask, fault: () => new Fault("router-mismatch", {}) });
}
