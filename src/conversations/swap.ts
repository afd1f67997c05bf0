import { multihopUsage } from "../cards/multihop.js";
import type { MultihopRequest, SwapRequest } from "../services/terms/swap-terms.js";
import { readMultihop, readSwap } from "../services/trade/swap-request.js";
import type { TokenList } from "../services/market/token-list.js";
import { createForm, type FormOf, type Interview } from "./interview.js";
import { amountQuestion, createPayingForm, readingLine, tokenQuestion, typedAlready } from "./questions.js";

export function swapForm(parts: FormOf<SwapRequest>) {
  return createPayingForm("swap.1", parts, readSwap, collectTrade);
}

/** For a quote only, which needs no wallet address. */
export function quoteForm(parts: FormOf<SwapRequest>) {
  return createForm("quote.1", parts, collectTrade);
}

async function collectTrade(interview: Interview<SwapRequest>, line = ""): Promise<void> {
  const { words, tokens, ask, askAndSubmit } = interview;
  const { market, token: from, pay, rest: tokenOut } = await typedAlready(interview, line, words.swap.askIn);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  if (pay !== undefined) return askAndSubmit(asksOut, (to) => ({ kind: "swap", pay, from, to }));
  const to = tokenOut === undefined ? await ask(asksOut) : tokens.find(tokenOut);
  const question = await amountQuestion(interview, from, words.swap.askAmount(from.id, to.id), market);
  return askAndSubmit(question, (asked) => ({ kind: "swap", pay: asked, from, to }));
}

export function multihopForm(parts: FormOf<MultihopRequest>) {
  // Users copy an example together with its command.
  const lineOf = (text: string) => text.trim().replace(/^\/multihop\s+/i, "");
  const reads = (text: string, tokens: TokenList) => readMultihop(lineOf(text), tokens);
  return createPayingForm("multihop.1", parts, reads, ({ words, tokens, askAndSubmit }) => {
    const reading = readingLine(words, words.multihop.askPath, (line) => readMultihop(line, tokens));
    const read = (text: string) => reading(lineOf(text));
    return askAndSubmit({ hasNumbers: true, prompt: multihopUsage(words), read }, (request) => request);
  });
}
