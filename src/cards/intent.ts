import type { Messages } from "../locales/messages.js";
import type { Intent, IntentTransaction } from "../services/intent/intent.js";
import { isFoundOut, isOpenQuestion, isProven } from "../services/intent/intent.js";
import type { IntentKind, Terms } from "../services/intent/terms.js";
import { plainText } from "../services/text/plain.js";
import { movementOf } from "../services/trade/kinds.js";
import type { SigningWords } from "../services/wallet/signing.js";
import { paidWithToken, percentOfBps, withToken } from "./amount.js";
import { buttons, button, disabled, giving, spending } from "./buttons.js";
import { card, foldedCard, type Card, type Rows, type View } from "./card.js";
import { endLines, networkFeeLine, refusalOf, saidBy, seenLines } from "./ending.js";
import { launchCards } from "./launch.js";
import { bold, code, labelled, linesBeyond, momentOf, say, sayWhen, type Line, type Lines } from "./line.js";
import { lockCards, unlockCards } from "./lock.js";
import { multihopCards } from "./multihop.js";
import { slippageWarning } from "./settings.js";
import { accountLines, type Acknowledgement, type CardKind, type Subject } from "./subject.js";
import { swapCards } from "./swap.js";

const kinds: { readonly [Kind in IntentKind]: CardKind<Kind> } = {
  swap: swapCards,
  multihop: multihopCards,
  lock: lockCards,
  unlock: unlockCards,
  launch: launchCards,
};

const kindOf = <Kind extends IntentKind>(kind: Kind): CardKind<Kind> => kinds[kind];

const subjectOf = (intent: Intent, view: View): Subject => kindOf(intent.terms.kind).subject(intent, view);

export function summaryOf(intent: Intent, view: View): Line {
  return kindOf(intent.terms.kind).summary(intent, view);
}

export function movedNotice(before: Terms, now: Terms, words: Messages): string {
  return kindOf(before.kind).moved(before, now, words);
}

export function usageOf(kind: IntentKind, words: Messages): string {
  return kindOf(kind).usage?.(words) ?? "";
}

export interface CardOptions {
  readonly notice?: string;
  readonly isAccepted?: boolean;
}

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const words = view.words.intent;
  const subject = subjectOf(intent, view);
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
  const { id, terms, expiresAt, actsFrom } = intent;
  const { common, intent: words, security } = view.words;
  const [cancel, refresh] = [button(common.cancel, buttons.cancel, id), button(common.refresh, buttons.refresh, id)];
  const { otherWay, details = [] } = subject;
  const look: Acknowledgement = { sentences: [words.lookAgain], button: words.lookAgainButton };
  const acknowledgement = subject.acknowledgement ?? (actsFrom === undefined ? undefined : look);
  if (acknowledgement !== undefined && options.isAccepted !== true) {
    const { headline, sentences, mayPass = false } = acknowledgement;
    const go = button(acknowledgement.button, buttons.accept, id);
    const others: Rows = [[otherWay?.button], [mayPass && refresh, cancel]];
    return headline === undefined
      ? card([options.notice, bold(subject.decided), sentences], [[go], ...others])
      : card([options.notice, bold(headline), subject.decided, sentences], [...others, [giving(go)]]);
  }
  const ways = [[spending(button(subject.confirm, buttons.confirm, id))], [otherWay?.button]];
  const lines = [termsLines(intent, subject, view, options), sayWhen(common.validUntil, expiresAt, view)];
  const folded = [details, code(terms.payout)];
  return foldedCard(view.words, lines, folded, [
    ...(otherWay?.isBetter === true ? ways.toReversed() : ways),
    [refresh, cancel],
    [details.length > 0 && button(security.freeze, buttons.freeze, "now")],
  ]);
}

function termsLines(intent: Intent, subject: Subject, view: View, { notice }: CardOptions): Lines {
  const { terms } = intent;
  return [
    notice,
    bold(subject.title),
    view.phrase && `🛡 ${view.phrase}`,
    subject.offer,
    feeLines(intent, view),
    subject.beside ?? [],
    subject.account ?? accountLines(intent, view),
    "slippageBps" in terms && slippageWarning(terms.slippageBps, view.words),
  ];
}

/** From this share of what is paid on, in hundredths of a percent, a network fee is warned of. */
const WARN_FEE_BPS = 500n;

/** What the network takes, as far as it is known before a transaction is built. */
function feeLines({ estimatedFee, transaction }: Intent, { publicUrl, words }: View): Lines {
  if (publicUrl === undefined || transaction !== undefined) return [];
  if (estimatedFee === undefined) return [words.intent.networkFeeLater];
  const { amount, shareBps = 0n } = estimatedFee;
  return [
    labelled(words.intent.networkFeeAbout, paidWithToken(amount, words)),
    shareBps >= WARN_FEE_BPS && words.intent.networkFeeWarning(percentOfBps(shareBps, words)),
  ];
}

