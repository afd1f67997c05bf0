import type { Address } from "../../encoding/address.js";
import { isFault } from "../../fault.js";
import type { ContractGateway } from "../intent/gateway.js";
import { createStandingCheck, type CheckAnswer, type CheckParts } from "./standing-check.js";

/**
 * Whether the referral contract swaps through the router that this bot is set up for, by `getRouterAddress`; otherwise
 * `router-mismatch`. A node without views proves nothing.
 */
export function createRouterCheck(
  parts: CheckParts & {
    readonly gateway: Pick<ContractGateway, "query">;
    readonly referralContract: Address;
    readonly routerContract: Address;
  },
) {
  const { log, routerContract: configured } = parts;

  const ask = async (): Promise<CheckAnswer> => {
    try {
      const target = { contract: "referral", address: parts.referralContract } as const;
      const [router] = await parts.gateway.query(target, "getRouterAddress", {});
      if (router === configured) return "match";
      log.error({ router, configured }, "ROUTER_CONTRACT is not the referral contract's router");
    } catch (error) {
      if (!isFault(error, "address-zero")) throw error;
      log.error({ configured }, "The referral contract has no router");
    }
    return "mismatch";
  };
  const unread = "The referral contract's router could not be read; it is not compared";
  return createStandingCheck({ ...parts, ask, unread, mismatch: "router-mismatch" });
}
