import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { pairsIn, type ContractCall } from "../../encoding/call.js";

/**
 * Whether a call goes to a contract that the configuration names, and to no pair but those of its router.
 * @param areListed whether the router lists these pairs now. It alone knows pairs.
 */
export async function isConfigured(
  call: ContractCall,
  config: Pick<Config, "lockContract" | "referralContract" | "routerContract">,
  areListed: (pairs: readonly Address[]) => Promise<boolean>,
): Promise<boolean> {
  const { contract, address } = call;
  switch (contract) {
    case "referral":
      return address === config.referralContract;
    case "router": {
      const pairs = pairsIn(call);
      return address === config.routerContract && (pairs.length === 0 || (await areListed(pairs)));
    }
    case "simpleLock":
      return address === config.lockContract;
    case "pair":
      return areListed([address]);
  }
}
