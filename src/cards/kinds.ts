import type { Messages } from "../locales/messages.js";
import type { Intent } from "../services/intent/intent.js";
import type { IntentKind, Terms } from "../services/intent/terms.js";
import type { View } from "./card.js";
import type { Line } from "./line.js";
import { launchCards } from "./launch.js";
import { lockCards, unlockCards } from "./lock.js";
import { multihopCards } from "./multihop.js";
import type { CardKind, Subject } from "./subject.js";
import { swapCards } from "./swap.js";

const kinds: { readonly [Kind in IntentKind]: CardKind<Kind> } = {
  swap: swapCards,
  multihop: multihopCards,
  lock: lockCards,
  unlock: unlockCards,
  launch: launchCards,
};

const kindOf = <Kind extends IntentKind>(kind: Kind): CardKind<Kind> => kinds[kind];

export function subjectOf(intent: Intent, view: View): Subject {
  return kindOf(intent.terms.kind).subject(intent, view);
}

export function summaryOf(intent: Intent, view: View): Line {
  return kindOf(intent.terms.kind).summary(intent, view);
}

export function movedNotice(before: Terms, now: Terms, words: Messages): string {
  return kindOf(before.kind).moved(before, now, words);
}

export function usageOf(kind: IntentKind, words: Messages): string {
  return kindOf(kind).usage?.(words) ?? "";
}
