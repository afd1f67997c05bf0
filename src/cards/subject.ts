import type { InlineKeyboardButton } from "grammy/types";
import { shortAddress } from "../encoding/address.js";
import { formatBps } from "../encoding/percent.js";
import type { Intent } from "../services/intent/intent.js";
import { paidWithToken, percent } from "./amount.js";
import { code, labelled, type Lines, type Rows, type View } from "./card.js";

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
  /** The headline once it is proven to have gone through. */
  readonly done: string;
  /** The lines about the answer; undefined where there is none, or it is not what the contract must have done. */
  readonly answered: Lines | undefined;
  /** What it means that nothing went through. */
  readonly kept: string;
  /** What to do while it is unknown whether it went through. */
  readonly unknownNext: string;
  /** The button that leads to another way to the same end; above the confirm button where that is better. */
  readonly otherWay?: { readonly button: InlineKeyboardButton; readonly isBetter: boolean } | undefined;
  /** Rows of buttons under the card at its end, to what follows. */
  readonly next?: Rows | false | undefined;
  /** What was found out about its end besides the answer. */
  readonly seen?: Lines | undefined;
  /** An extra confirmation before the confirm button is offered. */
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
  /** That the person gave the extra confirmation that the card asks for. */
  readonly isAccepted?: boolean;
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
    shareBps >= WARN_FEE_BPS && words.intent.networkFeeWarning(percent(formatBps(shareBps), words)),
  ];
}

/** So long after it was set, a wallet address is on every card in full. */
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
