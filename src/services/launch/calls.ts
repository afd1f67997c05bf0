import type { Address } from "../../encoding/address.js";
import { encodeCall, type ContractCall } from "../../encoding/call.js";
import { Fault } from "../../fault.js";
import type { LaunchTerms } from "../../model/intent.js";
import type { LaunchFacts } from "./facts.js";
import type { Launch, LaunchStep } from "../../model/launch.js";
import type { Progress } from "./progress.js";
import { worthOfFirstDeposit } from "./thresholds.js";

/** The steps of which each is one call of its own; the lock is a lock like any other. */
export type CallStep = Exclude<LaunchStep, "lock">;

/** Steps whose calls the public interface names without their shape. */
export const unshownSteps: readonly LaunchStep[] = ["set-roles", "add-liquidity"];

/** From whom and to where a step's call goes. */
export interface CallContext {
  readonly router: Address;
  readonly payout: Address;
  readonly callerTravels: boolean;
}

/**
 * The numbers for the card of a step, as things stand.
 * @throws Fault `launch-step-not-due` when an earlier step has not given what this one needs.
 */
export function termsOf(
  step: CallStep,
  launch: Launch,
  facts: LaunchFacts,
  progress: Pick<Progress, "conditions" | "lock">,
  context: CallContext,
): LaunchTerms {
  const { firstToken, secondToken } = launch;
  const common = {
    kind: "launch",
    launchId: launch.id,
    firstToken,
    secondToken,
    payout: context.payout,
    callerTravels: context.callerTravels,
  } as const;
  if (step === "create-pair") return { ...common, step };
  const pair = due(launch.pair);
  switch (step) {
    case "issue-lp":
      return { ...common, step, pair, lpName: launch.lpName, lpTicker: launch.lpTicker };
    case "set-roles":
      return { ...common, step, pair, ...(launch.lpTokenId !== undefined && { lpTokenId: launch.lpTokenId }) };
    case "add-liquidity": {
      const deposit = inPoolOrder(due(launch.liquidity), facts);
      const worth = worthOf(deposit, progress);
      return { ...common, step, pair, ...deposit, ...(worth !== undefined && { worth }) };
    }
    case "enable": {
      const { lock, verdict } = due(progress.lock);
      const { locked, amount } = lock;
      return { ...common, step, pair, locked, amount, ...(verdict !== undefined && { verdict }) };
    }
  }
}

/** The call of a step, built from exactly what its card shows. */
export function callOf(terms: LaunchTerms, router: Address): ContractCall {
  const target = { contract: "router", address: router } as const;
  switch (terms.step) {
    case "create-pair":
      return encodeCall(target, "createPair", {
        first_token_id: terms.firstToken.id,
        second_token_id: terms.secondToken.id,
      });
    case "issue-lp":
      return encodeCall(target, "issueLpToken", {
        pair_address: terms.pair,
        lp_token_display_name: terms.lpName,
        lp_token_ticker: terms.lpTicker,
      });
    case "set-roles":
      return encodeCall(target, "setLocalRoles", { pair_address: terms.pair });
    case "add-liquidity":
      return encodeCall({ contract: "pair", address: terms.pair }, "addInitialLiquidity", {}, [
        { tokenId: terms.first.token.id, units: terms.first.units },
        { tokenId: terms.second.token.id, units: terms.second.units },
      ]);
    case "enable":
      return encodeCall(target, "setSwapEnabledByUser", { pair_address: terms.pair }, [
        { ...terms.locked, units: terms.amount.units },
      ]);
  }
}

/** The pair takes its two payments in the order of its own tokens. */
function inPoolOrder(liquidity: NonNullable<Launch["liquidity"]>, { firstTokenId }: LaunchFacts) {
  const { first, second } = liquidity;
  return firstTokenId === second.token.id ? { first: second, second: first } : { first, second };
}

/** What all LP tokens of a first deposit are worth at least, beside what has to be locked. */
function worthOf({ first, second }: NonNullable<Launch["liquidity"]>, { conditions }: Pick<Progress, "conditions">) {
  if (conditions === undefined) return undefined;
  const { commonToken: token, minimumValue } = conditions;
  const [common, other] = token.id === first.token.id ? [first, second] : [second, first];
  return {
    least: { token, units: worthOfFirstDeposit(common.units, other.units) },
    minimum: { token, units: minimumValue },
  };
}

function due<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Fault("launch-step-not-due", {});
  return value;
}
