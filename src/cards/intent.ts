import { buttons } from "./buttons.js";
import { shortAddress } from "../encoding/address.js";
import {
  isFoundOut,
  isOpenQuestion,
  isProven,
  type Intent,
  type IntentTransaction,
  type Reason,
} from "../services/intent/intent.js";
import { plainText } from "../services/text/plain.js";
import { paidWithToken, percent } from "./amount.js";
import { button, card, disabled, foldedCard, giving, spending, type Card, type View } from "./card.js";
import { bold, code, labelled, linesBeyond, say, type Lines, momentOf } from "./line.js";
import { slippageWarning } from "./settings.js";
import type { CardOptions, Subject } from "./subject.js";
import type { Failure } from "../encoding/result.js";
import { formatBps } from "../encoding/percent.js";
import { type Messages, errorMessage } from "../locales/messages.js";
import type { Terms } from "../services/intent/terms.js";

export function subjectCard(intent: Intent, subject: Subject, view: View, options: CardOptions): Card {
  const words = view.words.intent;
  const decided = [options.notice, bold(subject.decided)];
  switch (intent.state) {
    case "QUOTED":
      return offered(intent, subject, view, options);
    case "CLAIMED":
      // The terms stay, and the button keeps its place: nothing jumps, and a second tap finds nothing.
      return card([termsLines(intent, subject, view, options), words.sending], [[disabled(words.sendingButton)]]);
    case "SIGNING":
      return signing(intent, view, [decided, subject.gets]);
    case "SENT":
      return card([decided, waiting(intent, view)], [[explorer(intent, view)]]);
    case "EXPIRED":
      return card([decided, words.expired], [[disabled(words.expiredButton), again(intent, view)]]);
    case "CANCELED":
      return card([decided, words.canceled]);
    case "SUPERSEDED":
      return card([decided, words.superseded]);
    case "OK":
    case "FAILED":
    case "UNKNOWN":
      return ended(intent, subject, view, options);
  }
}

function offered(intent: Intent, subject: Subject, view: View, options: CardOptions): Card {
  const { id, terms, expiresAt } = intent;
  const { notice } = options;
  const { common } = view.words;
  const [cancel, refresh] = [button(common.cancel, buttons.cancel, id), button(common.refresh, buttons.refresh, id)];
  const { acknowledgement, otherWay } = subject;
  if (acknowledgement !== undefined) {
    const { headline, isDangerous = false, mayPass = false } = acknowledgement;
    const go = button(acknowledgement.button, buttons.accept, id);
    const accept = [isDangerous ? giving(go) : go];
    return card(
      headline === undefined
        ? [notice, bold(subject.decided), acknowledgement.sentences]
        : [notice, bold(headline), subject.decided, acknowledgement.sentences],
      [isDangerous ? [] : accept, [otherWay?.button], [mayPass && refresh, cancel], isDangerous ? accept : []],
    );
  }
  const confirm = [spending(button(subject.confirm, buttons.confirm, id))];
  return foldedCard(
    [
      termsLines(intent, subject, view, options),
      say(common.validUntil, momentOf(expiresAt, view, "time"), momentOf(expiresAt, view, "ticking")),
    ],
    [subject.details, code(terms.payout)],
    [
      ...(otherWay?.isBetter === true ? [[otherWay.button], confirm] : [confirm, [otherWay?.button]]),
      [refresh, cancel],
      [subject.details.length > 0 && button(view.words.security.freeze, buttons.freeze, "now")],
    ],
    view.words,
  );
}

function termsLines({ terms }: Intent, subject: Subject, view: View, { notice }: CardOptions): Lines {
  return [
    notice,
    bold(subject.title),
    view.phrase && `🛡 ${view.phrase}`,
    subject.offer,
    "slippageBps" in terms && slippageWarning(terms.slippageBps, view.words),
  ];
}

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

function signing({ id, transaction }: Intent, view: View, about: Lines): Card {
  const { intent: words, common } = view.words;
  if (transaction === undefined || transaction.closing !== undefined) return card([about, words.closing]);
  const cancel = button(common.cancel, buttons.cancel, id);
  const until = say(
    words.signUntil,
    momentOf(transaction.signUntil, view, "time"),
    momentOf(transaction.signUntil, view, "ticking"),
  );
  return card(
    [about, words.signing, networkFeeLine(transaction, view), until],
    [[{ text: words.sign, url: `${view.publicUrl ?? ""}/sign/${transaction.token}` }], [cancel]],
  );
}

function waiting({ terms, transaction }: Intent, view: View): Lines {
  const words = view.words.intent;
  if (transaction === undefined) return [words.sent];
  const { refusal, sendUntil } = transaction;
  if (refusal === undefined) return [words.sentToChain, onChain(transaction, view)];
  const next = say(words.refusedNext, momentOf(sendUntil, view, "time"));
  return [words.refusedNow, refusalOf({ text: refusal }, terms, view.words), next, onChain(transaction, view)];
}

function ended(intent: Intent, subject: Subject, view: View, { notice }: CardOptions): Card {
  const { transaction, outcome } = intent;
  const shown = [notice, ending(intent, subject, view), subject.seen];
  const isUnread = outcome?.kind === "ok" && subject.answered === undefined;
  const { confirmed, response } = view.words.intent;
  const details = linesBeyond(shown, [
    subject.details.length > 0 && [confirmed, subject.details],
    outcome?.kind === "failed" && saidBy(outcome, outcome.text, view.words),
    outcome?.kind !== "not-sent" && transaction && onChain(transaction, view),
    isUnread && [response, code(asItCame(outcome.returnData))],
  ]);
  return foldedCard(
    shown,
    details,
    [
      [isUnclear(intent, subject) && button(view.words.balance.check, buttons.check, intent.id)],
      // Its owner may know better than anybody that nothing came of it.
      [isOpenQuestion(intent) && intent.check && button(view.words.balance.file, buttons.file, intent.id)],
      [intent.state === "FAILED" && again(intent, view)],
      [explorer(intent, view)],
      ...(subject.next || []),
      [details.length > 0 && button(view.words.security.freeze, buttons.freeze, "now")],
    ],
    view.words,
  );
}

