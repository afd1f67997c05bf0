import { shortAddress } from "../encoding/address.js";
import { amountOf, formatAmount, unlistedToken } from "../encoding/amount.js";
import type { Intent, IntentTransaction } from "../services/intent/intent.js";
import { isResolved, isUnresolved, isProven } from "../services/intent/intent.js";
import { type IntentKind, isTrade, launchIdOf, type Terms } from "../services/terms/terms.js";
import { plainText } from "../services/base/display-text.js";
import { asListed } from "../services/market/token-list.js";
import { flowOf } from "../services/trade/kinds.js";
import { exactWithToken, figure, isLargeFee, paidWithToken, percentOfBps } from "./amount.js";
import { buttons, button, giving } from "./buttons.js";
import { refusalOf, saidBy, whyNotSent, whyUnknown } from "./failure.js";
import { networkFeeLine } from "./cost.js";
import { launchCards as launch } from "./launch.js";
import { card, foldedCard, bold, code, labelled, line, linesBeyond, momentOf, say, sayWhen } from "./card.js";
import type { Card, ButtonRows, View, Line, Lines } from "./card.js";
import { lockCards as lock, unlockCards as unlock } from "./lock.js";
import { multihopCards as multihop } from "./multihop.js";
import { slippageWarning } from "./settings.js";
import { accountLines, type Acknowledgement, renewalWords, type CardKind, type Subject } from "./subject.js";
import { swapCards as swap } from "./swap.js";

const cardKinds: { readonly [Kind in IntentKind]: CardKind<Kind> } = { swap, multihop, lock, unlock, launch };

const cardKindOf = <Kind extends IntentKind>(kind: Kind): CardKind<Kind> => cardKinds[kind];

export const subjectOf = (intent: Intent, view: View): Subject => cardKindOf(intent.terms.kind).subject(intent, view);

export const summaryOf = (intent: Intent, view: View): Line => cardKindOf(intent.terms.kind).summary(intent, view);

export const movedNotice = (from: Terms, to: Terms, view: View): string => cardKindOf(from.kind).moved(from, to, view);

export const usageOf = (kind: IntentKind, view: View): string => cardKindOf(kind).usage?.(view) ?? "";

export interface CardOptions {
  readonly notice?: string;
  readonly isAccepted?: boolean;
  /** The stop whose owner learns by this card that stops come in quiet hours. */
  readonly comesAtNight?: string | undefined;
}

const disabled = (text: string) => ({ text, disabled: {} });

/** The card of an intent of any kind, in its current state. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const words = view.words.intent;
  const subject = subjectOf(intent, view);
  const decided = [options.notice, bold(subject.title)];
  switch (intent.state) {
    case "QUOTED":
      return offered(intent, subject, view, options);
    case "CLAIMED":
      // Keeps the terms and the button's place, so that nothing jumps and a second tap has no effect.
      return card([termsLines(intent, subject, view, options), words.sending], [[disabled(words.sendingButton)]]);
    case "SIGNING":
      return signingCard(intent, view, [decided, subject.gets]);
    case "SENT":
      return card([decided, waitingLines(intent, view)], [[explorer(intent, view)]]);
    case "EXPIRED":
      return card([decided, words.expired], [[disabled(words.expiredButton), again(intent, view)]]);
    case "CANCELED":
      return card([decided, words.canceled]);
    case "SUPERSEDED":
      return card([decided, renewalWords(intent.terms, view.words).superseded]);
    case "OK":
    case "FAILED":
    case "UNKNOWN":
      return ended(intent, subject, view, options);
  }
}

function offered(intent: Intent, subject: Subject, view: View, options: CardOptions): Card {
  const { id, terms, expiresAt, origin, proposed } = intent;
  const { common } = view.words;
  const words = renewalWords(terms, view.words);
  const [cancel, refresh] = [button(common.cancel, buttons.cancel, id), button(common.refresh, buttons.refresh, id)];
  const { otherWay, isOtherBetter = false, details = [], countsFee = false } = subject;
  const by: Lines = [options.notice, proposed && view.words.signals.from(proposed.by)];
  const mute =
    proposed && button(view.words.signals.pause(proposed.by), buttons.link, { action: "mute", id: proposed.link });
  const look: Acknowledgement = { sentences: [words.lookAgain], button: words.lookAgainButton };
  const { comesAtNight } = options;
  const { cameAtNight, untilMorning } = view.words.standing;
  const morning =
    comesAtNight !== undefined && button(untilMorning, buttons.standing, { action: "morning", id: comesAtNight });
  const atNight = comesAtNight !== undefined && cameAtNight;
  const acknowledgement = subject.acknowledgement ?? (origin === "recheck" ? look : undefined);
  if (acknowledgement !== undefined && options.isAccepted !== true) {
    const { headline, sentences, mayPass = false } = acknowledgement;
    const go = button(acknowledgement.button, buttons.accept, id);
    const others: ButtonRows = [[otherWay], [mayPass && refresh, cancel], [morning], [mute]];
    const order = whatItIs(subject, view);
    return headline === undefined
      ? card([by, order ?? bold(subject.title), sentences, atNight], [[go], ...others])
      : card(
          [by, order, bold(headline), order === undefined && subject.title, sentences, atNight],
          [...others, [giving(go)]],
        );
  }
  // The only button that spends. Its label says so too: not every client shows the colour.
  const spend = { ...button(subject.confirm, buttons.confirm, id), style: "success" } as const;
  const ways: ButtonRows = [[spend], [otherWay]];
  const lines = [termsLines(intent, subject, view, options), sayWhen(common.validUntil, expiresAt, view), atNight];
  const folded = [countsFee && feeLines(intent, subject, view), details, code(terms.payout)];
  return foldedCard(view.words, lines, folded, [
    ...(isOtherBetter ? ways.toReversed() : ways),
    [refresh, cancel],
    [morning],
    [mute],
  ]);
}

function termsLines(intent: Intent, subject: Subject, view: View, { notice }: CardOptions): Lines {
  const { proposed, terms } = intent;
  return [
    notice,
    proposed && view.words.signals.from(proposed.by),
    whatItIs(subject, view) ?? [bold(subject.offered ?? subject.title), phraseLine(view)],
    subject.offer,
    subject.countsFee !== true && feeLines(intent, subject, view),
    subject.withOffer,
    subject.account ?? accountLines(intent, view),
    isTrade(terms) && slippageWarning(terms.slippageBps, view.words),
  ];
}

/** Proves that a message is the bot's. */
const phraseLine = ({ phrase }: View) => phrase && `🛡 ${phrase}`;

