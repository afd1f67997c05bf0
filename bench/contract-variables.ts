import { readFile } from "node:fs/promises";

/** Contract addresses of the default world, and of somebody who earns. */
export async function contractVariables() {
  const world = JSON.parse(await readFile("data/world.json", "utf8")) as Record<string, { address: string }> & {
    accounts: { address: string }[];
  };
  return {
    REFERRAL_ADDRESS: world.accounts[0]?.address,
    REFERRAL_PERCENTAGE: "1000",
    REFERRAL_CONTRACT: world["referral"]?.address,
    ROUTER_CONTRACT: world["router"]?.address,
    LOCK_CONTRACT: world["simpleLock"]?.address,
  };
}
