import { figure } from "../cards/amount.js";
import { card, type Card, type Lines } from "../cards/card.js";
import { type Address, parseContractAddress } from "../encoding/address.js";
import { type Amount, formatAmount, formatAssetId, isTokenId, type Token } from "../encoding/amount.js";
import { parseAmount, parseUntil, type Until } from "../encoding/typed.js";
import { Fault } from "../fault.js";
import type { LaunchStart } from "../services/trade/launch-request.js";
import { readLaunchStart, readLpName, readLpTicker, suggestedLpName } from "../services/trade/launch-request.js";
import type { Locked } from "../services/trade/lock-request.js";
import type { LockRequest } from "../services/terms/lock-terms.js";
import type { Pay } from "../services/terms/swap-terms.js";
import { type OpenInterview, createForm, type FormOf, type FormParts } from "./interview.js";
import { lockedQuestion, untilQuestion } from "./lock.js";
import {
  amountName,
  amountQuestion,
  createPayingForm,
  reading,
  readingPay,
  suggesting,
  tokenQuestion,
} from "./questions.js";

export interface LockAdvice {
  readonly lpToken?: Token | undefined;
  readonly all?: Amount | undefined;
  readonly least?: Amount | undefined;
  /** What to lock; undefined if nothing is known to be enough. */
  readonly offered?: Amount | undefined;
  readonly epochs?: { readonly now: bigint; readonly least: bigint } | undefined;
}

/** Number of epochs to suggest beyond the first that suffices, so that enabling can wait. */
const SPARE_EPOCHS = 4n;

export interface LaunchFormParts extends FormParts {
  readonly matchingDeposit: (userId: number, first: Pay, token: Token, other: Token) => Promise<string | null>;
  readonly refusePair: (userId: number, first: Token, second: Token) => Promise<Card | null>;
  readonly adviseLock: (userId: number, launchId: string) => Promise<LockAdvice>;
  /** Returns the amount and what the next step needs if that is more, otherwise null. */
  readonly lacksForLock: (
    userId: number,
    launchId: string,
    pay: Pay,
    token: Token,
  ) => Promise<{ readonly amount: Amount; readonly least: Amount } | null>;
}

/** Compares the two tokens with existing pairs before asking anything else. */
export function launchForm(parts: LaunchFormParts & FormOf<LaunchStart>) {
  const form = createPayingForm("launch.1", parts, readLaunchStart, async (interview) => {
    const { userId, words, ask, submit } = interview;
    const market = await interview.market();
    const first = await ask(tokenQuestion(interview, words.launch.askFirst, { market }));
    const asksSecond = tokenQuestion(interview, words.launch.askSecond(first.id), { market, other: first });
    const second = await ask(asksSecond, (token) => parts.refusePair(userId, first, token));
    const suggested = suggestedLpName(first, second);
    const asksTicker = suggesting([words.launch.askTicker], suggested, reading(words, readLpTicker));
    const lpTicker = await ask({ ...asksTicker, name: "ticker" });
    const lpName = await ask(suggesting([words.launch.askName], lpTicker, reading(words, readLpName)));
    // No single answer can be at fault here, so a refusal ends the dialog.
    return submit({ first, second, lpTicker, lpName });
  });
  // A pair can be planned at any time: what is refused is its steps.
  return { ...form, refuses: undefined };
}

export function launchPairForm(parts: FormOf<{ readonly launchId: string; readonly pair: Address }>) {
  return createForm("launch-pair.1", parts, ({ words, askAndSubmit }, launchId: string) => {
    const question = { prompt: card([words.launch.askPair]), read: reading(words, parseContractAddress) };
    return askAndSubmit(question, (pair) => ({ launchId, pair }));
  });
}

type Deposit = Readonly<Record<"first" | "second", { readonly pay: Pay; readonly token: Token }>>;

