import { card } from "../cards/card.js";
import { parseAmount } from "../encoding/amount.js";
import { isTokenId } from "../encoding/asset.js";
import type { Token } from "../encoding/token.js";
import { Fault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import type { Question } from "./ask.js";
import { lead, type Led } from "./card-dialog.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { showLaunch, suggesting, type LaunchDialogParts, type LaunchShown } from "./launch.js";
import { lockedQuestion, readingUnlockTime } from "./lock.js";
import { reading } from "./questions.js";

/** What is known about a lock that a launch needs, as texts for the questions. Plain JSON. */
export interface LockAdvice {
  /** Absent where no view and no answer told its id. */
  readonly lpToken?: Token;
  /** All LP tokens that the person should have, as an amount to type. */
  readonly all?: string;
  /** The fewest that suffice at the pool of now. */
  readonly leastAmount?: string;
  readonly epoch?: string;
  /** The first unlock epoch that suffices now, and one that leaves some time. */
  readonly leastEpoch?: string;
  readonly goodEpoch?: string;
}

export interface LaunchLockDialogParts extends LaunchDialogParts {
  readonly adviseLock: (userId: number, launchId: string) => Promise<LockAdvice>;
  /** Keeps the LP token's id, and gives the token as it is known now. */
  readonly keepLpToken: (userId: number, launchId: string, id: string) => Promise<Token>;
  /** Opens the card of the lock for the words behind `/lock`. */
  readonly openLock: (userId: number, launchId: string, typed: string) => Promise<LaunchShown>;
  /** Enters a lock that the person tells of. */
  readonly tellLock: (
    userId: number,
    launchId: string,
    told: { readonly locked: string; readonly amount: string; readonly epoch: string },
  ) => Promise<LaunchShown>;
}

/** Asks how much of the LP token is locked and until when; ends in the card of the lock. */
export function launchLockDialog(parts: LaunchLockDialogParts) {
  return async (dialog: Dialog, ctx: DialogContext, launchId: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const led = await lead(parts, dialog, ctx);
    const { words, asks } = led;
    const advice = await dialog.external(() => parts.adviseLock(userId, launchId));
    const token = await lpTokenOf(parts, dialog, led, userId, launchId, advice);
    const amount = await asks(lockAmountQuestion(words, token, advice));
    const until = await asks(untilQuestion(words, advice));
    await showLaunch(parts, dialog, ctx, () => parts.openLock(userId, launchId, `${amount} ${token.id} ${until}`));
  };
}

/** Asks for a locked token that the person has, where the bot knows of none. */
export function launchLockedDialog(parts: LaunchLockDialogParts) {
  return async (dialog: Dialog, ctx: DialogContext, launchId: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const led = await lead(parts, dialog, ctx);
    const { words, asks } = led;
    const advice = await dialog.external(() => parts.adviseLock(userId, launchId));
    const token = await lpTokenOf(parts, dialog, led, userId, launchId, advice);
    const locked = await asks(lockedQuestion(words, words.launch.askLocked));
    const amount = await asks(suggesting([words.launch.askLockedAmount(locked)], advice.all, amountOf(words, token)));
    const epoch = await asks({ prompt: card([words.launch.askLockedEpoch]), read: readingUnlockTime(words) });
    await showLaunch(parts, dialog, ctx, () => parts.tellLock(userId, launchId, { locked, amount, epoch }));
  };
}

/** The LP token, which the person names where nothing else does. */
async function lpTokenOf(
  parts: LaunchLockDialogParts,
  dialog: Dialog,
  { words, asks }: Led,
  userId: number,
  launchId: string,
  { lpToken }: LockAdvice,
): Promise<Token> {
  if (lpToken !== undefined) return lpToken;
  const id = await asks({
    prompt: card([words.launch.askLpToken]),
    read: reading(words, (text) => {
      const typed = text.trim().toUpperCase();
      if (!isTokenId(typed)) throw new Fault("asset-invalid", { text: text.slice(0, 40) });
      return typed;
    }),
  });
  return dialog.external(() => parts.keepLpToken(userId, launchId, id));
}

function lockAmountQuestion(words: Messages, token: Token, { all, leastAmount }: LockAdvice): Question<string> {
  const ask = token.precision === undefined ? words.launch.askLpAmountRaw : words.launch.askLpAmount;
  const least = leastAmount === undefined ? [] : [words.launch.leastAmount(leastAmount)];
  return suggesting([ask(token.id), ...least], all, amountOf(words, token));
}

function untilQuestion(words: Messages, { epoch, leastEpoch, goodEpoch }: LockAdvice): Question<string> {
  const isAdvised = leastEpoch !== undefined && epoch !== undefined;
  const least = isAdvised ? [words.launch.leastEpoch(leastEpoch, epoch)] : [];
  return suggesting([words.launch.askUnlock, ...least], goodEpoch, readingUnlockTime(words));
}

/** The amount as the person gave it, once it can be read. */
function amountOf(words: Messages, token: Token): Question<string>["read"] {
  return reading(words, (text) => {
    parseAmount(text, token);
    return text.trim();
  });
}
