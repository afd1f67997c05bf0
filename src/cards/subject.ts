import { buttons } from "./buttons.js";
import type { Intent, IntentTransaction } from "../model/intent.js";
import { plainText } from "../services/plain-text.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, labelled, linkButton, type Card, type Keyboard, type Line } from "./card.js";
import { formatTimeOfDay } from "./time.js";
import type { View } from "./view.js";

/** What a card is about; how it goes from the offer to the answer is the same for all. */
export interface Subject {
  readonly title: string;
  /** What a person has to know before they confirm. */
  readonly offer: readonly Line[];
  /** What still matters once it was decided. */
  readonly summary: readonly Line[];
  readonly confirm: string;
  /** The lines about an answer, or undefined where it is not what the contract must have done. */
  readonly answered: (returnData: readonly string[]) => readonly Line[] | undefined;
  /** What it means that nothing was carried out. */
  readonly kept: string;
  /** What to do while it is unknown whether it was carried out. */
  readonly unknownNext: string;
  /** Rows of buttons between confirm and cancel. */
  readonly more?: Keyboard;
  /** Rows of buttons under the card at its end, to what follows. */
  readonly next?: Keyboard;
  /** A second step before the confirm button is offered: the sentence and the button that leads on. */
  readonly hurdle?: { readonly sentences: readonly string[]; readonly button: string };
}

/** The card of an intent in whatever state it is. `notice` is a sentence above it, such as why it replaced another card. */
export function subjectCard(intent: Intent, subject: Subject, view: View, notice?: string): Card {
  const words = view.words;
  const head = notice === undefined ? [] : [notice, ""];
  const told = [...head, bold(subject.title), ...subject.summary, ""];
  const again = [[button(words.common.refresh, buttons.refresh, intent.id)]];
  switch (intent.state) {
    case "QUOTED":
      return offered(intent, subject, view, head);
    case "CLAIMED":
      return card([...told, words.intent.sending]);
    case "SIGNING":
      return signing(intent, view, told);
    case "SENT":
      return intent.transaction === undefined
        ? card([...told, words.intent.sent])
        : card([...told, words.intent.sentToChain, ...onChain(intent.transaction, view)], explorer(intent, view));
    case "EXPIRED":
      return card([...told, words.intent.expired], again);
    case "CANCELED":
      return card([...told, words.intent.canceled]);
    case "SUPERSEDED":
      return card([...told, words.intent.superseded]);
    case "OK":
    case "FAILED":
    case "UNKNOWN":
      return card(
        [...told, ...ending(intent, subject, view), ...trace(intent, view)],
        [...(intent.state === "FAILED" ? again : []), ...explorer(intent, view), ...(subject.next ?? [])],
      );
  }
}

function offered(intent: Intent, subject: Subject, view: View, head: readonly Line[]): Card {
  const { common } = view.words;
  const cancel = button(common.cancel, buttons.cancel, intent.id);
  if (subject.hurdle !== undefined) {
    return card(
      [...head, bold(subject.title), "", ...subject.hurdle.sentences],
      [[button(subject.hurdle.button, buttons.accept, intent.id)], ...(subject.more ?? []), [cancel]],
    );
  }
  return card(
    [
      ...head,
      bold(subject.title),
      "",
      ...subject.offer,
      common.untilTime(formatTimeOfDay(intent.expiresAt, view.timeZone)),
    ],
    [
      [button(subject.confirm, buttons.confirm, intent.id)],
      ...(subject.more ?? []),
      [button(common.refresh, buttons.refresh, intent.id), cancel],
    ],
  );
}

