import { people, type Person } from "../../model/person.js";
import { createConfirm, type Confirm } from "./confirm.js";
import { quotedIntent, type Draft } from "./draft.js";
import type { Intent, IntentOutcome, IntentState, OutcomeCheck } from "../../model/intent.js";
import { createArchive, type Archive } from "./archive.js";
import { advance, conclude, isExpired, momentOf } from "./lifecycle.js";
import type { IntentParts } from "./parts.js";
import { createRecover, type Recover } from "./recover.js";
import { inPlaceOf, intentOf, isAlone, newestFirst, withEnd, withIntent } from "./person-intents.js";
import { closing, createRequests, isRequest, type Requests } from "./requests.js";

/** Everything that spends, from its card to its end. All functions throw Fault `store-…` when nothing could be saved. */
export interface Intents {
  /** Keeps a new card's intent, QUOTED, on disk. */
  readonly open: (owner: number, chatId: number, draft: Draft) => Promise<Intent>;
  /** Remembers the message of an open card, which shows it as QUOTED. */
  readonly attachMessage: (owner: number, id: string, messageId: number) => Promise<void>;
  /** The one way in which a call leaves. */
  readonly confirm: Confirm;
  /** Closes an open card, or a request for a signature (which ends a little later). Gives the intent as it is now, whatever its state; undefined when there is none. */
  readonly cancel: (owner: number, id: string) => Promise<Intent | undefined>;
  /**
   * Puts an open card in the place of another, which closes where it was open. It takes over the message, unless that tells how
   * a call ended. Gives the card as it is now; undefined when there is none.
   */
  readonly replace: (owner: number, id: string, by: string) => Promise<Intent | undefined>;
  /** Records how a call that was on its way ended. An intent in any other state stays as it is. */
  readonly settle: (owner: number, id: string, outcome: IntentOutcome) => Promise<Intent | undefined>;
  /** Remembers which state the card shows now, and in which message. */
  readonly markShown: (owner: number, id: string, state: IntentState, messageId: number) => Promise<void>;
  /**
   * Looks what the account holds after a call that was answered ok or is of unknown outcome, where that is known from before it, and
   * keeps it; what was answered ok and has arrived is not looked for again.
   */
  readonly look: (intent: Intent) => Promise<Intent>;
  /** Keeps what was found out about an unknown outcome, and gives the intent with it. */
  readonly markChecked: (intent: Intent, check: OutcomeCheck) => Promise<Intent>;
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /** What is open, under way, or ended recently; newest first. */
  readonly list: (owner: number) => Promise<readonly Intent[]>;
  readonly history: Archive["history"];
  readonly everything: Archive["everything"];
  readonly recover: Recover;
  readonly requests: Requests;
  /** Resolves when no call is under way and every end that is known is on disk. */
  readonly idle: () => Promise<void>;
}

/** Intents over the store: one document per person, so that each step is one atomic write. */
export function createIntents(parts: IntentParts): Intents {
  const { store } = parts;
  const archive = createArchive(parts);
  const confirm = createConfirm(parts, archive.find);

  /**
   * Changes one intent; undefined when there is none. Giving back the same intent writes nothing, and one that has left the
   * person's document stays as it is.
   */
  const change = async (owner: number, id: string, next: (intent: Intent) => Intent): Promise<Intent | undefined> => {
    const changed = await store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
      const intent = intentOf(person, id);
      if (intent === undefined) return [person, undefined];
      const changed = next(intent);
      return [changed === intent ? person : withIntent(person, changed), changed];
    });
    return changed ?? archive.find(owner, id);
  };

  /** An open card's intent at its end. One that has expired stays that, whatever is done to it later. */
  const closed = (intent: Intent, state: "CANCELED" | "SUPERSEDED"): Intent =>
    advance(intent, isExpired(intent, parts) ? "EXPIRED" : state, momentOf(parts));

  const markShown: Intents["markShown"] = async (owner, id, shownState, messageId) => {
    await change(owner, id, (intent) =>
      intent.shownState === shownState && intent.messageId === messageId
        ? intent
        : { ...intent, shownState, messageId },
    );
  };

  return {
    open: async (owner, chatId, draft) => {
      await archive.tidy(owner);
      return store.update(people, String(owner), (person) => {
        const intent = quotedIntent(parts, owner, chatId, draft);
        return [withIntent(person, intent), intent];
      });
    },
    attachMessage: (owner, id, messageId) => markShown(owner, id, "QUOTED", messageId),
    confirm: async (owner, ...rest) => {
      const confirmation = await confirm.run(owner, ...rest);
      if (confirmation.kind === "worse") await archive.tidy(owner);
      return confirmation;
    },
    cancel: async (owner, id) => {
      const cancelled = await change(owner, id, (intent) =>
        intent.state === "QUOTED" ? closed(intent, "CANCELED") : closing(intent, { state: "CANCELED" }),
      );
      if (cancelled !== undefined && isRequest(cancelled)) parts.onRequest(cancelled);
      return cancelled;
    },
    replace: (owner, id, by) =>
      store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
        const [before, fresh] = [intentOf(person, id), intentOf(person, by)];
        if (before === undefined || fresh === undefined) return [person, fresh];
        const over = before.state === "QUOTED" ? closed(before, "SUPERSEDED") : before;
        if (over.state !== "SUPERSEDED" && over.state !== "EXPIRED") return [person, fresh];
        const [left, shown] = inPlaceOf(over, fresh);
        return [withIntent(withIntent(person, left), shown), shown];
      }),
    settle: async (owner, id, outcome) => {
      const settled = await store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
        const intent = intentOf(person, id);
        if (intent?.state !== "SENT") return [person, intent];
        const ended = conclude(intent, outcome, momentOf(parts));
        return [withEnd(parts, person, ended), ended];
      });
      if (settled?.outcome !== undefined) parts.onEnded(settled);
      return settled;
    },
    markShown,
    look: async (intent) => {
      const { state, balances } = intent;
      const isDue = state === "UNKNOWN" || (state === "OK" && balances?.finding !== "arrived");
      if (balances === undefined || !isDue) return intent;
      const after = await parts.holdings?.(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const person = await store.read(people, String(intent.owner));
      const finding = person && isAlone(person, intent) ? parts.findingOf?.(intent, before, after) : undefined;
      const looked = { before, after, ...(finding !== undefined && { finding }) };
      await change(intent.owner, intent.id, (now) => ({ ...now, balances: looked }));
      return { ...intent, balances: looked };
    },
    markChecked: async (intent, check) => {
      await change(intent.owner, intent.id, (now) => ({ ...now, check }));
      return { ...intent, check };
    },
    find: async (owner, id) => {
      const person = await store.read(people, String(owner));
      return (person && intentOf(person, id)) ?? archive.find(owner, id);
    },
    list: async (owner) => {
      const person = await store.read(people, String(owner));
      return person === undefined ? [] : newestFirst(person);
    },
    history: archive.history,
    everything: archive.everything,
    recover: createRecover(parts),
    requests: createRequests(parts),
    idle: confirm.idle,
  };
}
