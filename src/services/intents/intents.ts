import { people, type Person } from "../../model/person.js";
import {
  isFoundOut,
  withCheck,
  type Intent,
  type IntentOutcome,
  type IntentState,
  type OutcomeCheck,
} from "../../model/intent.js";
import { personOf } from "../people.js";
import { createArchive } from "./archive.js";
import { changeIntent } from "./change.js";
import { createConfirm } from "./confirm.js";
import { quotedIntent, worseIntent, type Draft } from "./draft.js";
import { advance, conclude, isExpired, momentOf } from "./lifecycle.js";
import type { IntentParts } from "./parts.js";
import { inPlaceOf, intentOf, isAlone, newestFirst, withIntent } from "./person-intents.js";
import { createRecover } from "./recover.js";
import { closing, createRequests, isHeld, isRequest } from "./requests.js";

export type Intents = ReturnType<typeof createIntents>;

/**
 * Everything that spends, from its card to its end: one document per person, so that each step is one atomic write. All functions
 * throw Fault `store-…` when nothing could be saved.
 */
export function createIntents(parts: IntentParts) {
  const { store } = parts;
  const archive = createArchive(parts);
  const confirm = createConfirm(parts, archive);

  /** Changes one intent; undefined when there is none. One that has left the person's document stays as it is. */
  const change = async (owner: number, id: string, next: (intent: Intent) => Intent): Promise<Intent | undefined> =>
    (await changeIntent(parts, owner, id, next)) ?? archive.find(owner, id);

  /** An open card's intent at its end. One that has expired stays that, whatever is done to it later. */
  const closed = (intent: Intent, state: "CANCELED" | "SUPERSEDED"): Intent =>
    advance(intent, isExpired(intent, parts) ? "EXPIRED" : state, momentOf(parts));

  const keep = async (intent: Intent): Promise<Intent> => {
    const tidied = await archive.tidy(intent.owner);
    return store.update(people, String(intent.owner), (person) => [withIntent(tidied(person), intent), intent]);
  };

  const markShown = async (owner: number, id: string, shownState: IntentState, messageId: number): Promise<void> => {
    const shown = await change(owner, id, (intent) =>
      intent.shownState === shownState && intent.messageId === messageId
        ? intent
        : { ...intent, shownState, messageId },
    );
    if (shown?.state === "QUOTED") parts.onShown(shown);
  };

  /** Changes one that has ended, wherever it is kept. */
  const changeEnded = async ({ owner, id }: Intent, next: (intent: Intent) => Intent): Promise<Intent | undefined> =>
    (await changeIntent(parts, owner, id, next)) ?? archive.change(owner, id, next);

  return {
    /** Keeps a new card's intent, QUOTED, on disk. */
    open: (owner: number, chatId: number, draft: Draft): Promise<Intent> =>
      keep(quotedIntent(parts, owner, chatId, draft)),
    /** The same for one with less than a card had that was confirmed: it asks for a second step. */
    openWorse: ({ owner, chatId }: Intent, draft: Draft): Promise<Intent> =>
      keep(worseIntent(parts, owner, chatId, draft)),
    /** Remembers the message of an open card, which shows it as QUOTED. */
    attachMessage: (owner: number, id: string, messageId: number): Promise<void> =>
      markShown(owner, id, "QUOTED", messageId),
    /** The one way in which a call leaves. */
    confirm: confirm.run,
    /** Ends an open card whose time has passed; gives the intent as it is now. */
    expire: (owner: number, id: string): Promise<Intent | undefined> =>
      change(owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? advance(intent, "EXPIRED", momentOf(parts)) : intent,
      ),
    /**
     * Closes an open card, a request for a signature (which ends a little later), or what was signed and never given to the network.
     * Gives the intent as it is now, whatever its state; undefined when there is none.
     */
    cancel: async (owner: number, id: string): Promise<Intent | undefined> => {
      const cancelled = await change(owner, id, (intent) => {
        if (isHeld(intent)) return advance(intent, "CANCELED", momentOf(parts));
        return intent.state === "QUOTED" ? closed(intent, "CANCELED") : closing(intent, { state: "CANCELED" });
      });
      if (cancelled !== undefined && isRequest(cancelled)) parts.onRequest(cancelled);
      return cancelled;
    },
    /**
     * Puts an open card in the place of another, which closes where it was open. It takes over the message, unless that tells how
     * a call ended. Gives the card as it is now; undefined when there is none.
     */
    replace: (owner: number, id: string, by: string, settlesAt?: number): Promise<Intent | undefined> =>
      store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
        const [before, fresh] = [intentOf(person, id), intentOf(person, by)];
        if (before === undefined || fresh === undefined) return [person, fresh];
        const over = before.state === "QUOTED" ? closed(before, "SUPERSEDED") : before;
        if (over.state !== "SUPERSEDED" && over.state !== "EXPIRED") return [person, fresh];
        const [left, shown] = inPlaceOf(over, { ...fresh, ...(settlesAt !== undefined && { settlesAt }) });
        return [withIntent(withIntent(person, left), shown), shown];
      }),
    /** Records how a call that was on its way ended. An intent in any other state stays as it is. */
    settle: (owner: number, id: string, outcome: IntentOutcome): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "SENT" ? conclude(intent, outcome, momentOf(parts)) : intent,
      ),
    /** Remembers which state the card shows now, and in which message. */
    markShown,
    /**
     * Looks what the account holds after a call that was answered ok or is of unknown outcome, where that is known from before it,
     * and keeps it; what has arrived is not looked for again.
     */
    look: async (intent: Intent): Promise<Intent> => {
      const { balances } = intent;
      if (balances === undefined || !isLookedFor(intent)) return intent;
      const after = await parts.holdings?.(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const isOnlyCall = isAlone(await personOf(store, intent.owner), intent);
      const finding = isOnlyCall ? parts.findingOf?.(intent, before, after) : undefined;
      const looked = { before, after, ...(finding !== undefined && { finding }) };
      const withLook = (now: Intent) => (isLookedFor(now) ? { ...now, balances: looked } : now);
      return (await changeEnded(intent, withLook)) ?? withLook(intent);
    },
    /** Keeps what a look at a call's end found out, or what its owner says of it, and gives the intent as it is then. */
    markChecked: async (intent: Intent, check: OutcomeCheck): Promise<Intent> =>
      (await changeEnded(intent, (now) => withCheck(now, check))) ?? withCheck(intent, check),
    find: async (owner: number, id: string): Promise<Intent | undefined> =>
      intentOf(await personOf(store, owner), id) ?? archive.find(owner, id),
    /** What is open, under way, or ended recently; newest first. */
    list: async (owner: number): Promise<readonly Intent[]> => newestFirst(await personOf(store, owner)),
    history: archive.history,
    everything: archive.everything,
    recover: createRecover(parts),
    requests: createRequests(parts),
    /** Resolves when no call is under way and every end that is known is on disk. */
    idle: confirm.idle,
  };
}

/** Whether balances can still say something about the end of its call. */
function isLookedFor(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isFoundOut(intent)) || (state === "OK" && balances?.finding !== "arrived");
}