/** What became of a call that a wallet was asked to sign, in a sentence. */
export function endingOf({ state, outcome, transaction }: Intent, view: View): string {
  const words = view.words.intent;
  const end = state === "SIGNING" ? transaction?.closing : undefined;
  switch (end?.state ?? state) {
    case "EXPIRED":
      return words.expired;
    case "CANCELED":
      return words.canceled;
    case "SUPERSEDED":
      return words.superseded;
    case "SENT":
      return words.sentToChain;
    case "OK":
      return words.carriedOut;
    case "UNKNOWN":
      return words.unknown;
    case "FAILED": {
      const code = end?.state === "FAILED" ? end.code : outcome !== undefined && "code" in outcome ? outcome.code : "";
      return (
        whyNotSent(code, view)[0] ?? (outcome?.kind === "failed" ? words.contractSaid(outcome.text) : words.notSent)
      );
    }
    default:
      return words.closing;
  }
}

/** Waiting for the wallet. Once it closes, nothing can be done but to wait whether the wallet sent it all the same. */
function signing({ id, transaction }: Intent, view: View, told: readonly Line[]): Card {
  const { intent: words, common } = view.words;
  if (transaction === undefined || transaction.closing !== undefined) return card([...told, words.closing]);
  return card(
    [
      ...told,
      words.signing,
      labelled(words.networkFee, withToken(transaction.networkFee, view.words)),
      common.untilTime(formatTimeOfDay(transaction.signUntil, view.timeZone)),
    ],
    [
      [linkButton(words.sign, `${view.publicUrl ?? ""}/sign/${transaction.token}`)],
      [button(common.cancel, buttons.cancel, id)],
    ],
  );
}

/** What the chain has of an intent that ended; nothing where it was never sent. */
function trace({ state, outcome, transaction }: Intent, view: View): readonly Line[] {
  const wasSent = state === "OK" || outcome?.kind !== "not-sent";
  return transaction !== undefined && wasSent ? onChain(transaction, view) : [];
}

function onChain({ hash, networkFee }: IntentTransaction, view: View): readonly Line[] {
  const words = view.words.intent;
  return [labelled(words.networkFee, withToken(networkFee, view.words)), labelled(words.transaction, code(hash))];
}

function explorer({ outcome, transaction }: Intent, view: View): Keyboard {
  if (transaction === undefined || view.explorerUrl === undefined || outcome?.kind === "not-sent") return [];
  return [[linkButton(view.words.intent.explorer, `${view.explorerUrl}/transaction/${transaction.hash}`)]];
}

function ending({ outcome, transaction }: Intent, subject: Subject, view: View): readonly Line[] {
  const words = view.words.intent;
  switch (outcome?.kind) {
    case "ok": {
      const answered = subject.answered(outcome.returnData);
      return answered === undefined
        ? [bold(words.unknown), words.unverified, code(asItCame(outcome.returnData)), words.checkWallet]
        : [bold(transaction === undefined ? words.answered : words.carriedOut), ...answered];
    }
    case "failed":
      return [
        bold(words.failed),
        words.contractSaid(outcome.text),
        subject.kept,
        ...(outcome.costsFee === true ? [words.feeKept] : []),
      ];
    case "not-sent":
      return [bold(words.notSent), ...whyNotSent(outcome.code, view), subject.kept];
    case "unknown":
    case undefined:
      return [
        bold(words.unknown),
        outcome?.code === "interrupted" ? words.unknownInterrupted : words.unknownWhy,
        subject.unknownNext,
      ];
  }
}

/** The reasons that are learned of long after the tap; others stand above the card when they are. */
const LATE_REASONS = [
  "signing-declined",
  "nonce-used",
  "wallet-busy",
  "wallet-changed",
  "frozen",
  "transaction-replaced",
] as const;

function whyNotSent(code: string, view: View): readonly string[] {
  const reason = LATE_REASONS.find((each) => each === code);
  return reason === undefined ? [] : [view.words.faults[reason]({})];
}

/** More than this of an answer that nobody understands helps nobody, and has no room in a message. */
const MAX_SHOWN_ANSWER = 1500;

function asItCame(returnData: readonly string[]): string {
  const text = returnData.map((entry) => plainText(entry, MAX_SHOWN_ANSWER)).join("\n");
  return text.length <= MAX_SHOWN_ANSWER ? text || "[]" : `${text.slice(0, MAX_SHOWN_ANSWER)}…`;
}