export function launchLiquidityForm(parts: LaunchFormParts & FormOf<Deposit & { readonly launchId: string }>) {
  return createForm("launch-liquidity.2", parts, async (interview, launchId: string, first: Token, second: Token) => {
    const { userId, words, ask, submit, external } = interview;
    const market = await interview.market();
    const pay = await ask(await amountQuestion(interview, first, words.launch.askLiquidity(first.id), market));
    const matching = await external(() => parts.matchingDeposit(userId, pay, first, second));
    const told = matching && ` ${words.launch.marketAmount(figure(matching, words), second.id)}`;
    const prompt = `${words.launch.askLiquidity(second.id)}${told ?? ""}`;
    const secondPay = await ask(
      await amountQuestion(interview, second, prompt, market, matching === null ? {} : { suggestion: matching }),
    );
    return submit({ launchId, first: { pay, token: first }, second: { pay: secondPay, token: second } });
  });
}

export function launchLockForm(parts: LaunchFormParts & FormOf<LockRequest & { readonly launchId: string }>) {
  return createForm("launch-lock.3", parts, async (interview, launchId: string) => {
    const { userId, words, person, ask, askAndSubmit, external } = interview;
    const { token, least, offered, epochs } = await adviceWithToken(parts, interview, launchId);
    const shown = (amount: Amount) => figure(formatAmount(amount), words);
    const amountWords = token.precision === undefined ? words.launch.askLpAmountRaw : words.launch.askLpAmount;
    const read = readingPay(words, token, person.knowsBalances);
    const asksAmount = (lines: Lines) =>
      ask({
        ...suggesting(lines, offered && formatAmount(offered), read, offered && shown(offered)),
        name: amountName(token),
        hasNumbers: true,
      });
    const first = await asksAmount([amountWords(token.id), least && words.launch.leastAmount(shown(least))]);
    const lacking = await external(() => parts.lacksForLock(userId, launchId, first, token));
    // Asked again once: the card of a lock that isn't enough needs an extra confirmation.
    const pay =
      lacking === null
        ? first
        : await asksAmount([
            words.launch.tooLittle(shown(lacking.amount), shown(lacking.least)),
            amountWords(token.id),
          ]);
    const prompt = [words.launch.askUnlock, epochs && words.launch.leastEpoch(`${epochs.least}`, `${epochs.now}`)];
    const suggestion = epochs && `${epochs.least + SPARE_EPOCHS}`;
    const question = untilQuestion(words, prompt, suggestion);
    return askAndSubmit(question, (until) => ({ kind: "lock", pay, token, until, launchId }));
  });
}

/** For a lock whose call had no clear outcome, or that the user made in a wallet. */
export function launchLockedForm(
  parts: LaunchFormParts & FormOf<{ readonly launchId: string; readonly token: Token; readonly until: Until } & Locked>,
) {
  return createForm("launch-locked.2", parts, async (interview, launchId: string) => {
    const { words, ask, askAndSubmit } = interview;
    const { token, all } = await adviceWithToken(parts, interview, launchId);
    const locked = await ask(lockedQuestion(words, words.launch.askLocked));
    const asksAmount = [words.launch.askLockedAmount(formatAssetId(locked))];
    const read = reading(words, (text) => parseAmount(text, token));
    const question = suggesting(asksAmount, all && formatAmount(all), read);
    const amount = await ask({ ...question, name: amountName(token), hasNumbers: true });
    const asksEpoch = { prompt: card([words.launch.askLockedEpoch]), read: reading(words, parseUntil) };
    return askAndSubmit(asksEpoch, (until) => ({ launchId, token, locked, amount, until }));
  });
}

async function adviceWithToken(
  parts: LaunchFormParts,
  { userId, words, ask, external }: OpenInterview,
  launchId: string,
) {
  const advice = await external(() => parts.adviseLock(userId, launchId));
  if (advice.lpToken !== undefined) return { ...advice, token: advice.lpToken };
  const id = await ask({
    name: "LP token",
    prompt: card([words.launch.askLpToken]),
    read: reading(words, (text) => {
      const typed = text.trim().toUpperCase();
      if (!isTokenId(typed)) throw new Fault("asset-invalid", { text: text.slice(0, 40) });
      return typed;
    }),
  });
  return { ...advice, token: parts.tokens.named(id) };
}
