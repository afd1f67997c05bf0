import type { Fault } from "../fault.js";
import { isolated } from "../services/isolate.js";
import { shownText } from "../services/plain-text.js";
import type { Messages } from "./messages.js";

/** The sentence for a fault: what is wrong and what to do next, in the language of `words`. */
export function sentenceOf(fault: Fault, words: Messages): string {
  // Code and parameters of a fault belong together, which the compiler cannot follow across the union of all codes.
  const sentence = words.faults[fault.code] as (parameters: Fault["parameters"]) => string;
  return isolated(shownText(sentence(fault.parameters)));
}
