import type { Amount } from "../../encoding/amount.js";
import { isFault, unlessFault } from "../../fault.js";
import { inLots, type Reader, readSetting } from "../../store/store.js";
import type { IntentKind } from "../terms/terms.js";
import { changeIntent, type IntentParts } from "./change.js";
import { balancesFinding, noteArrived } from "./findings.js";
import { type Intent, isResolved, type OutcomeFinding, type SignedIntent } from "./intent.js";
import type { Spent } from "./limits.js";
import * as queries from "./queries.js";
import { earnedFees } from "./totals.js";
import { checkBalances, type Sighting } from "./trade-kind.js";

/** Queries about a user's intents. Unreadable records are reported, too: they are never ignored. */
export interface IntentQuestions {
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /** Cards that can be confirmed, and calls in progress; newest first. */
  readonly listOpen: (owner: number) => Promise<readonly Intent[]>;
  /** The card that a message shows. */
  readonly inMessage: (owner: number, messageId: number) => Promise<Intent | undefined>;
  /** Finds a request by the token in its signing page's URL. */
  readonly toSign: (token: string) => Promise<SignedIntent | undefined>;
  /** Other transactions of an account with the same nonce. The chain executes at most one of them all. */
  readonly rivals: (intent: SignedIntent) => Promise<readonly SignedIntent[]>;
  /** What calls that didn't fail have paid in the last 49 hours, for the user's limits. */
  readonly spentLately: (owner: number) => Promise<readonly Spent[]>;
  /** Calls, unknown outcomes first, then newest first. @param page counts from 0. */
  readonly history: (
    owner: number,
    page: number,
    size: number,
    kinds?: readonly IntentKind[],
  ) => Promise<queries.HistoryPage>;
  readonly count: (owner: number) => Promise<number>;
  /** Id of the newest call. */
  readonly newestCall: (owner: number) => Promise<string | undefined>;
  /** Number of calls whose outcome nobody knows. */
  readonly countUnresolved: (owner: number) => Promise<number>;
  /** What the operator has earned from the user's calls, by token, as far as the node's answers prove it. */
  readonly fees: (owner: number) => Promise<Readonly<Record<string, Amount>>>;
  /** Yields calls made or in progress in lots, oldest first: at most `most`, after skipping `from`. */
  readonly everything: (owner: number, from: number, most: number) => AsyncIterable<readonly Intent[]>;
  /**
   * Reads and stores what the account holds after a call that is OK or UNKNOWN, if it is known what it held before.
   * Skips calls that have arrived. @returns the intent afterwards.
   */
  readonly look: (intent: Intent) => Promise<Intent>;
  /**
   * What balances, as last looked at, and else views show now of how a call ended. A transaction's end is the chain's
   * alone to show, as another one can have had the same effect. What the views prove of other calls is saved.
   */
  readonly findOut: (intent: Intent) => Promise<OutcomeFinding>;
}

export function createIntentQuestions(parts: IntentParts): IntentQuestions {
  const { store, onUnreadable } = parts;
  const asking =
    <Asked extends readonly unknown[], Result>(query: (db: Reader, ...asked: Asked) => Promise<Result>) =>
    (...asked: Asked): Promise<Result> =>
      query(store.db, ...asked).catch((error: unknown) => {
        if (isFault(error, "store-unreadable")) onUnreadable(error);
        throw error;
      });
  const [lotAfter, isOnlyCall] = [asking(queries.callsAfter), asking(queries.isAlone)];
  return {
    find: asking(queries.findIntent),
    listOpen: asking((db, owner: number) => queries.openIntents(db, owner)),
    inMessage: asking(queries.intentInMessage),
    toSign: asking(queries.intentToSign),
    rivals: asking(queries.rivalsOf),
    spentLately: asking((db, owner: number) => queries.spentLately(db, owner, parts.clock.now())),
    history: asking(queries.historyPage),
    count: asking(queries.countCalls),
    newestCall: asking(queries.newestCall),
    countUnresolved: asking(queries.countUnresolved),
    fees: asking((db, owner: number) => readSetting(db, earnedFees(owner))),
    everything: (owner, from, most) => inLots<Intent>(most, (last) => lotAfter(owner, last ?? from)),
    look: async (intent) => {
      const { owner, id, balances } = intent;
      if (balances === undefined || !mayArrive(intent)) return intent;
      const after = await parts.kinds.holdings(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const finding = (await isOnlyCall(intent)) && checkBalances(parts.kinds.flowOf(intent), before, after);
      const looked = { before, after, ...(finding && { finding }) };
      const withLook = (now: Intent) => (mayArrive(now) ? { ...now, balances: looked } : now);
      const kept = await changeIntent(parts, owner, id, withLook);
      // The end may not be written yet.
      return kept?.state === intent.state ? kept : withLook(intent);
    },
    findOut: async (intent) => {
      const byBalances = balancesFinding(intent);
      if (byBalances.finding === "arrived" || intent.transaction !== undefined) return byBalances;
      const seen = (await unlessFault(() => parts.kinds.seen(intent))) ?? [];
      const isOwn = ({ call }: Sighting) => call.id === intent.id;
      const others = seen.filter((each) => !isOwn(each));
      await unlessFault(() => noteArrived(parts, others, parts.clock.now()));
      return seen.find(isOwn)?.found ?? byBalances;
    },
  };
}

/** Whether balances can still show how the call ended. */
function mayArrive(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isResolved(intent)) || (state === "OK" && balances?.finding !== "arrived");
}
