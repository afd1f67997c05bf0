import type { Config } from "../config.js";
import { parseAddress, type Address } from "../encoding/address.js";
import type { ContractCall } from "../encoding/call.js";

/**
 * Whether a call goes to a contract that the configuration names, and to no pair but those of its router.
 * @param areListed whether the router lists these pairs now. It alone knows pairs.
 */
export async function isConfigured(
  { contract, scAddress, args }: Pick<ContractCall, "contract" | "scAddress" | "args">,
  config: Pick<Config, "lockContract" | "referralContract" | "routerContract">,
  areListed: (pairs: readonly Address[]) => Promise<boolean>,
): Promise<boolean> {
  switch (contract) {
    case "referral":
      return scAddress === config.referralContract;
    case "router": {
      const pairs = addressesAmong(args);
      return scAddress === config.routerContract && (pairs.length === 0 || (await areListed(pairs)));
    }
    case "simpleLock":
      return scAddress === config.lockContract;
    case "pair":
      return areListed([scAddress]);
  }
}

/** The addresses that a call hands over; to the router they are all pairs. */
function addressesAmong(args: readonly string[]): readonly Address[] {
  return args.flatMap((argument) => {
    const [prefix, address = ""] = argument.split(":");
    return prefix === "address" ? [parseAddress(address)] : [];
  });
}
