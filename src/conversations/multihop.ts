import { multihopUsage } from "../cards/multihop.js";
import { refusal, typedAnswer } from "../cards/correction.js";
import type { MultihopRequest } from "../services/request.js";
import { readMultihop } from "../services/multihop/request.js";
import type { Question } from "./ask.js";
import { type FormOf, type Interview } from "./interview.js";
import { createPayingForm } from "./wallet.js";

export function multihopForm(parts: FormOf<MultihopRequest>) {
  return createPayingForm("multihop.1", parts, ({ words, tokens, submits, ends }, line) => {
    const read = reader({ words, tokens });
    const typed = read(line);
    if (typed.ok) return ends(typed.value);
    return submits({ hasNumbers: true, prompt: multihopUsage(words), read }, (request) => request);
  });
}

function reader({ words, tokens }: Pick<Interview, "words" | "tokens">): Question<MultihopRequest>["read"] {
  return (text) => {
    // An example is copied together with its command.
    const line = text.trim().replace(/^\/multihop\s+/i, "");
    const read = readMultihop(line, tokens);
    if (typeof read === "string") return { ok: false, sentence: words.multihop.askPath };
    if ("faults" in read) return { ok: false, ...refusal(read.faults, words, typedAnswer(line)) };
    return { ok: true, value: read };
  };
}
