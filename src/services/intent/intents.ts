import { isFault } from "../../fault.js";
import type { Reader } from "../../store/store.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { advance, changeIntent, changeIntents, closing, inPlaceOf, isExpired, newIntent } from "./change.js";
import type { IntentParts } from "./change.js";
import { confirm } from "./confirm.js";
import { endIntent, recover } from "./end.js";
import { callsAfter, countCalls, historyPage, isAlone, spentLately } from "./history.js";
import { isFoundOut, isSigned, withCheck, type Intent, type IntentOutcome, type OutcomeCheck } from "./intent.js";
import { checkBalances, type Draft } from "./kind.js";
import { countUnresolved, findIntent, intentInMessage, intentToSign, openIntents, rivalsOf } from "./queries.js";
import { createRequests } from "./requests.js";
import { noteMessage } from "./row.js";
import { feesPaidBy } from "./totals.js";

export type Intents = ReturnType<typeof createIntents>;

/**
 * Everything that spends, from its card to its end, each step being one transaction. All functions throw Fault `store-…` when
 * nothing could be saved, and `store-unreadable` for what can't be read.
 */
export function createIntents(parts: IntentParts) {
  const running = createKeyedQueue();
  const confirmOne = confirm.bind(undefined, { ...parts, running });
  return {
    ...createCards(parts),
    ...createQuestions(parts),
    /** The one way in which a call leaves. */
    confirm: (...tap: Parameters<typeof confirmOne>) => running.take(Symbol(), () => confirmOne(...tap)),
    /** Records how a call ended; without an outcome, as its request for a signature closed. See {@link endIntent}. */
    settle: (owner: number, id: string, outcome?: IntentOutcome) => endIntent(parts, { owner, id }, outcome),
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
  const keep = (intent: Intent): Promise<Intent> => changeIntents(parts, (_tx, step) => step(undefined, intent));
  /** An open card's intent at its end. One that has expired stays that, whatever is done to it later. */
  const closed = (intent: Intent, state: "CANCELED" | "SUPERSEDED"): Intent =>
    advance(intent, isExpired(intent, parts) ? "EXPIRED" : state, parts);

  return {
    /** Keeps a new card's intent, QUOTED, on disk. */
    open: (owner: number, chatId: number, draft: Draft) => keep(newIntent(parts, { owner, chatId }, draft)),
    /** Keeps one with less than a card had that was confirmed: it asks for an extra confirmation. */
    openWorse: (before: Intent, draft: Draft) => keep(newIntent(parts, before, draft, true)),
    /** Remembers the message of a card. */
    attachMessage: (id: string, messageId: number) => parts.store.write((tx) => noteMessage(tx, id, messageId)),
    /** Ends an open card whose time has passed; gives the intent as it is now. */
    expire: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? advance(intent, "EXPIRED", parts) : intent,
      ),
    /**
     * Closes an open card, a request for a signature (which ends a little later), or what was signed and never given to the network.
     * Gives the intent as it is now, whatever its state; undefined when there is none.
     */
    cancel: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) => {
        const isHeld = intent.state === "SENT" && isSigned(intent) && intent.transaction.givenAt === undefined;
        if (isHeld) return advance(intent, "CANCELED", parts);
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

/** So many calls are read at a time. */
const LOT = 100;

/** What is asked about a person's intents. */
function createQuestions(parts: IntentParts) {
  const { store, onUnreadable } = parts;
  /** What can't be read is told of, and never taken for nothing. */
  const asking =
    <Asked extends readonly unknown[], Result>(query: (db: Reader, ...asked: Asked) => Promise<Result>) =>
    (...asked: Asked): Promise<Result> =>
      query(store.db, ...asked).catch((error: unknown) => {
        if (isFault(error, "store-unreadable")) onUnreadable(error);
        throw error;
      });
  const [lotAfter, isOnlyCall] = [asking(callsAfter), asking(isAlone)];
  /** The calls that were made or are in progress, some at a time, the oldest first. @param from how many to pass over. */
  async function* everything(owner: number, from = 0) {
    let last: Intent | undefined;
    do {
      const lot = await lotAfter(owner, last ?? from, LOT);
      if (lot.length > 0) yield lot;
      last = lot.at(LOT - 1);
    } while (last !== undefined);
  }

  return {
    find: asking(findIntent),
    listOpen: asking(openIntents),
    inMessage: asking(intentInMessage),
    toSign: asking(intentToSign),
    rivals: asking(rivalsOf),
    spentLately: asking((db, owner: number) => spentLately(db, owner, parts.clock.now())),
    history: asking(historyPage),
    count: asking(countCalls),
    countUnresolved: asking(countUnresolved),
    fees: asking(feesPaidBy),
    everything,
    /**
     * Looks what the account holds after a call that was answered ok or is of unknown outcome, where that is known from before it,
     * and keeps it; what has arrived is not looked for again.
     */
    look: async (intent: Intent): Promise<Intent> => {
      const { owner, id, balances } = intent;
      if (balances === undefined || !mayArrive(intent)) return intent;
      const after = await parts.holdings(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const finding = (await isOnlyCall(intent)) && checkBalances(parts.movementOf(intent), before, after);
      const looked = { before, after, ...(finding && { finding }) };
      const withLook = (now: Intent) => (mayArrive(now) ? { ...now, balances: looked } : now);
      const kept = await changeIntent(parts, owner, id, withLook);
      // Its end may not be written yet.
      return kept?.state === intent.state ? kept : withLook(intent);
    },
  };
}

/** Whether balances can still say something about the end of its call. */
function mayArrive(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isFoundOut(intent)) || (state === "OK" && balances?.finding !== "arrived");
}
