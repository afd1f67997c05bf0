import { withToken } from "../cards/amount.js";
import { card } from "../cards/card.js";
import { NATIVE_TOKEN } from "../encoding/amount.js";
import { isParsed } from "../services/base/typed-line.js";
import { readExit, type ExitRequest } from "../services/standing/exit-request.js";
import type { TokenList } from "../services/market/token-list.js";
import { payText } from "../services/terms/terms.js";
import { createForm, type AnswerParser } from "./interview.js";
import { amountQuestion, pick, readingLine, tokenQuestion, typedAlready, withWallet } from "./questions.js";
import { setUp, type StandingFormParts, type StandingInterview } from "./standing.js";

/** Ready exits. */
const PRESETS = {
  bracket: "+50% -20%",
  wide: "+100% -30%",
  trail: "trail 15%",
  ladder: "25%@+25% 25%@+50% 25%@+100% trail 25%",
} as const;

/** What is asked for so far, if a line lacks nothing but its targets and its stop. */
export function exitBegun(line: string, tokens: TokenList): ExitRequest | undefined {
  const read = readExit(`${line} +50%`, tokens);
  return isParsed(read) ? read : undefined;
}

/** The dialog of `/exit`. With `id`, changes that order. */
export function exitForm(parts: StandingFormParts) {
  return createForm("exit.1", parts, async (begun, typed: string = "", id?: string) => {
    const interview = await withWallet(begun, parts);
    const { words, tokens, ask } = interview;
    if (isParsed(readExit(typed, tokens))) return setUp("exit", interview, parts, typed, id);
    const head = await askedSale(interview, typed);
    const { askExit, exits, percentOf, usage } = words.standing;
    const paid = exitBegun(head, tokens)?.paid;
    const prompt = card(
      [askExit, paid === undefined ? percentOf.now : percentOf.paid(withToken(paid, words))],
      Object.entries(PRESETS).map(([name, answer]) => [pick(answer, exits[name as keyof typeof PRESETS])]),
    );
    const whole = (text: string) => `${head} ${text.trim()}`;
    const reading = readingLine(words, usage.exit, (text) => readExit(whole(text), tokens));
    const read: AnswerParser<string> = (text) => {
      const made = reading(text);
      return made.ok ? { ok: true, value: whole(text) } : made;
    };
    return setUp("exit", interview, parts, await ask({ name: "exit", prompt, read }), id);
  });
}

/** Asks what is sold, unless it was typed: all that is held, if that is known. @returns the beginning of the line. */
async function askedSale(interview: StandingInterview, typed: string): Promise<string> {
  const { words, tokens, person, ask } = interview;
  const begun = exitBegun(typed, tokens);
  if (begun !== undefined && ("units" in begun.pay || person.knowsBalances)) return typed;
  const { askExitAmount, askHeld } = words.standing;
  const { market, token, pay, rest } = await typedAlready(interview, typed, askHeld);
  const asksOut = tokenQuestion(interview, words.swap.askOut(token.id), { market, other: token });
  const to = rest ?? (token.id === NATIVE_TOKEN ? (await ask(asksOut)).id : NATIVE_TOKEN);
  const all = person.knowsBalances ? { shareBps: 10_000n } : undefined;
  const amount = pay ?? all ?? (await ask(await amountQuestion(interview, token, askExitAmount(token.id), market)));
  return `${payText(amount)} ${token.id} ${to}`;
}