/** Of a card that a standing order sends, what it is; undefined for others. */
function whatItIs({ offered, order }: Subject, view: View): Lines | undefined {
  return order === undefined || offered === undefined ? undefined : [bold(offered), phraseLine(view), order];
}

/** What is known of the network fee before a transaction is built. */
function feeLines({ estimatedFee, transaction }: Intent, { countsFee }: Subject, { publicUrl, words }: View): Lines {
  if (publicUrl === undefined || transaction !== undefined) return [];
  if (estimatedFee === undefined) return [words.intent.networkFeeLater];
  const { amount, shareBps = 0n } = estimatedFee;
  const warning =
    countsFee !== true && isLargeFee(shareBps) && words.intent.networkFeeWarning(percentOfBps(shareBps, words));
  return [labelled(words.intent.networkFeeAbout, paidWithToken(amount, words)), warning];
}

function signingCard({ id, transaction }: Intent, view: View, about: Lines): Card {
  const { intent: words, common } = view.words;
  if (transaction?.phase !== "to-sign") return card([about, words.closing]);
  const until = sayWhen(words.signUntil, transaction.signUntil, view);
  const fee = labelled(view.words.signing.networkFee, paidWithToken(transaction.networkFee, view.words));
  const lines = [about, words.signing, fee, until];
  const sign = { text: words.sign, url: `${view.publicUrl ?? ""}/sign/${transaction.token}` };
  return card(lines, [[sign], [button(common.cancel, buttons.cancel, id)]]);
}

function waitingLines({ terms, transaction }: Intent, view: View): Lines {
  const words = view.words.intent;
  if (transaction === undefined) return [words.sent];
  const text = transaction.phase === "broadcast" ? transaction.refusal : undefined;
  const next = say(words.refusedNext, momentOf(transaction.sendUntil, view, "time"));
  const told =
    text === undefined ? words.sentToChain : [words.refusedNow, refusalOf({ text }, terms, view.words), next];
  return [told, onChain(transaction, view)];
}

function ended(intent: Intent, subject: Subject, view: View, { notice }: CardOptions): Card {
  const { id, transaction, outcome } = intent;
  const { intent: words, balance } = view.words;
  const shown = [notice, endLines(intent, subject, view), seenLines(intent, view)];
  const isUnread = outcome?.kind === "ok" && subject.answered === undefined;
  const details = linesBeyond(shown, [
    subject.details && [words.confirmed, subject.details],
    outcome?.kind === "failed" && saidBy(outcome, outcome.text, view.words),
    outcome?.kind !== "not-sent" && transaction && onChain(transaction, view),
    isUnread && [words.response, code(asItCame(outcome.returnData))],
  ]);
  return foldedCard(view.words, shown, details, [
    [canBeChecked(intent, view, subject) && button(balance.check, buttons.check, id)],
    // The owner may know better than anyone that nothing came of the call.
    [isUnresolved(intent) && intent.check && button(balance.file, buttons.file, id)],
    [intent.state === "FAILED" && again(intent, view)],
    [explorer(intent, view)],
    ...(subject.next || []),
  ]);
}

