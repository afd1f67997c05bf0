import { isContract, type Address } from "./address.js";
import type { InputValues } from "./arguments.js";
import type { BlockTime } from "./block-time.js";
import type { Call, Execute, Implementation } from "./call.js";
import { encodeOutputs } from "./codec.js";
import { pair } from "./contracts/pair.js";
import { referral } from "./contracts/referral.js";
import { router } from "./contracts/router.js";
import { simpleLock } from "./contracts/simple-lock.js";
import { declarationOf, type ContractName, type Declaration } from "./declarations.js";
import { BadRequest, CallFailure, required } from "./failure.js";
import type { Payment } from "./ledger.js";
import type { CallRequest } from "./request.js";
import type { ChainState } from "./state.js";
import { transfer } from "./transfer.js";

const implementations: { readonly [Contract in ContractName]: Implementation<Contract> } = {
  referral,
  router,
  simpleLock,
  pair,
};

type AnyFunction = (call: Call, inputs: InputValues) => readonly unknown[];

/**
 * Executes a request on the state. If it fails halfway, the caller has to undo its changes.
 * @param objection returns why a call in an account's name is refused; asked for mutable functions only.
 * @returns the entries of `returnData`, and whether the function is mutable.
 * @throws CallFailure, BadRequest.
 */
export function execute(
  state: ChainState,
  time: Pick<BlockTime, "block" | "epoch">,
  request: CallRequest,
  objection?: (caller: Address) => string | undefined,
): { readonly entries: readonly Buffer[]; readonly mutable: boolean } {
  const contract = contractAt(state, request.contract);
  if (contract === undefined) throw new CallFailure("account is not a contract", "ContractNotFound");
  const declaration = declarationOf(contract, request.functionName);
  if (declaration === undefined) throw new CallFailure("invalid function (not found)", "VMFunctionNotFound");
  if (declaration.payment === "none" && request.payments.length > 0) {
    throw new CallFailure("function does not accept KDA payment", "VMExecutionFailed");
  }
  const inputs = request.inputs(declaration);
  const caller = request.caller ?? destinationOf(declaration, inputs) ?? state.world.options.defaultCaller;
  // A contract signs nothing, and one that paid itself would count reserves that it does not have.
  if (request.payments.length > 0 && (caller === undefined || isContract(caller))) {
    throw new BadRequest("no account to pay from");
  }
  const reason = declaration.mutability === "mutable" && caller !== undefined ? objection?.(caller) : undefined;
  if (reason !== undefined) throw new CallFailure(reason);
  const run = runner(state, { block: time.block(), epoch: BigInt(time.epoch()) });
  const outputs = run(
    contract,
    request.contract,
    request.functionName,
    inputs,
    request.payments,
    caller ?? request.contract,
  );
  return { entries: encodeOutputs(declaration, outputs), mutable: declaration.mutability === "mutable" };
}

/**
 * The documented body does not name the caller. A payout argument names the account that the call is made for, so the
 * sandbox lets that account pay if `caller` is absent.
 */
function destinationOf(declaration: Declaration, inputs: InputValues): Address | undefined {
  const destination = declaration.inputs.find(({ type, optional }) => type === "Address" && optional === true);
  return destination && (inputs[destination.name] as Address | undefined);
}

function contractAt(state: ChainState, address: Address): ContractName | undefined {
  const { router: routerAt, referral: referralAt, simpleLock: lockAt } = state.world;
  if (state.pairs.has(address)) return "pair";
  if (address === routerAt.address) return "router";
  if (address === referralAt.address) return "referral";
  return address === lockAt.address ? "simpleLock" : undefined;
}

function runner(state: ChainState, now: { readonly block: number; readonly epoch: bigint }) {
  const run = (
    contract: ContractName,
    self: Address,
    functionName: string,
    inputs: InputValues,
    payments: readonly Payment[],
    caller: Address,
  ): readonly unknown[] => {
    for (const payment of payments) transfer(state, caller, self, payment);
    const functions = implementations[contract] as unknown as Readonly<Record<string, AnyFunction>>;
    const contractFunction = required(functions[functionName], "invalid function (not found)");
    return contractFunction(
      {
        state,
        self,
        caller,
        payments,
        ...now,
        send: (to, payment) => transfer(state, self, to, payment),
        // `Implementation` guarantees these outputs, but TypeScript can't see that through a lookup by name.
        execute: ((target, address, name, values, paid) =>
          run(target, address, name, values, paid, self) as never) satisfies Execute,
      },
      inputs,
    );
  };
  return run;
}
