import { isFault } from "../../fault.js";
import { advance, closing, inPlaceOf, isExpired, momentOf, quotedIntent, worseIntent } from "./steps.js";
import type { Draft } from "./kind.js";
import { changeIntent, changeIntents, type IntentParts } from "./change.js";
import { callsAfter, countCalls, historyPage, isAlone, spentLately } from "./history.js";
import {
  countUnresolved,
  findIntent,
  intentInMessage,
  intentToSign,
  noteMessage,
  openIntents,
  rivalsOf,
} from "./queries.js";
import { createRequests } from "./requests.js";
import { isFoundOut, isHeld, withCheck, type Intent, type IntentOutcome, type OutcomeCheck } from "./intent.js";
import { checkBalances } from "./finding.js";
import type { Reader } from "../../store/queries.js";
import { confirm, type Confirmation, type Tap } from "./confirm.js";
import { endIntent, recover } from "./end.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { feesPaidBy } from "./totals.js";

/** So many calls are read at a time. */
const LOT = 100;

export type Intents = ReturnType<typeof createIntents>;

/**
 * Everything that spends, from its card to its end, each step being one transaction. All functions throw Fault `store-…` when
 * nothing could be saved, and `store-unreadable` for what can't be read.
 */
export function createIntents(parts: IntentParts) {
  const running = createKeyedQueue();
  return {
    ...createCards(parts),
    ...createQuestions(parts),
    /** The one way in which a call leaves. */
    confirm: (
      owner: number,
      id: string,
      recheck: Tap["recheck"],
      onClaimed?: Tap["onClaimed"],
    ): Promise<Confirmation> =>
      running.take(Symbol(), () => confirm({ ...parts, running }, owner, id, { recheck, onClaimed })),
    /** Records how a call ended; without an outcome, as its request for a signature closed. See {@link endIntent}. */
    settle: (owner: number, id: string, outcome?: IntentOutcome): Promise<Intent | undefined> =>
      endIntent(parts, { owner, id }, outcome),
    /**
     * Looks what the account holds after a call that was answered ok or is of unknown outcome, where that is known from before it,
     * and keeps it; what has arrived is not looked for again.
     */
    look: (intent: Intent): Promise<Intent> => look(parts, intent),
    /** Keeps what a look at a call's end found out, or what its owner says of it, and gives the intent as it is then. */
    markChecked: async (intent: Intent, check: OutcomeCheck): Promise<Intent> =>
      (await changeIntent(parts, intent.owner, intent.id, (now) => withCheck(now, check))) ?? withCheck(intent, check),
    recover: () => recover(parts),
    requests: createRequests(parts),
    /** Resolves when no call is in progress and every end that is known is on disk. */
    idle: running.settled,
  };
}

