import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../intent/intent.js";
import { paymentsOf } from "../intent/terms.js";
import type { Transaction } from "../../store/queries.js";
import type { TradeKind } from "../intent/kind.js";
import { lockKind, type LockKindParts } from "../lock/kind.js";
import { changePersonIn } from "../person/people.js";
import type { StandingCheck } from "../chain/checks.js";
import { amountPaid } from "../swap/request.js";
import { bookLaunch } from "./launch.js";
import type { Launching } from "./launching.js";

export interface LaunchKindParts extends LockKindParts {
  readonly launching: Launching;
  readonly routerCheck: StandingCheck;
}

async function enterLaunch(tx: Transaction, ended: Intent, encoding: ReturnDataEncoding): Promise<void> {
  await changePersonIn(tx, ended.owner, (person) => bookLaunch(person, ended, encoding));
}

/** A launch's step that is one call. */
export const launchKind: TradeKind<"launch", LaunchKindParts> = {
  draft: ({ launching }, { launchId, step }, { userId, person }) =>
    launching.prepareStep(person, userId, launchId, step),
  recheck: async (parts, intent, person) => {
    await parts.routerCheck.assertMatch();
    return parts.launching.recheck(person, intent);
  },
  book: enterLaunch,
  // Enabling shows the router a locked token, which it gives back.
  movement: ({ terms }) => ({ paid: paymentsOf(terms) }),
};

/** A lock, which may be a step of a launch, too. */
export const lockOrStepKind: TradeKind<"lock", LaunchKindParts> = {
  ...lockKind,
  draft: async (parts, request, owner) => {
    const { launchId } = request;
    if (launchId === undefined) return lockKind.draft(parts, request, owner);
    const pay = await amountPaid(parts, owner.person, request.pay, request.token);
    return parts.launching.prepareLock(owner.person, owner.userId, launchId, { ...request, pay });
  },
  recheck: (parts, intent, person) =>
    intent.terms.request.launchId === undefined
      ? lockKind.recheck(parts, intent, person)
      : parts.launching.recheck(person, intent),
  book: async (tx, ended, encoding) => {
    await lockKind.book(tx, ended, encoding);
    await enterLaunch(tx, ended, encoding);
  },
};
