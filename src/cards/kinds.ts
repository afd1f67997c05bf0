import type { Messages } from "../locales/messages.js";
import type { Intent, IntentOf } from "../services/intent/intent.js";
import type { IntentKind, Terms } from "../services/intent/terms.js";
import { leastOf, netOf } from "../services/swap/compare.js";
import { withToken } from "./amount.js";
import type { Line, View } from "./card.js";
import { launchSubject, launchSummary } from "./launch-step.js";
import { lockSubject, lockSummary, unlockSubject, unlockSummary } from "./lock.js";
import { multihopSubject, multihopSummary } from "./multihop.js";
import type { Subject } from "./subject.js";
import { swapSubject, swapSummary } from "./swap.js";

interface CardKind<Kind extends IntentKind, Own extends Intent = IntentOf<Kind>> {
  readonly subject: (intent: Own, view: View) => Subject;
  /** One line, with what came out of it where that is known. */
  readonly summary: (intent: Own, view: View) => Line;
  readonly moved: (before: Own["terms"], now: Own["terms"], words: Messages) => string;
  readonly usage?: (words: Messages) => string;
}

const kinds: { readonly [Kind in IntentKind]: CardKind<Kind> } = {
  swap: {
    subject: swapSubject,
    summary: swapSummary,
    moved: (before, now, words) => words.intent.worse(withToken(leastOf(before), words), withToken(netOf(now), words)),
    usage: (words) => words.swap.usage("/swap"),
  },
  multihop: {
    subject: multihopSubject,
    summary: multihopSummary,
    moved: (before, now, words) =>
      words.intent.worse(withToken(before.minimumOut, words), withToken(now.expectedOut, words)),
    usage: ({ multihop }) => `${multihop.askPath} ${multihop.exactHint}`,
  },
  lock: {
    subject: lockSubject,
    summary: lockSummary,
    moved: (_before, _now, words) => words.lock.epochBegan,
    usage: (words) => words.lock.usage,
  },
  unlock: {
    subject: unlockSubject,
    summary: unlockSummary,
    moved: (_before, _now, words) => words.lock.recordChanged,
    usage: (words) => words.lock.unlockUsage,
  },
  launch: {
    subject: launchSubject,
    summary: launchSummary,
    moved: (_before, _now, words) => words.intent.superseded,
  },
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