function signing({ id, transaction }: Intent, view: View, about: Lines): Card {
  const { intent: words, common } = view.words;
  if (transaction === undefined || transaction.closing !== undefined) return card([about, words.closing]);
  const until = sayWhen(words.signUntil, transaction.signUntil, view);
  const lines = [about, words.signing, networkFeeLine(transaction, view), until];
  return card(lines, [
    [{ text: words.sign, url: `${view.publicUrl ?? ""}/sign/${transaction.token}` }],
    [button(common.cancel, buttons.cancel, id)],
  ]);
}

/**
 * What a person agrees to where their wallet signs it. Of a trade, the figures that decide and its warnings come first; of
 * anything else, all that its card offers.
 */
export function signingLines(intent: Intent, view: View): Pick<SigningWords, "title" | "figures" | "lines" | "more"> {
  const { title, offer, beside = [], details = [] } = subjectOf(intent, view);
  const { swap, launch } = view.words;
  const { paid, wanted } = movementOf(intent, view.returnDataEncoding);
  const offered = textsOf(linesBeyond([launch.caller, launch.callerUnknown], [offer, beside]));
  const all = [...offered, ...textsOf(linesBeyond([offer, beside], details))];
  const isTrade = "slippageBps" in intent.terms;
  const lines = isTrade ? offered.filter((text) => text.startsWith("⚠️")) : offered;
  const figures = [
    ...paid.map((amount) => [swap.youPay, paidWithToken(amount, view.words)] as const),
    ...(wanted === undefined ? [] : [[swap.atLeast, withToken(wanted, view.words)] as const]),
  ];
  const more = all.filter((text) => !lines.includes(text));
  return { title: card([title]).text, figures: isTrade ? figures : [], lines, more };
}

function textsOf(lines: Lines): readonly string[] {
  return card(lines)
    .text.split("\n")
    .filter((text) => text !== "");
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
  const { id, transaction, outcome } = intent;
  const { intent: words, balance, security } = view.words;
  const shown = [notice, endLines(intent, subject, view), seenLines(intent, view)];
  const isUnread = outcome?.kind === "ok" && subject.answered === undefined;
  const details = linesBeyond(shown, [
    subject.details && [words.confirmed, subject.details],
    outcome?.kind === "failed" && saidBy(outcome, outcome.text, view.words),
    outcome?.kind !== "not-sent" && transaction && onChain(transaction, view),
    isUnread && [words.response, code(asItCame(outcome.returnData))],
  ]);
  return foldedCard(view.words, shown, details, [
    [isUnclear(intent, subject) && button(balance.check, buttons.check, id)],
    // Its owner may know better than anybody that nothing came of it.
    [isOpenQuestion(intent) && intent.check && button(balance.file, buttons.file, id)],
    [intent.state === "FAILED" && again(intent, view)],
    [explorer(intent, view)],
    ...(subject.next || []),
    [details.length > 0 && button(security.freeze, buttons.freeze, "now")],
  ]);
}

/** Whether its card asks to look what became of its call. */
export function canBeChecked(intent: Intent, view: View): boolean {
  return isUnclear(intent, subjectOf(intent, view));
}

/** Whether a look may still say what became of a call: no clear answer came, or none that anything else bears out. */
function isUnclear(intent: Intent, { answered }: Subject): boolean {
  if (intent.state === "UNKNOWN") return !isFoundOut(intent);
  return intent.state === "OK" && !isProven(intent) && (answered === undefined || intent.balances !== undefined);
}

function again({ id }: Intent, { words }: View) {
  return button(words.common.newQuote, buttons.refresh, id);
}

function onChain(transaction: IntentTransaction, view: View): Lines {
  return [networkFeeLine(transaction, view), labelled(view.words.intent.transaction, code(transaction.hash))];
}

function explorer({ outcome, transaction }: Intent, view: View) {
  if (transaction === undefined || view.explorerUrl === undefined || outcome?.kind === "not-sent") return undefined;
  return { text: view.words.intent.explorer, url: `${view.explorerUrl}/transaction/${transaction.hash}` };
}

/** More than this of an answer that nobody understands helps nobody, and has no room in a message. */
const MAX_SHOWN_ANSWER = 1500;

function asItCame(returnData: readonly string[]): string {
  const text = returnData.map((entry) => plainText(entry, MAX_SHOWN_ANSWER)).join("\n");
  return text.length <= MAX_SHOWN_ANSWER ? text || "[]" : `${text.slice(0, MAX_SHOWN_ANSWER)}…`;
}
