import type { InlineKeyboardButton } from "grammy/types";
import { buttons } from "./buttons.js";
import { shortAddress } from "../encoding/address.js";
import type { Failure } from "../encoding/result-code.js";
import {
  isFoundOut,
  isOpenQuestion,
  isProven,
  type Intent,
  type IntentTransaction,
  type Reason,
} from "../model/intent.js";
import type { Messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { formatBps } from "../encoding/percent.js";
import type { Terms } from "../model/terms.js";
import { plainText } from "../services/plain-text.js";
import { paidWithToken } from "./amount.js";
import {
  bold,
  button,
  card,
  code,
  labelled,
  linesBeyond,
  linesIn,
  type Card,
  type Lines,
  type Rows,
  type View,
} from "./card.js";
import { slippageWarning } from "./settings.js";
import { formatLength, formatTimeOfDay } from "./time.js";

/** What a card is about; how it goes from the offer to the answer is the same for all. */
export interface Subject {
  readonly title: string;
  /** What it is once it was decided: the title with what is paid. */
  readonly decided: string;
  /** What a person has to know before they confirm; the decision first. */
  readonly offer: Lines;
  /** Everything else about it, figures to the last digit; behind a button. */
  readonly details: Lines;
  /** What the person gets, for the card that waits for their wallet too. */
  readonly gets?: Lines;
  readonly confirm: string;
  /** The headline once it is proven that it was carried out. */
  readonly done: string;
  /** The lines about the answer; undefined where there is none, or it is not what the contract must have done. */
  readonly answered: Lines | undefined;
  /** What it means that nothing was carried out. */
  readonly kept: string;
  /** What to do while it is unknown whether it was carried out. */
  readonly unknownNext: string;
  /** The button that leads to another way to the same end; above the confirm button where that is better. */
  readonly otherWay?: { readonly button: InlineKeyboardButton; readonly isBetter: boolean } | undefined;
  /** Rows of buttons under the card at its end, to what follows. */
  readonly next?: Rows | false | undefined;
  /** What was found out about its end besides the answer. */
  readonly seen?: Lines | undefined;
  /** A second step before the confirm button is offered. */
  readonly hurdle?: Hurdle | undefined;
}

/** What a person has to see first, and the button that leads on. */
export interface Hurdle {
  readonly headline?: string;
  readonly sentences: Lines;
  readonly button: string;
  /** Whether it may be gone in a moment, so that asking again is worth it. */
  readonly mayPass?: true;
  /** Whether going on costs money: then its button stands last, where no hasty tap finds it. */
  readonly isDangerous?: true;
}

/** What is particular to a card at one moment. */
export interface CardOptions {
  /** A sentence above it, such as why it replaced another card. */
  readonly notice?: string;
  /** That the person took the second step which the card asks for. */
  readonly isAccepted?: boolean;
  /** That the person wants to see everything. */
  readonly isDetailed?: boolean;
}

/** The card of an intent in whatever state it is. */
export function subjectCard(intent: Intent, subject: Subject, view: View, options: CardOptions): Card {
  const words = view.words.intent;
  const decided = [options.notice, bold(subject.decided)];
  switch (intent.state) {
    case "QUOTED":
      return offered(intent, subject, view, options);
    case "CLAIMED":
      return card([decided, words.sending]);
    case "SIGNING":
      return signing(intent, view, [decided, subject.gets ?? []]);
    case "SENT":
      return intent.transaction === undefined
        ? card([decided, words.sent])
        : card(
            [decided, waitingForChain(intent.terms, intent.transaction, view), onChain(intent.transaction, view)],
            [[explorer(intent, view)]],
          );
    case "EXPIRED":
      return card([decided, words.expired], [[again(intent, view)]]);
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

/** From this share of what is paid on, in hundredths of a percent, a network fee is warned of. */
const WARN_FEE_BPS = 500n;

/** What the network will take besides, where a wallet signs; once there is a transaction, its card says it exactly. */
export function networkFeeLines({ estimatedFee, transaction }: Intent, { publicUrl, words }: View): Lines {
  if (publicUrl === undefined || transaction !== undefined) return [];
  if (estimatedFee === undefined) return [words.intent.networkFeeLater];
  const { amount, shareBps = 0n } = estimatedFee;
  return [
    labelled(words.intent.networkFeeAbout, paidWithToken(amount, words)),
    shareBps >= WARN_FEE_BPS && words.intent.networkFeeWarning(formatBps(shareBps)),
  ];
}

/** So long after it was set, a payout address is on every card in full. */
const NEW_ADDRESS_MILLISECONDS = 86_400_000;

/**
 * From where a call is paid (`fromElsewhere` where that isn't known to be the person's account), and the address to which it
 * pays out. Their own account is shortened, but not for a day after it was set: until then they don't know it by its ends.
 */
export function accountLines(intent: Intent, view: View, fromElsewhere = view.words.intent.fromNode): Lines {
  const { callerIsPerson, payoutSince, words } = view;
  const { payout } = intent.terms;
  const isNew = payoutSince !== undefined && intent.quotedAt - payoutSince < NEW_ADDRESS_MILLISECONDS;
  if (callerIsPerson && !isNew) return [`${words.intent.account} ${shortAddress(payout)}`];
  return [callerIsPerson ? words.intent.fromYours : fromElsewhere, code(payout)];
}

function offered(intent: Intent, subject: Subject, view: View, { notice, isDetailed = false }: CardOptions): Card {
  const { id, terms, expiresAt, quotedAt } = intent;
  const { common } = view.words;
  const [cancel, refresh] = [button(common.cancel, buttons.cancel, id), button(common.refresh, buttons.refresh, id)];
  const { hurdle, otherWay } = subject;
  if (hurdle !== undefined) {
    const { headline, isDangerous = false, mayPass = false } = hurdle;
    const accept = [button(hurdle.button, buttons.accept, id)];
    return card(
      headline === undefined
        ? [notice, bold(subject.decided), hurdle.sentences]
        : [notice, bold(headline), subject.decided, hurdle.sentences],
      [isDangerous ? [] : accept, [otherWay?.button], [mayPass && refresh, cancel], isDangerous ? accept : []],
    );
  }
  const confirm = [button(subject.confirm, buttons.confirm, id)];
  return card(
    [
      notice,
      bold(subject.title),
      view.phrase && `🛡 ${view.phrase}`,
      subject.offer,
      "slippageBps" in terms && slippageWarning(terms.slippageBps, view.words),
      common.untilTime(formatTimeOfDay(expiresAt, view.timeZone), formatLength(expiresAt - quotedAt)),
      isDetailed && ["", linesBeyond(subject.offer, [subject.details, code(terms.payout)])],
    ],
    [
      ...(otherWay?.isBetter === true ? [[otherWay.button], confirm] : [confirm, [otherWay?.button]]),
      [refresh, cancel],
      subject.details.length > 0 ? detailsRow(id, isDetailed, view) : [],
    ],
  );
}

/** What became of a call that a wallet was asked to sign, in a sentence. */
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

/** Waiting for the wallet. Once it is closing, all that can be done is to see whether the wallet sent it after all. */
function signing({ id, transaction }: Intent, view: View, about: Lines): Card {
  const { intent: words, common } = view.words;
  if (transaction === undefined || transaction.closing !== undefined) return card([about, words.closing]);
  return card(
    [
      about,
      words.signing,
      networkFeeLine(transaction, view),
      words.signUntil(formatTimeOfDay(transaction.signUntil, view.timeZone)),
    ],
    [
      [{ text: words.sign, url: `${view.publicUrl ?? ""}/sign/${transaction.token}` }],
      [button(common.cancel, buttons.cancel, id)],
    ],
  );
}

/** What the network says of it: nothing yet, or why it refuses now what it may have taken before. */
function waitingForChain(terms: Terms, { refusal, sendUntil }: IntentTransaction, view: View): Lines {
  const words = view.words.intent;
  if (refusal === undefined) return [words.sentToChain];
  const until = formatTimeOfDay(sendUntil, view.timeZone);
  return [words.refusedNow, refusalOf({ text: refusal }, terms, view.words), words.refusedNext(until)];
}

/** How it ended: the headline, what became of it, and behind a button what the card had said. */
function ended(intent: Intent, subject: Subject, view: View, { notice, isDetailed = false }: CardOptions): Card {
  const { transaction, outcome } = intent;
  const details = linesIn([
    subject.details,
    outcome?.kind === "failed" && saidBy(outcome, outcome.text, view.words),
    outcome?.kind !== "not-sent" && transaction && onChain(transaction, view),
  ]);
  return card(
    [notice, ending(intent, subject, view), subject.seen, isDetailed && ["", details]],
    [
      [isUnclear(intent, subject) && button(view.words.balance.check, buttons.check, intent.id)],
      [isOpenQuestion(intent) && intent.check !== undefined && filing(intent, view)],
      [intent.state === "FAILED" && again(intent, view)],
      [explorer(intent, view)],
      ...(subject.next || []),
      details.length > 0 ? detailsRow(intent.id, isDetailed, view) : [],
    ],
  );
}

/** Whether nobody can say what became of a call: no clear answer came, or none that can be read and that something else bears out. */
export function isUnclear(intent: Intent, { answered }: Subject): boolean {
  if (intent.state === "UNKNOWN") return !isFoundOut(intent);
  return intent.state === "OK" && answered === undefined && !isProven(intent);
}

function again({ id }: Intent, { words }: View) {
  return button(words.common.refresh, buttons.refresh, id);
}

/** Its owner may know better than anybody that nothing came of it. */
function filing({ id }: Intent, { words }: View) {
  return button(words.balance.file, buttons.file, id);
}

function detailsRow(id: string, isDetailed: boolean, { words: { common, security } }: View): Rows[number] {
  const turn = isDetailed ? button(common.back, buttons.brief, id) : button(common.details, buttons.details, id);
  return [turn, button(security.freeze, buttons.freeze, "now")];
}

/** What the chain has of it. */
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
        const answer = code(asItCame(outcome.returnData));
        const happened = intent.transaction === undefined ? subject.done : words.carriedOut;
        return proven
          ? [bold(happened), subject.decided, words.unreadable, answer]
          : [bold(words.unknown), subject.decided, words.unverified, answer, words.checkWallet];
      }
      return [
        bold(proven ? subject.done : words.accepted),
        !proven && subject.title,
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
    case undefined: {
      if (isProven(intent)) return [bold(subject.done), subject.answered ?? subject.decided];
      if (!isOpenQuestion(intent)) return [bold(subject.decided)];
      return [
        bold(words.unknown),
        subject.decided,
        intent.check === undefined && whyUnknown(intent, view),
        intent.balances?.after === undefined && subject.unknownNext,
      ];
    }
  }
}

/** More of a stranger's text is not shown on a card. */
const MAX_QUOTED = 120;

/**
 * Why a call failed, with what can be done about it, where its text or the chain's number is known; otherwise both as they
 * came. Nodes put words of their own around a contract's, so a known text may stand anywhere in it.
 */
function refusalOf(failure: Failure, terms: Terms, words: Messages): string {
  const { refusals, resultCodes } = words;
  const { text, code } = failure;
  const said = text.toLowerCase();
  const slippage = "slippageBps" in terms ? formatBps(terms.slippageBps) : undefined;
  const known = Object.entries(refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (known !== undefined && (slippage !== undefined || known.length === 0)) return known(slippage ?? "");
  const own = code === undefined ? undefined : resultCodes[code];
  return own ?? saidBy(failure, Array.from(text).slice(0, MAX_QUOTED).join(""), words);
}

/** The words of a failure as they came: the contract's, or the chain's with its number. */
function saidBy({ code }: Failure, text: string, { intent }: Messages): string {
  return code === undefined ? intent.refusalSays(text) : intent.resultCode(code, text);
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
  return isTold ? sentenceOf({ code, parameters: parameters ?? {} }, words) : undefined;
}

/** More than this of an answer that nobody understands helps nobody, and has no room in a message. */
const MAX_SHOWN_ANSWER = 1500;

function asItCame(returnData: readonly string[]): string {
  const text = returnData.map((entry) => plainText(entry, MAX_SHOWN_ANSWER)).join("\n");
  return text.length <= MAX_SHOWN_ANSWER ? text || "[]" : `${text.slice(0, MAX_SHOWN_ANSWER)}…`;
}
