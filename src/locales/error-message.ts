import { grouped } from "../encoding/decimal.js";
import type { Fault } from "../fault.js";
import { isolated, sanitizeForDisplay } from "../services/text/plain.js";
import type { Messages } from "./messages.js";

/** The sentence for a fault: what is wrong and what to do next, in the language of `words`. */
export function errorMessage(fault: Pick<Fault, "code" | "parameters">, words: Messages): string {
  // Code and parameters of a fault belong together, which the compiler cannot follow across the union of all codes.
  const sentence = words.faults[fault.code] as (parameters: Fault["parameters"]) => string;
  return isolated(sanitizeForDisplay(sentence(withFigures(fault.parameters, words))));
}

/** Parameters that are amounts, as plain decimal text. */
const FIGURES = new Set(["asked", "fee", "held", "left", "maximum", "minimum", "most", "needed", "paid"]);

/** The parameters with the digits of amounts in groups, as on cards. */
function withFigures(parameters: Fault["parameters"], { decimalMark }: Messages): Fault["parameters"] {
  const shown = Object.entries(parameters).map(([name, value]: [string, unknown]) => {
    if (name === "meant") return [name, (value as readonly string[]).map((each) => each.replace(".", decimalMark))];
    return [name, FIGURES.has(name) && typeof value === "string" ? grouped(value, decimalMark) : value];
  });
  return Object.fromEntries(shown) as Fault["parameters"];
}
