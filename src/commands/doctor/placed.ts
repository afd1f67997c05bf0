import type { ContractViews } from "../../services/chain/query-gateway.js";
import { otherContractAt } from "../../services/chain/other-contract.js";

const names = { referral: "referral contract", router: "router", simpleLock: "lock contract", pair: "pair" } as const;

/** A check of a contract, before which it is looked whether its address is another contract's. */
export const placedIn =
  (gateway: Pick<ContractViews, "query">) =>
  <Found>(variable: string, target: Parameters<typeof otherContractAt>[1], check: () => Promise<Found>) =>
  async () => {
    const other = await otherContractAt(gateway, target);
    if (other === undefined) return check();
    const text = `${variable} is no ${names[target.contract]}: it answers as a ${names[other]}. Are two addresses swapped?`;
    return { verdict: "fault", text } as const;
  };
