import { amountOf, type Token } from "../../../src/encoding/amount.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { intent, swapTerms } from "../../cards/arrange.js";

const hex = (units: bigint) => {
  const digits = units.toString(16);
  return units === 0n ? "" : digits.padStart(digits.length + (digits.length % 2), "0");
};

/** A swap that ended at `at`, and whose pools gave `total` before the bot fee. */
export function swap(
  at: number,
  paid: readonly [bigint, Token],
  [total, to]: readonly [bigint, Token],
  id = `swap-${at}`,
): Intent {
  const pay = amountOf(paid[1], paid[0]);
  const fee = total / 100n;
  const terms = {
    ...swapTerms,
    amountIn: pay,
    request: { kind: "swap", pay, from: pay.token, to },
    quotedOut: amountOf(to, total),
    minimumOut: amountOf(to, 1n),
  } as const;
  const ended = intent(terms, "OK", { kind: "ok", returnData: [hex(fee), hex(total - fee)] });
  return { ...ended, id, times: { CLAIMED: at, OK: at } };
}
