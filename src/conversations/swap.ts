import { multihopUsage } from "../cards/multihop.js";
import type { MultihopRequest, SwapRequest } from "../services/terms/swap.js";
import { readMultihop, readSwap, tradeWords } from "../services/swap/request.js";
import type { TokenList } from "../services/token/list.js";
import { createForm, type FormOf, type Interview } from "./interview.js";
import { amountQuestion, createPayingForm, readingLine, readingPay, tokenQuestion } from "./questions.js";

export function swapForm(parts: FormOf<SwapRequest>) {
  return createPayingForm("swap.1", parts, readSwap, collectTrade);
}

/** For a price only, which needs no wallet address. */
export function quoteForm(parts: FormOf<SwapRequest>) {
  return createForm("quote.1", parts, collectTrade);
}

async function collectTrade(interview: Interview<SwapRequest>, line = ""): Promise<void> {
  const { words, tokens, person, asks, submits, says } = interview;
  const { amount, tokenIn, tokenOut } = tradeWords(line) ?? {};
  const market = await interview.market();
  const from =
    tokenIn === undefined ? await asks(tokenQuestion(interview, words.swap.askIn, { market })) : tokens.find(tokenIn);
  const typed = amount === undefined ? undefined : readingPay(words, from, person.knowsBalances)(amount);
  if (typed?.ok === false) await says(typed.card);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  if (typed?.ok === true) return submits(asksOut, (to) => ({ kind: "swap", pay: typed.value, from, to }));
  const to = tokenOut === undefined ? await asks(asksOut) : tokens.find(tokenOut);
  const question = await amountQuestion(interview, from, words.swap.askAmount(from.id, to.id), market);
  return submits(question, (pay) => ({ kind: "swap", pay, from, to }));
}

export function multihopForm(parts: FormOf<MultihopRequest>) {
  // An example is copied together with its command.
  const lineOf = (text: string) => text.trim().replace(/^\/multihop\s+/i, "");
  const reads = (text: string, tokens: TokenList) => readMultihop(lineOf(text), tokens);
  return createPayingForm("multihop.1", parts, reads, ({ words, tokens, submits }) => {
    const reading = readingLine(words, words.multihop.askPath, (line) => readMultihop(line, tokens));
    const read = (text: string) => reading(lineOf(text));
    return submits({ hasNumbers: true, prompt: multihopUsage(words), read }, (request) => request);
  });
}
