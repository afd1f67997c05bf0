import { shortAddress } from "../encoding/address.js";
import { amountOf, formatAmount, unlistedToken } from "../encoding/amount.js";
import type { Failure } from "../encoding/result.js";
import { errorMessage, type Messages } from "../locales/messages.js";
import type { Intent, IntentTransaction, Reason } from "../services/intent/intent.js";
import { isOpenQuestion, isProven } from "../services/intent/intent.js";
import type { Terms } from "../services/intent/terms.js";
import { movementOf } from "../services/trade/kinds.js";
import { exactWithToken, figure, paidWithToken, percentOfBps } from "./amount.js";
import type { View } from "./card.js";
import { bold, labelled, momentOf, say, type Lines } from "./line.js";
import type { Subject } from "./subject.js";

/** How a call ended, as its card begins. */
export function endLines(intent: Intent, subject: Subject, view: View): Lines {
  const { outcome, terms, transaction, check, balances } = intent;
  const { intent: words, balance } = view.words;
  const { decided, answered, done, kept, unknownNext } = subject;
  const proven = isProven(intent);
  switch (outcome?.kind) {
    case "failed": {
      const feeKept = outcome.costsFee === true && words.feeKept;
      return [bold(words.failed), decided, refusalOf(outcome, terms, view.words), kept, feeKept];
    }
    case "not-sent":
      return [bold(words.notSent), decided, whyNotSent(outcome, view), kept];
    case "ok":
      if (!proven && answered === undefined) return [bold(words.unknown), decided, words.checkWallet, words.unverified];
      // A launch has a checklist, which asks the chain.
      if (!proven) return [bold(words.accepted), decided, answered, terms.kind !== "launch" && words.checkWallet];
      if (answered === undefined) return [bold(transaction ? words.carriedOut : done), decided, words.unreadable];
      return [
        bold(done),
        answered,
        transaction && networkFeeLine(transaction, view),
        words.paidTo(shortAddress(terms.payout)),
      ];
    case "unknown":
    case undefined:
      if (proven) return [bold(done), answered ?? decided];
      if (isOpenQuestion(intent)) {
        const next = balances?.after === undefined && unknownNext;
        return [bold(words.unknown), decided, next, check === undefined && whyUnknown(intent, view)];
      }
      return check?.by === "owner"
        ? [bold(say(balance.filed, momentOf(check.at, view, "time"))), decided]
        : [bold(words.failedOnChain), decided, kept];
  }
}

/** How it ended in one sentence, for the page where it was to be signed. */
export function endingOf({ state, outcome, terms }: Intent, view: View): string {
  const words = view.words.intent;
  if (outcome?.kind === "failed") return refusalOf(outcome, terms, view.words);
  const endings: Partial<Record<Intent["state"], string>> = {
    EXPIRED: words.expired,
    CANCELED: words.canceled,
    SUPERSEDED: words.superseded,
    SENT: words.sentToChain,
    OK: words.carriedOut,
    UNKNOWN: words.unknown,
    FAILED: (outcome?.kind === "not-sent" && whyNotSent(outcome, view)) || words.notSent,
  };
  return endings[state] ?? words.closing;
}

/** What balances and the chain say of a call's end, besides its answer. */
export function seenLines(intent: Intent, view: View): Lines {
  const words = view.words.balance;
  const { state, check } = intent;
  const figures = holdingLines(intent, view);
  // A look that told nothing is over once the balances tell it.
  if (check === undefined || (isProven(intent) && check.finding !== "arrived")) return state === "OK" ? figures : [];
  const time = momentOf(check.at, view, "time");
  switch (check.finding) {
    case "arrived":
      return [bold(check.by === "chain" ? words.onChain : say(words.arrived, time)), figures];
    case "not-arrived":
      if (check.by === "owner") return [words.filedExplain, figures];
      return [check.by === "balances" && bold(say(words.notArrived, time)), figures];
    case "unclear":
      return [bold(say(words.unclear, time)), words.why[check.why ?? "other"], figures];
  }
}

function holdingLines(intent: Intent, view: View): readonly string[] {
  const { before: held = {}, after } = intent.balances ?? {};
  if (after === undefined) return [];
  const { paid, wanted, received } = movementOf(intent, view.returnDataEncoding);
  const tokens = [...paid, wanted, received].map((amount) => amount?.token);
  return Object.entries(held).flatMap(([asset, was]) => {
    const is = after[asset];
    if (is === undefined) return [];
    const token = tokens.find((each) => each?.id === asset) ?? unlistedToken(asset);
    const before = figure(formatAmount(amountOf(token, was)), view.words);
    return [view.words.balance.beforeAfter(before, exactWithToken(amountOf(token, is), view.words))];
  });
}

export function networkFeeLine({ networkFee }: IntentTransaction, { words }: View) {
  return labelled(words.intent.networkFee, paidWithToken(networkFee, words));
}

const MAX_QUOTED = 120;

/**
 * Why a call failed, with what can be done about it, where its text or the chain's number is known; otherwise both as they
 * came. Nodes put words of their own around a contract's, so a known text may stand anywhere in it.
 */
export function refusalOf(failure: Failure, terms: Terms, words: Messages): string {
  const { text, code } = failure;
  const said = text.toLowerCase();
  const known = Object.entries(words.refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (typeof known === "string") return known;
  if (known !== undefined && "slippageBps" in terms) return known(percentOfBps(terms.slippageBps, words));
  const own = code === undefined ? undefined : words.resultCodes[code];
  return own ?? saidBy(failure, Array.from(text).slice(0, MAX_QUOTED).join(""), words);
}

export function saidBy({ code }: Failure, text: string, { intent, resultCode }: Messages): string {
  return code === undefined ? intent.refusalSays(text) : resultCode(code, text);
}

function whyUnknown({ outcome, transaction }: Intent, { words: { intent } }: View): string {
  const code = outcome?.kind === "unknown" ? outcome.code : undefined;
  if (code === "interrupted") return intent.unknownInterrupted;
  if (transaction === undefined) return intent.unknownWhy;
  return code === "nonce-used" ? intent.unknownReplaced : intent.unknownLost;
}

function whyNotSent({ code, parameters }: Reason, { words }: View): string | undefined {
  if (code === "interrupted") return words.intent.interrupted;
  // Older versions kept no parameters, and had codes that there are no more.
  const isTold = Object.hasOwn(words.faults, code) && (parameters !== undefined || words.faults[code].length === 0);
  return isTold ? errorMessage({ code, parameters: parameters ?? {} }, words) : undefined;
}
