import { launchSubject, launchSummary } from "../../../cards/launch-step.js";
import { paymentsOf } from "../../../model/terms.js";
import { bookLaunch } from "../../../services/launch/launch.js";
import { defineKind } from "../../kind.js";

/** A launch's step that is one call. */
export const launchKind = defineKind("launch", {
  draft: ({ launching }, { userId, person }, { launchId, step }) =>
    launching.prepareStep(person, userId, launchId, step),
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