/** Cards that can be confirmed, from the first to what takes their place. */
function createCards(parts: IntentParts) {
  const { store } = parts;
  const keep = (intent: Intent): Promise<Intent> => changeIntents(parts, (_tx, step) => step(undefined, intent));
  /** An open card's intent at its end. One that has expired stays that, whatever is done to it later. */
  const closed = (intent: Intent, state: "CANCELED" | "SUPERSEDED"): Intent =>
    advance(intent, isExpired(intent, parts) ? "EXPIRED" : state, momentOf(parts));

  return {
    /** Keeps a new card's intent, QUOTED, on disk. */
    open: (owner: number, chatId: number, draft: Draft): Promise<Intent> =>
      keep(quotedIntent(parts, owner, chatId, draft)),
    /** Keeps one with less than a card had that was confirmed: it asks for an extra confirmation. */
    openWorse: ({ owner, chatId }: Intent, draft: Draft): Promise<Intent> =>
      keep(worseIntent(parts, owner, chatId, draft)),
    /** Remembers the message of a card. */
    attachMessage: (id: string, messageId: number): Promise<void> =>
      store.write((tx) => noteMessage(tx, id, messageId)),
    /** Ends an open card whose time has passed; gives the intent as it is now. */
    expire: (owner: number, id: string): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? advance(intent, "EXPIRED", momentOf(parts)) : intent,
      ),
    /**
     * Closes an open card, a request for a signature (which ends a little later), or what was signed and never given to the network.
     * Gives the intent as it is now, whatever its state; undefined when there is none.
     */
    cancel: (owner: number, id: string): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) => {
        if (isHeld(intent)) return advance(intent, "CANCELED", momentOf(parts));
        return intent.state === "QUOTED" ? closed(intent, "CANCELED") : closing(intent, { state: "CANCELED" });
      }),
    /**
     * Puts an open card in the place of another, which closes where it was open. It takes over the message, unless that tells how
     * a call ended. Gives the card as it is now; undefined when there is none.
     */
    replace: (owner: number, id: string, by: string, settlesAt?: number): Promise<Intent | undefined> =>
      changeIntents(parts, async (tx, step) => {
        const [before, fresh] = [await findIntent(tx, owner, id), await findIntent(tx, owner, by)];
        if (before === undefined || fresh === undefined) return fresh;
        const over = before.state === "QUOTED" ? closed(before, "SUPERSEDED") : before;
        if (over.state !== "SUPERSEDED" && over.state !== "EXPIRED") return fresh;
        const [left, shown] = inPlaceOf(over, { ...fresh, ...(settlesAt !== undefined && { settlesAt }) });
        await step(before, left);
        return step(fresh, shown);
      }),
  };
}

/** A question to the store. What can't be read is told of, and never taken for nothing. */
const asking =
  <Asked extends readonly unknown[], Result>(
    { store, onUnreadable }: IntentParts,
    query: (db: Reader, ...asked: Asked) => Promise<Result>,
  ) =>
  (...asked: Asked): Promise<Result> =>
    query(store.db, ...asked).catch((error: unknown) => {
      if (isFault(error, "store-unreadable")) onUnreadable(error);
      throw error;
    });

/** What is asked about a person's intents. */
function createQuestions(parts: IntentParts) {
  const lotAfter = asking(parts, callsAfter);
  /** The calls that were made or are in progress, some at a time, the oldest first. @param from how many to pass over. */
  async function* everything(owner: number, from = 0): AsyncGenerator<readonly Intent[]> {
    let last: Intent | undefined;
    do {
      const lot = await lotAfter(owner, last ?? from, LOT);
      if (lot.length > 0) yield lot;
      last = lot.at(LOT - 1);
    } while (last !== undefined);
  }

  return {
    find: asking(parts, findIntent),
    listOpen: asking(parts, openIntents),
    inMessage: asking(parts, intentInMessage),
    toSign: asking(parts, intentToSign),
    rivals: asking(parts, rivalsOf),
    spentLately: asking(parts, (db, owner: number) => spentLately(db, owner, parts.clock.now())),
    history: asking(parts, historyPage),
    count: asking(parts, countCalls),
    countUnresolved: asking(parts, countUnresolved),
    fees: asking(parts, feesPaidBy),
    everything,
  };
}

async function look(parts: IntentParts, intent: Intent): Promise<Intent> {
  const { owner, id, balances } = intent;
  if (balances === undefined || !isLookedFor(intent)) return intent;
  const after = await parts.holdings(intent);
  if (after === undefined) return intent;
  const { before } = balances;
  const isOnlyCall = await asking(parts, isAlone)(intent);
  const finding = isOnlyCall && { finding: checkBalances(parts.movementOf(intent), before, after) };
  const looked = { before, after, ...finding };
  const withLook = (now: Intent) => (isLookedFor(now) ? { ...now, balances: looked } : now);
  const kept = await changeIntent(parts, owner, id, withLook);
  // Its end may not be written yet.
  return kept?.state === intent.state ? kept : withLook(intent);
}

/** Whether balances can still say something about the end of its call. */
function isLookedFor(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isFoundOut(intent)) || (state === "OK" && balances?.finding !== "arrived");
}
