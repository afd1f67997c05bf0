import { launchSubject, launchSummary } from "../../../cards/launch-step.js";
import type { IntentOf } from "../../../model/intent.js";
import { launchSteps } from "../../../model/launch.js";
import { paymentsOf } from "../../../model/terms.js";
import { bookLaunch } from "../../../services/launch/launch.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { PersonFlavor } from "../../context.js";
import { defineKind, type KindParts, type Prepared } from "../../kind.js";

/** The words that lead to the card of a launch's step. */
export function stepWords({ launchId, step }: Pick<IntentOf<"launch">["terms"], "launchId" | "step">): string {
  return `${launchId} ${step}`;
}

/** A launch's step that is one call. */
export const launchKind = defineKind("launch", {
  prepare,
  reopen: (parts, owner, terms) => prepare(parts, owner, stepWords(terms)),
  recheck: async (parts, person, intent) => {
    await parts.routerCheck.assertMatch();
    return parts.launching.recheck(person, intent);
  },
  book: bookLaunch,
  subject: launchSubject,
  // Enabling shows the router a locked token, which it gives back.
  movement: ({ terms }) => ({ paid: paymentsOf(terms) }),
  summary: launchSummary,
  moved: (_before, _now, words) => words.intent.superseded,
});

async function prepare(
  { launching }: KindParts,
  { userId, person, words }: PersonFlavor,
  typed: string,
): Promise<Prepared> {
  const [launchId = "", name] = wordsOf(typed);
  const step = launchSteps.find((each) => each === name);
  if (step === undefined || step === "lock") return { sentence: words.launch.usage };
  return { draft: await launching.prepareStep(person, userId, launchId, step) };
}
