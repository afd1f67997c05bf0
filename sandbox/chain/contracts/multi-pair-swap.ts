import { anyPayment, type Implementation } from "../call.js";
import { check } from "../failure.js";
import type { Payment } from "../ledger.js";
import { registeredPair } from "../state.js";

/** A swap through several pairs (mx-exchange-sc dex/router multi_pair_swap.rs). Each hop spends the previous output. */
export const multiPairSwap: Implementation<"router">["multiPairSwap"] = (call, { swap_operations: operations }) => {
  check(call.state.world.router.active, "Not active");
  let last = anyPayment(call);
  check(last.nonce === 0n, "Invalid nonce. Should be zero");
  check(last.units > 0n, "Invalid amount. Should not be zero");
  check(operations.length > 0, "Invalid swap operations chain. Should not be empty");

  // What is left over by hops with a fixed output is not used by later hops.
  const residua: Payment[] = [];
  for (const { pair_address: pair, function: functionName, token_wanted: token, amount_wanted: units } of operations) {
    check(registeredPair(call.state, pair) !== undefined, "Not a pair SC");
    if (functionName === "swapTokensFixedInput") {
      const inputs = { token_out: token, amount_out_min: units };
      [last] = call.execute("pair", pair, functionName, inputs, [last]);
    } else {
      // The wire can carry any text, although only these two are declared.
      check((functionName as string) === "swapTokensFixedOutput", "Invalid function to call");
      const [wanted, residuum] = call.execute("pair", pair, functionName, { token_out: token, amount_out: units }, [
        last,
      ]);
      residua.push(residuum);
      last = wanted;
    }
  }

  const kept = call.state.world.options.keepZeroResidua ? residua : residua.filter(({ units }) => units > 0n);
  const results = [...kept, last];
  for (const payment of results) call.send(call.caller, payment);
  return [results];
};