/** Whether a check may still find out what became of a call: its answer was unclear, or nothing else confirms it. */
export function canBeChecked(intent: Intent, view: View, { answered } = subjectOf(intent, view)): boolean {
  if (intent.state === "UNKNOWN") return !isResolved(intent);
  if (intent.state !== "OK" || isProven(intent)) return false;
  return answered === undefined || intent.balances !== undefined || launchIdOf(intent.terms.request) !== undefined;
}

function again({ id, terms }: Intent, { words: { common } }: View) {
  return button(isTrade(terms) ? common.newQuote : common.tryAgain, buttons.refresh, id);
}

function onChain(transaction: IntentTransaction, view: View): Lines {
  return [networkFeeLine(transaction, view), labelled(view.words.intent.transaction, code(transaction.hash))];
}

function explorer({ outcome, transaction }: Intent, view: View) {
  if (transaction === undefined || view.explorerUrl === undefined || outcome?.kind === "not-sent") return undefined;
  return { text: view.words.intent.explorer, url: `${view.explorerUrl}/transaction/${transaction.hash}` };
}

/** Maximum characters of an unreadable answer: more helps nobody, and doesn't fit in a message. */
const MAX_SHOWN_ANSWER = 1500;

function asItCame(returnData: readonly string[]): string {
  const text = returnData.map((entry) => plainText(entry, MAX_SHOWN_ANSWER)).join("\n");
  return text.length <= MAX_SHOWN_ANSWER ? text || "[]" : `${text.slice(0, MAX_SHOWN_ANSWER)}…`;
}

/** The first lines of an ended call's card: how it ended. */
function endLines(intent: Intent, subject: Subject, view: View): Lines {
  const { outcome, terms, transaction, check, balances } = intent;
  const { intent: words, balance } = view.words;
  const { title, answered, done, kept, unknownNext } = subject;
  const [proven, payout] = [isProven(intent), shortAddress(terms.payout)];
  switch (outcome?.kind) {
    case "failed": {
      const feeKept = outcome.costsFee === true && words.feeKept;
      return [bold(words.failed), title, refusalOf(outcome, terms, view.words), kept, feeKept];
    }
    case "not-sent":
      return [bold(words.notSent), title, whyNotSent(outcome, view), kept];
    case "ok":
      if (!proven && answered === undefined) return [bold(words.unknown), title, words.checkWallet, words.unverified];
      // A launch has a checklist, which queries the chain.
      if (!proven) return [bold(words.accepted), title, answered, terms.kind !== "launch" && words.checkWallet];
      if (answered === undefined) return [bold(transaction ? words.carriedOut : done), title, words.unreadable];
      return [
        bold(done),
        answered,
        transaction && networkFeeLine(transaction, view),
        terms.kind !== "launch" && words.paidTo(payout),
      ];
    case "unknown":
    case undefined:
      if (proven) return [bold(done), answered ?? title];
      if (isUnresolved(intent)) {
        const next = balances?.after === undefined && unknownNext;
        return [bold(words.unknown), title, next, check === undefined && whyUnknown(intent, view)];
      }
      return check?.by === "owner"
        ? [bold(say(balance.filed, momentOf(check.at, view, "time"))), title]
        : [bold(words.failedOnChain), title, kept];
  }
}

/** What balances and the chain say about how a call ended, apart from its answer. */
function seenLines(intent: Intent, view: View): Lines {
  const words = view.words.balance;
  const { state, check } = intent;
  const figures = holdingLines(intent, view);
  // An inconclusive check is obsolete once the outcome is proven.
  if (check === undefined || (isProven(intent) && check.finding !== "arrived")) return state === "OK" ? figures : [];
  const time = momentOf(check.at, view, "time");
  switch (check.finding) {
    case "arrived":
      return [bold(check.by === "balances" ? say(words.arrived, time) : words.onChain), figures];
    case "not-arrived":
      if (check.by === "owner") return [words.filedExplain, figures];
      return [
        check.by === "balances" && bold(say(words.notArrived, time)),
        check.by === "views" && bold(say(words.notShown, time)),
        figures,
      ];
    case "unclear":
      return [
        bold(say(words.unclear, time)),
        line(words.why[check.why ?? "other"], figures.length > 0 && ` ${words.compare}`),
        figures,
      ];
  }
}

function holdingLines(intent: Intent, view: View): readonly string[] {
  const { before: held = {}, after } = intent.balances ?? {};
  if (after === undefined) return [];
  const { paid, expected, received } = flowOf(intent, view.returnDataEncoding);
  return Object.entries(held).flatMap(([asset, was]) => {
    const is = after[asset];
    if (is === undefined) return [];
    const moved = [...paid, expected, received].find((amount) => amount?.token.id === asset);
    const { token } = asListed(moved ?? amountOf(unlistedToken(asset), is), view.tokenOf);
    const before = figure(formatAmount(amountOf(token, was)), view.words);
    return [view.words.balance.beforeAfter(before, exactWithToken(amountOf(token, is), view.words))];
  });
}
