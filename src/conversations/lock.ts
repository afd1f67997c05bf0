import { figure, withToken } from "../cards/amount.js";
import { card, type Lines } from "../cards/card.js";
import { type AssetId, formatAmount, formatAssetId } from "../encoding/amount.js";
import { parseUntil, type Until } from "../encoding/typed.js";
import type { Messages } from "../locales/messages.js";
import { type Locked, lockedToken, readLock, readLockedAsset, readUnlock } from "../services/trade/lock-request.js";
import type { LockRequest, UnlockRequest } from "../services/terms/lock-terms.js";
import type { FormOf, Question } from "./interview.js";
import { amountQuestion, createPayingForm, pick, reading, readingPay, suggesting, typedAlready } from "./questions.js";

export function lockForm(parts: FormOf<LockRequest>) {
  return createPayingForm("lock.1", parts, readLock, async (interview, line) => {
    const { words, ask, askAndSubmit, submit } = interview;
    const { market, token, rest: time, ...typed } = await typedAlready(interview, line, words.lock.askToken, true);
    const asksAmount = () => amountQuestion(interview, token, words.lock.askAmount(token.id), market);
    const pay = typed.pay ?? (await ask(await asksAmount()));
    return time === undefined
      ? askAndSubmit(untilQuestion(words, [words.lock.askUntil]), (until) => ({ kind: "lock", pay, token, until }))
      : submit({ kind: "lock", pay, token, until: parseUntil(time) });
  });
}

/** Durations to choose from, written as a user could type them. */
const OFFERED_TIMES = ["7d", "30d", "90d", "1y"];

export function untilQuestion(words: Messages, lines: Lines, suggestion?: string): Question<Until> {
  // What is suggested may be the least that is enough.
  const offered = suggestion === undefined ? OFFERED_TIMES : [suggestion];
  const prompt = card(lines, [offered.map((time) => pick(time))]);
  return { hasNumbers: true, prompt, read: reading(words, parseUntil) };
}

const MAX_LOCK_BUTTONS = 6;

export function unlockForm(parts: FormOf<UnlockRequest> & { locksOf: (userId: number) => Promise<readonly Locked[]> }) {
  return createPayingForm("unlock.1", parts, readUnlock, async (interview) => {
    const { userId, person, words, tokens, ask, askAndSubmit, external } = interview;
    const locks = await external(() => parts.locksOf(userId));
    const locked = await ask(lockedQuestion(words, words.lock.askLocked, locks));
    const known = locks.find((lock) => formatAssetId(lock.locked) === formatAssetId(locked))?.amount;
    const token = lockedToken(tokens, locked, known?.token);
    const all = known && formatAmount(known);
    const read = readingPay(words, token, person.knowsBalances || known !== undefined);
    const allOf = all && words.lock.allOf(figure(all, words));
    const question = suggesting([words.lock.askUnlockAmount], all, read, allOf);
    return askAndSubmit({ ...question, hasNumbers: true }, (pay) => ({ kind: "unlock", locked, pay }));
  });
}

export function lockedQuestion(words: Messages, prompt: string, locks: readonly Locked[] = []): Question<AssetId> {
  const offered = locks.slice(0, MAX_LOCK_BUTTONS).map(({ locked, amount }) => {
    const [id, shown] = [formatAssetId(locked), withToken(amount, words)];
    return [pick(id, amount.token.id === id ? shown : `${shown} · ${id}`)];
  });
  return { name: "locked", prompt: card([prompt], offered), read: reading(words, readLockedAsset) };
}
