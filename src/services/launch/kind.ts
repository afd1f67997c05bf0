import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Transaction } from "../../store/queries.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { Intent } from "../intent/intent.js";
import type { TradeKind } from "../intent/kind.js";
import { paymentsOf } from "../intent/terms.js";
import { draftLock, lockMovement, recheckLock, type LockKindParts } from "../lock/lock.js";
import { readLockOutcome, recordLock } from "../lock/record.js";
import { readLock } from "../lock/request.js";
import { launchPartOf, type LaunchService } from "./launch.js";
import { changeLaunch, findLaunch, lpTokensOf, withDone } from "./record.js";
import { stepResult, type StepResult } from "./steps.js";

export interface LaunchKindParts extends LockKindParts {
  readonly launch: LaunchService;
  readonly routerCheck: PeriodicCheck;
}

export const launchKind: TradeKind<"launch", LaunchKindParts> = {
  draft: ({ launch }, { launchId, step }, { person }) => launch.draftStep(person, launchId, step),
  recheck: async ({ launch, routerCheck }, intent, person) => {
    await routerCheck.assertMatch();
    return launch.recheck(person, intent);
  },
  book: recordStep,
  // Enabling shows the router a locked token, which it returns.
  movement: ({ terms }) => ({ paid: paymentsOf(terms) }),
};

/** A lock of its own, or as a step of a launch. */
export const lockKind: TradeKind<"lock", LaunchKindParts> = {
  read: async ({ store, tokens }, line, { userId }) =>
    readLock(line, tokens, await lpTokensOf(store.db, userId, tokens)),
  draft: (parts, { launchId, ...request }, { person }) =>
    launchId === undefined
      ? draftLock(parts, person, request)
      : parts.launch.draftLock(person, { ...request, launchId }),
  recheck: (parts, intent, person) =>
    intent.terms.request.launchId === undefined
      ? recheckLock(parts, intent, person)
      : parts.launch.recheck(person, intent),
  book: async (tx, ended, encoding) => {
    await recordLock(tx, ended, encoding);
    await recordStep(tx, ended, encoding);
  },
  movement: lockMovement,
};

export async function recordStep(tx: Transaction, ended: Intent, encoding: ReturnDataEncoding): Promise<void> {
  const part = launchPartOf(ended);
  const result = resultOf(ended, encoding);
  if (part === undefined || result === "nothing") return;
  const { launchId, step } = part;
  // It may have been dropped meanwhile.
  if ((await findLaunch(tx, ended.owner, launchId)) === undefined) return;
  await changeLaunch(tx, ended.owner, launchId, (launch) =>
    result === "unknown"
      ? { ...launch, unknown: [...new Set([...launch.unknown, step])] }
      : { ...withDone(launch, step, "answer"), ...result },
  );
}

function resultOf({ terms, outcome }: Intent, encoding: ReturnDataEncoding): StepResult | "unknown" | "nothing" {
  if (outcome?.kind === "unknown") return "unknown";
  if (outcome?.kind !== "ok") return "nothing";
  if (terms.kind === "launch") return stepResult({ terms, outcome }, encoding) ?? "unknown";
  // What was locked is also among the user's locks, unless the answer could not be read.
  return terms.kind === "lock" && readLockOutcome({ terms, outcome }, encoding) !== undefined ? "nothing" : "unknown";
}
