import { multihopUsage } from "../cards/multihop.js";
import { readMultihop } from "../services/swap/request.js";
import type { MultihopRequest } from "../services/request.js";
import type { TokenList } from "../services/token/list.js";
import type { FormOf } from "./interview.js";
import { readingLine } from "./questions.js";
import { createPayingForm } from "./wallet.js";

export function multihopForm(parts: FormOf<MultihopRequest>) {
  // An example is copied together with its command.
  const lineOf = (text: string) => text.trim().replace(/^\/multihop\s+/i, "");
  const reads = (text: string, tokens: TokenList) => readMultihop(lineOf(text), tokens);
  return createPayingForm("multihop.1", parts, reads, ({ words, tokens, submits }) => {
    const reading = readingLine(words, words.multihop.askPath, (line) => readMultihop(line, tokens));
    const question = {
      hasNumbers: true,
      prompt: multihopUsage(words),
      read: (text: string) => reading(lineOf(text)),
    } as const;
    return submits(question, (request) => request);
  });
}