/** Whether a look may still say what became of a call: no clear answer came, or none that anything else bears out. */
export function isUnclear(intent: Intent, { answered }: Subject): boolean {
  if (intent.state === "UNKNOWN") return !isFoundOut(intent);
  return intent.state === "OK" && !isProven(intent) && (answered === undefined || intent.balances !== undefined);
}

function again({ id }: Intent, { words }: View) {
  return button(words.common.newQuote, buttons.refresh, id);
}

function onChain(transaction: IntentTransaction, view: View): Lines {
  return [networkFeeLine(transaction, view), labelled(view.words.intent.transaction, code(transaction.hash))];
}

function networkFeeLine({ networkFee }: IntentTransaction, { words }: View) {
  return labelled(words.intent.networkFee, paidWithToken(networkFee, words));
}

function explorer({ outcome, transaction }: Intent, view: View) {
  if (transaction === undefined || view.explorerUrl === undefined || outcome?.kind === "not-sent") return undefined;
  return { text: view.words.intent.explorer, url: `${view.explorerUrl}/transaction/${transaction.hash}` };
}

function ending(intent: Intent, subject: Subject, view: View): Lines {
  const { outcome, terms } = intent;
  const words = view.words.intent;
  switch (outcome?.kind) {
    case "ok": {
      const proven = isProven(intent);
      if (subject.answered === undefined) {
        if (!proven) return [bold(words.unknown), subject.decided, words.checkWallet, words.unverified];
        const happened = intent.transaction === undefined ? subject.done : words.carriedOut;
        return [bold(happened), subject.decided, words.unreadable];
      }
      if (!proven) {
        // A launch has a checklist, which asks the chain.
        const advice = terms.kind !== "launch" && words.checkWallet;
        return [bold(words.accepted), subject.decided, subject.answered, advice];
      }
      return [
        bold(subject.done),
        subject.answered,
        intent.transaction && networkFeeLine(intent.transaction, view),
        words.paidTo(shortAddress(terms.payout)),
      ];
    }
    case "failed":
      return [
        bold(words.failed),
        subject.decided,
        refusalOf(outcome, terms, view.words),
        subject.kept,
        outcome.costsFee === true && words.feeKept,
      ];
    case "not-sent":
      return [bold(words.notSent), subject.decided, whyNotSent(outcome, view), subject.kept];
    case "unknown":
    case undefined:
      if (isProven(intent)) return [bold(subject.done), subject.answered ?? subject.decided];
      if (!isOpenQuestion(intent)) return foundLines(intent, subject, view);
      return [
        bold(words.unknown),
        subject.decided,
        intent.balances?.after === undefined && subject.unknownNext,
        intent.check === undefined && whyUnknown(intent, view),
      ];
  }
}

/** For calls that failed on chain, or that their owner filed as not happened. */
function foundLines({ check }: Intent, { decided, kept }: Subject, view: View): Lines {
  return check?.by === "owner"
    ? [bold(say(view.words.balance.filed, momentOf(check.at, view, "time"))), decided]
    : [bold(view.words.intent.failedOnChain), decided, kept];
}

/** More than this of an answer that nobody understands helps nobody, and has no room in a message. */
const MAX_SHOWN_ANSWER = 1500;

function asItCame(returnData: readonly string[]): string {
  const text = returnData.map((entry) => plainText(entry, MAX_SHOWN_ANSWER)).join("\n");
  return text.length <= MAX_SHOWN_ANSWER ? text || "[]" : `${text.slice(0, MAX_SHOWN_ANSWER)}…`;
}

const MAX_QUOTED = 120;

/**
 * Why a call failed, with what can be done about it, where its text or the chain's number is known; otherwise both as they
 * came. Nodes put words of their own around a contract's, so a known text may stand anywhere in it.
 */
export function refusalOf(failure: Failure, terms: Terms, words: Messages): string {
  const { refusals, resultCodes } = words;
  const { text, code } = failure;
  const said = text.toLowerCase();
  const slippage = "slippageBps" in terms ? percent(formatBps(terms.slippageBps), words) : undefined;
  const known = Object.entries(refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (typeof known === "string") return known;
  if (known !== undefined && slippage !== undefined) return known(slippage);
  const own = code === undefined ? undefined : resultCodes[code];
  return own ?? saidBy(failure, Array.from(text).slice(0, MAX_QUOTED).join(""), words);
}

export function saidBy({ code }: Failure, text: string, { intent }: Messages): string {
  return code === undefined ? intent.refusalSays(text) : intent.resultCode(code, text);
}

export function whyUnknown({ outcome, transaction }: Intent, { words: { intent } }: View): string {
  const code = outcome?.kind === "unknown" ? outcome.code : undefined;
  if (code === "interrupted") return intent.unknownInterrupted;
  if (transaction === undefined) return intent.unknownWhy;
  return code === "nonce-used" ? intent.unknownReplaced : intent.unknownLost;
}

export function whyNotSent({ code, parameters }: Reason, { words }: View): string | undefined {
  if (code === "interrupted") return words.intent.interrupted;
  // Older versions kept no parameters, and had codes that there are no more.
  const isTold = Object.hasOwn(words.faults, code) && (parameters !== undefined || words.faults[code].length === 0);
  return isTold ? errorMessage({ code, parameters: parameters ?? {} }, words) : undefined;
}
