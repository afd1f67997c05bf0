import { card } from "../cards/card.js";
import type { Refusal } from "../cards/mends.js";
import { grouped } from "../encoding/decimal-text.js";
import { parseContractAddress } from "../encoding/address.js";
import { isTokenId } from "../encoding/asset.js";
import { unlistedToken, type Token } from "../encoding/token.js";
import { Fault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import { readLpName, readLpTicker, suggestedLpName } from "../services/launch/start.js";
import type { Question } from "./ask.js";
import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import { createDialog, type Interview } from "./interview.js";
import { lockedQuestion, readingUnlockTime, untilQuestion } from "./lock.js";
import type { Opening, Shown } from "./opened.js";
import { amountQuestion, reading, readingAmount, readingShareOr, suggesting, tokenQuestion } from "./questions.js";

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

/** What these dialogs ask of the world besides. */
export interface LaunchDialogParts extends CardDialogParts {
  /** The pair's tokens; none of a launch that was dropped. */
  readonly tokensOf: (userId: number, launchId: string) => Promise<readonly Token[]>;
  /** What of the second token is worth as much as the first of these amounts; undefined before there is one, and where no price is known. */
  readonly matchingDeposit: (
    userId: number,
    launchId: string,
    amounts: readonly string[],
  ) => Promise<string | undefined>;
  /** Why a pair can't be launched, as far as that is known. */
  readonly refusePair: (userId: number, first: string, second: string) => Promise<Refusal | undefined>;
  readonly adviseLock: (userId: number, launchId: string) => Promise<LockAdvice>;
}

/** Asks for the payout address where there is none, the two tokens and what the LP token is called; ends in the checklist. */
export function launchDialog(parts: LaunchDialogParts) {
  return cardDialog(parts, "launch", collectPair(parts));
}

/** Asks for the address of a pair whose creation had no clear answer. */
export function launchPairDialog(parts: CardDialogParts) {
  return aboutLaunch(parts, "launch-pair", ({ words, opens }, _launchId, open) =>
    opens({ prompt: card([words.launch.askPair]), read: reading(words, parseContractAddress) }, open),
  );
}

/** Asks for both amounts of the first deposit. */
export function launchLiquidityDialog(parts: LaunchDialogParts) {
  return aboutLaunch(parts, "launch-liquidity", async (interview, launchId, open) => {
    const { userId, words, asks, external } = interview;
    const market = await interview.market();
    const amounts: string[] = [];
    for (const token of await external(() => parts.tokensOf(userId, launchId))) {
      const matching = await external(async () => (await parts.matchingDeposit(userId, launchId, amounts)) ?? null);
      const question = words.launch.askLiquidity(token.id);
      const prompt =
        matching === null ? question : `${question} ${words.launch.marketAmount(grouped(matching), token.id)}`;
      amounts.push(await asks(await amountQuestion(interview, token, prompt, market, matching ?? undefined)));
    }
    return external(() => open(amounts.join(" ")));
  });
}

/** Asks how much of the LP token is locked and until when; ends in the card of the lock. */
export function launchLockDialog(parts: LaunchDialogParts) {
  return aboutLaunch(parts, "launch-lock", async (interview, launchId, open) => {
    const { words, person, asks, opens } = interview;
    const { token, ...advice } = await adviceWithToken(parts, interview, launchId);
    const question = lockAmountQuestion(words, token, advice);
    const read = readingShareOr(words, person.knowsBalances, question.read);
    const amount = await asks({ ...question, read, hasNumbers: true });
    return opens(launchUntilQuestion(words, advice), (until) => open(`${amount} ${token.id} ${until}`));
  });
}

/** Asks for a locked token that the person has, where the bot knows of none. */
export function launchLockedDialog(parts: LaunchDialogParts) {
  return aboutLaunch(parts, "launch-locked", async (interview, launchId, open) => {
    const { words, asks, opens } = interview;
    const { token, all } = await adviceWithToken(parts, interview, launchId);
    const locked = await asks(lockedQuestion(words, words.launch.askLocked));
    const asksAmount = suggesting([words.launch.askLockedAmount(locked)], all, readingAmount(words, token));
    const amount = await asks({ ...asksAmount, hasNumbers: true });
    const question = { prompt: card([words.launch.askLockedEpoch]), read: readingUnlockTime(words) };
    return opens(question, (epoch) => open(`${token.id} ${locked} ${amount} ${epoch}`));
  });
}

/** A dialog about a launch that was begun: the launch's id goes before what it collects. */
function aboutLaunch(
  parts: CardDialogParts,
  id: Opening,
  collect: (interview: Interview, launchId: string, open: (line: string) => Promise<Shown>) => Promise<Shown>,
) {
  return createDialog(parts, (interview, launchId: string) =>
    collect(interview, launchId, (line) => parts.open(id, interview.userId, `${launchId} ${line}`)),
  );
}

/** The words behind `/launch`: both tokens, which are compared with the pairs there are before anything else is asked; the ticker, the name. */
const collectPair =
  (parts: Pick<LaunchDialogParts, "refusePair">): Collect =>
  async (interview, open) => {
    const { userId, words, asks, external } = interview;
    const market = await interview.market();
    const first = await asks(tokenQuestion(interview, words.launch.askFirst, { market }));
    const asksSecond = tokenQuestion(interview, words.launch.askSecond(first.id), { market, other: first });
    const second = await asks(asksSecond, (token) => parts.refusePair(userId, first.id, token.id));
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

function launchUntilQuestion(words: Messages, { epoch, leastEpoch, goodEpoch }: LockAdvice): Question<string> {
  const least = leastEpoch && epoch && words.launch.leastEpoch(leastEpoch, epoch);
  return untilQuestion(words, [words.launch.askUnlock, least], goodEpoch);
}
