import type { Person } from "../model/person.js";

/** The slippage in force for a person, in hundredths of a percent: their own or the operator's default, never above the ceiling. */
export function slippageOf(
  person: Pick<Person, "slippageBps">,
  operator: { readonly defaultSlippageBps: number; readonly maxSlippageBps: number },
): number {
  return Math.min(person.slippageBps ?? operator.defaultSlippageBps, operator.maxSlippageBps);
}
