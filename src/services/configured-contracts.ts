import type { Address } from "../encoding/address.js";
import type { ContractCall } from "../encoding/call.js";

/** Whether a call goes to a contract that the configuration names. Pairs are known by the router alone, which is asked for each. */
export function isConfigured(
  { contract, scAddress }: Pick<ContractCall, "contract" | "scAddress">,
  config: { readonly referralContract: Address; readonly routerContract: Address; readonly lockContract: Address },
): boolean {
  switch (contract) {
    case "referral":
      return scAddress === config.referralContract;
    case "router":
      return scAddress === config.routerContract;
    case "simpleLock":
      return scAddress === config.lockContract;
    case "pair":
      return true;
  }
}
