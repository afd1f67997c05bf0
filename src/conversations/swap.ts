import { figure } from "../cards/amount.js";
import { keyboardOf, type Made } from "../cards/card.js";
import { multihopUsage } from "../cards/multihop.js";
import type { Token } from "../encoding/amount.js";
import type { MultihopRequest, Pay, SwapRequest } from "../services/terms/swap-terms.js";
import { exactRequest, readMultihop, readSwap, readWanted } from "../services/trade/swap-request.js";
import type { TokenList } from "../services/market/token-list.js";
import { createForm, type FormOf, type Interview, type OpenInterview, type Question } from "./interview.js";
import {
  amountQuestion,
  createPayingForm,
  pick,
  reading,
  readingLine,
  tokenQuestion,
  typedAlready,
} from "./questions.js";

export function swapForm(parts: FormOf<SwapRequest | MultihopRequest>) {
  return createPayingForm<SwapRequest | MultihopRequest>("swap.2", parts, readSwap, (interview, line) =>
    collectTrade(interview, interview.askAndSubmit, line, (pays, from, to) => askEither(interview, pays, from, to)),
  );
}

/** For a quote only, which needs no wallet address. */
export function quoteForm(parts: FormOf<SwapRequest>) {
  return createForm("quote.1", parts, (interview, line?: string) =>
    collectTrade(interview, interview.askAndSubmit, line),
  );
}

async function collectTrade(
  interview: OpenInterview,
  askAndSubmit: Interview<SwapRequest>["askAndSubmit"],
  line = "",
  askAmount?: (pays: Question<Pay>, from: Token, to: Token) => Promise<unknown>,
): Promise<unknown> {
  const { words, tokens, ask } = interview;
  const { market, token: from, pay, rest: tokenOut } = await typedAlready(interview, line, words.swap.askIn);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  if (pay !== undefined) return askAndSubmit(asksOut, (to) => ({ kind: "swap", pay, from, to }));
  const to = tokenOut === undefined ? await ask(asksOut) : tokens.find(tokenOut);
  const question = await amountQuestion(interview, from, words.swap.askAmount(from.id, to.id), market);
  if (askAmount !== undefined) return askAmount(question, from, to);
  return askAndSubmit(question, (asked) => ({ kind: "swap", pay: asked, from, to }));
}

/** So many fit in a row. */
const MAX_WANTED = 3;

/** Asks how much to pay, or how much to receive exactly, which is a route. */
async function askEither(
  { words, tokens, presetsFor, askAndSubmit }: Interview<SwapRequest | MultihopRequest>,
  pays: Question<Pay>,
  from: Token,
  to: Token,
): Promise<unknown> {
  const presets = (await presetsFor(to.id)).slice(0, MAX_WANTED);
  const wanted = presets.map((preset) => pick(`${preset} ${to.id}`, `= ${figure(preset, words)} ${to.id}`));
  const hint = words.swap.orExactly(`${figure(presets[0] ?? "5", words)} ${to.id}`);
  const { text, entities, keyboard = [] } = pays.prompt;
  const prompt = { text: `${text}\n${hint}`, entities, keyboard: keyboardOf([...keyboard, wanted]) };
  const readsWanted = reading(words, (typed) => readWanted(typed, to, tokens));
  const read = (typed: string): Made<Pay | MultihopRequest> => {
    const exactly = readsWanted(typed);
    if (!exactly.ok) return exactly;
    return exactly.value === undefined ? pays.read(typed) : { ok: true, value: exactRequest(from, exactly.value) };
  };
  return askAndSubmit({ ...pays, prompt, read }, (asked) =>
    "kind" in asked ? asked : { kind: "swap", pay: asked, from, to },
  );
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
