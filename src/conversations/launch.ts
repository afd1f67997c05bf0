import { card } from "../cards/card.js";
import { parseContractAddress } from "../encoding/address.js";
import { isTokenId } from "../encoding/asset.js";
import { unlistedToken, type Token } from "../encoding/token.js";
import { Fault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import type { LaunchStep } from "../model/launch.js";
import { readLpName, readLpTicker, suggestedLpName } from "../services/launch/names.js";
import type { Question } from "./ask.js";
import { openingDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import { createDialog, type Interview } from "./interview.js";
import { lockedQuestion, readingUnlockTime } from "./lock.js";
import type { Shown } from "./opened.js";
import { amountQuestion, reading, readingAmount, suggesting, tokenQuestion } from "./questions.js";

/** What is known about a lock that a launch needs, as texts for the questions. Plain JSON. */
export interface LockAdvice {
  /** Absent where no view and no answer gave its id. */
  readonly lpToken?: Token | undefined;
  /** All LP tokens that the person should have, as an amount to type. */
  readonly all?: string | undefined;
  /** The fewest that suffice at the pool's present reserves. */
  readonly leastAmount?: string | undefined;
  readonly epoch?: string | undefined;
  /** The first unlock epoch that suffices now, and one that leaves some time. */
  readonly leastEpoch?: string | undefined;
  readonly goodEpoch?: string | undefined;
}

/** A lock that the person reports, as typed. */
export interface LockTold {
  readonly lpToken: string;
  readonly locked: string;
  readonly amount: string;
  readonly epoch: string;
}

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface LaunchDialogParts extends Omit<CardDialogParts, "open"> {
  /** Begins a launch from the words behind `/launch`. */
  readonly start: (userId: number, typed: string) => Promise<Shown>;
  /** The pair's tokens; none of a launch that was dropped. */
  readonly tokensOf: (userId: number, launchId: string) => Promise<readonly Token[]>;
  readonly planLiquidity: (userId: number, launchId: string, first: string, second: string) => Promise<Shown>;
  /** Takes the person's word that a step is done. */
  readonly acknowledge: (userId: number, launchId: string, step: LaunchStep, pair?: string) => Promise<Shown>;
  readonly adviseLock: (userId: number, launchId: string) => Promise<LockAdvice>;
  /** Opens the card of the lock for the words behind `/lock`. */
  readonly openLock: (userId: number, launchId: string, typed: string) => Promise<Shown>;
  /** Enters a lock that the person reports. */
  readonly tellLock: (userId: number, launchId: string, told: LockTold) => Promise<Shown>;
}

/** Asks for the payout address where there is none, the two tokens and what the LP token is called; ends in the checklist. */
export function launchDialog(parts: LaunchDialogParts) {
  return openingDialog(parts, collectPair, parts.start);
}

/** Asks for the address of a pair whose creation had no clear answer. */
export function launchPairDialog(parts: LaunchDialogParts) {
  return createDialog(parts, async ({ userId, words, opens }, launchId: string) => {
    const question = { prompt: card([words.launch.askPair]), read: reading(words, parseContractAddress) };
    return opens(question, (pair) => parts.acknowledge(userId, launchId, "create-pair", pair));
  });
}

/** Asks for both amounts of the first deposit. */
export function launchLiquidityDialog(parts: LaunchDialogParts) {
  return createDialog(parts, async (interview, launchId: string) => {
    const { userId, words, asks, external } = interview;
    const person = { ...interview.person, knowsBalances: false };
    const amounts: string[] = [];
    for (const token of await external(() => parts.tokensOf(userId, launchId))) {
      const question = words.launch.askLiquidity(token.id);
      amounts.push(await asks(amountQuestion({ words, person }, token, question)));
    }
    const [first = "", second = ""] = amounts;
    return external(() => parts.planLiquidity(userId, launchId, first, second));
  });
}

/** Asks how much of the LP token is locked and until when; ends in the card of the lock. */
export function launchLockDialog(parts: LaunchDialogParts) {
  return createDialog(parts, async (interview, launchId: string) => {
    const { userId, words, asks, opens } = interview;
    const { token, ...advice } = await adviceWithToken(parts, interview, launchId);
    const amount = await asks(lockAmountQuestion(words, token, advice));
    return opens(untilQuestion(words, advice), (until) =>
      parts.openLock(userId, launchId, `${amount} ${token.id} ${until}`),
    );
  });
}

/** Asks for a locked token that the person has, where the bot knows of none. */
export function launchLockedDialog(parts: LaunchDialogParts) {
  return createDialog(parts, async (interview, launchId: string) => {
    const { userId, words, asks, opens } = interview;
    const { token, all } = await adviceWithToken(parts, interview, launchId);
    const locked = await asks(lockedQuestion(words, words.launch.askLocked));
    const amount = await asks(suggesting([words.launch.askLockedAmount(locked)], all, readingAmount(words, token)));
    const question = { prompt: card([words.launch.askLockedEpoch]), read: readingUnlockTime(words) };
    return opens(question, (epoch) => parts.tellLock(userId, launchId, { lpToken: token.id, locked, amount, epoch }));
  });
}

/** The words behind `/launch`: both tokens, the ticker, the name. */
const collectPair: Collect = async (interview, open) => {
  const { words, asks, external } = interview;
  const first = await asks(tokenQuestion(interview, words.launch.askFirst));
  const second = await asks(tokenQuestion(interview, words.launch.askSecond(first.id), first));
  const suggested = suggestedLpName(first, second);
  const ticker = await asks(suggesting([words.launch.askTicker], suggested, reading(words, readLpTicker)));
  const name = await asks(suggesting([words.launch.askName], ticker, reading(words, readLpName)));
  // None of the answers alone could be at fault, so a refusal ends it.
  return external(() => open(`${first.id} ${second.id} ${ticker} ${name}`));
};

/** What is known about the lock, and the LP token, which the person names where nothing else does. */
async function adviceWithToken(
  parts: LaunchDialogParts,
  { userId, words, asks, external }: Interview,
  launchId: string,
): Promise<LockAdvice & { readonly token: Token }> {
  const advice = await external(() => parts.adviseLock(userId, launchId));
  if (advice.lpToken !== undefined) return { ...advice, token: advice.lpToken };
  const id = await asks({
    prompt: card([words.launch.askLpToken]),
    read: reading(words, (text) => {
      const typed = text.trim().toUpperCase();
      if (!isTokenId(typed)) throw new Fault("asset-invalid", { text: text.slice(0, 40) });
      return typed;
    }),
  });
  return { ...advice, token: parts.tokens.byId(id) ?? unlistedToken(id) };
}

function lockAmountQuestion(words: Messages, token: Token, { all, leastAmount }: LockAdvice): Question<string> {
  const ask = token.precision === undefined ? words.launch.askLpAmountRaw : words.launch.askLpAmount;
  const least = leastAmount && words.launch.leastAmount(leastAmount);
  return suggesting([ask(token.id), least], all, readingAmount(words, token));
}

function untilQuestion(words: Messages, { epoch, leastEpoch, goodEpoch }: LockAdvice): Question<string> {
  const least = leastEpoch && epoch && words.launch.leastEpoch(leastEpoch, epoch);
  return suggesting([words.launch.askUnlock, least], goodEpoch, readingUnlockTime(words));
}
