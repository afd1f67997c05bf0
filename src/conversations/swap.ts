import type { SwapRequest } from "../services/request.js";
import { readSwap, tradeWords } from "../services/swap/request.js";
import type { Filled } from "./filled.js";
import { createDialog, type DialogParts, type Interview } from "./interview.js";
import { payingDialog } from "./paying.js";
import { isRead } from "../services/text/line.js";
import { amountQuestion, readingPay, tokenQuestion } from "./questions.js";

/** Asks what a line lacks of two tokens and the amount. */
export function swapDialog(parts: DialogParts) {
  return payingDialog(parts, (interview, line) => collectTrade(interview, line, (request) => request));
}

/** The same for a price, which can't be confirmed and needs no payout address. */
export function quoteDialog(parts: DialogParts) {
  return createDialog(parts, (interview, line?: string) =>
    collectTrade(interview, line ?? "", (request) => ({ kind: "quote", request })),
  );
}

async function collectTrade(interview: Interview, line: string, fill: (request: SwapRequest) => Filled): Promise<void> {
  const { words, tokens, person, asks, submits, ends, says } = interview;
  const read = readSwap(line, tokens);
  if (isRead(read)) return ends(fill(read));
  const { amount, tokenIn, tokenOut } = tradeWords(line) ?? {};
  const market = await interview.market();
  const from =
    tokenIn === undefined ? await asks(tokenQuestion(interview, words.swap.askIn, { market })) : tokens.find(tokenIn);
  const typed = amount === undefined ? undefined : readingPay(words, from, person.knowsBalances)(amount);
  if (typed?.ok === false) await says(typed);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  if (typed?.ok === true) return submits(asksOut, (to) => fill({ kind: "swap", pay: typed.value, from, to }));
  const to = tokenOut === undefined ? await asks(asksOut) : tokens.find(tokenOut);
  const question = await amountQuestion(interview, from, words.swap.askAmount(from.id, to.id), market);
  return submits(question, (pay) => fill({ kind: "swap", pay, from, to }));
}
