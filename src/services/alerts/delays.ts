import { repeat } from "../../clock.js";
import type { Later } from "../../model/later.js";
import type { Person } from "../../model/person.js";
import type { Reader } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import { createTurns } from "../../store/turns.js";
import type { CommonParts } from "../common-parts.js";
import { hasOpenCalls, hasUntold } from "../intents/queries.js";
import { inEffect } from "../later.js";
import { tellNotice } from "../outbox/outbox.js";
import { changePersonIn, openPeople, personIn, personOf } from "../people.js";

const LOOK_EVERY_MILLISECONDS = 2_000;
/** So long somebody who is to be forgotten is still told how their calls ended, if Telegram doesn't take it. */
const TELLING_MILLISECONDS = 86_400_000;

export type Delays = ReturnType<typeof createDelays>;

/** What happens in the chat when a change takes effect. */
interface Chat {
  /** The payout address has changed, or the person is about to be forgotten: their open cards can't be confirmed any more. */
  readonly closeCards: (userId: number) => Promise<unknown>;
  /** Nothing is kept about the person any more, who was this. */
  readonly tellForgotten: (userId: number, person: Person) => Promise<unknown>;
}

/** Puts changes that wait into effect when their time has come, and tells the person. Until it has looked, the guard holds. */
export function createDelays(
  parts: CommonParts & {
    readonly database: Database;
    readonly outbox: { readonly wake: () => void };
    /** Forgets a person if they may go. @returns `forgotten` once nothing is kept any more. */
    readonly forget: (userId: number, mayGo: (db: Reader, person: Person) => Promise<boolean>) => Promise<string>;
  },
) {
  const { store, clock, log } = parts;
  const stopping = new AbortController();
  /** By person, when the first change is due. */
  const waiting = new Map<number, number>();
  const turns = createTurns();
  let work: Promise<void> | undefined;
  let chat: Chat | undefined;

  const wait = (userId: number, { later }: Person): void => {
    if (later === undefined) waiting.delete(userId);
    else waiting.set(userId, Math.min(...later.map(({ from }) => from)));
  };

  const isDue = ({ from }: Pick<Later, "from">): boolean => from <= clock.now();

  const lookAt = async (userId: number, { closeCards, tellForgotten }: Chat): Promise<void> => {
    const done = await parts.database.write(async (tx) => {
      const { later = [] } = await personIn(tx, userId);
      const due = later.filter((one) => one.guard !== "forget").filter(isDue);
      for (const change of due) {
        await changePersonIn(tx, userId, (person) => inEffect(person, change, clock.now()));
        const id = `in-effect-${change.guard}-${change.from}`;
        await tellNotice(tx, userId, { id, what: { kind: "in-effect", change } }, clock.now());
      }
      return due;
    });
    parts.outbox.wake();
    if (done.some(({ guard }) => guard === "wallet")) await closeCards(userId);
    const person = await personOf(store, userId);
    if (await mayGo(userId)(parts.database.db, person)) {
      await closeCards(userId);
      if ((await parts.forget(userId, mayGo(userId))) === "forgotten") await tellForgotten(userId, person);
    }
    wait(userId, await personOf(store, userId));
  };

  /** Whether a person is to be forgotten now. They are told first how calls of theirs ended. */
  const mayGo =
    (userId: number) =>
    async (db: Reader, person: Person): Promise<boolean> => {
      const asked = person.later?.find(({ guard }) => guard === "forget");
      if (asked === undefined || !isDue(asked) || (await hasOpenCalls(db, userId))) return false;
      return clock.now() - asked.from > TELLING_MILLISECONDS || !(await hasUntold(db, userId));
    };

  const look = async (userId: number): Promise<void> => {
    if (chat === undefined) return;
    const now = chat;
    await turns
      .take(String(userId), () => lookAt(userId, now))
      .catch((error: unknown) => {
        log.error({ userId, err: error }, "A change that waits could not be put into effect yet");
      });
  };

  return {
    /** Takes up what waits, and begins to look. */
    start: async (inChat: Chat): Promise<void> => {
      chat = inChat;
      const lookAtAll = async () => {
        for (const [userId, from] of waiting) if (isDue({ from })) await look(userId);
      };
      work ??= repeat(clock, LOOK_EVERY_MILLISECONDS, stopping.signal, lookAtAll, () => undefined);
      for await (const [userId, person] of openPeople(parts)) wait(userId, person);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await work;
    },
    /** To be called when a change waits. What waits for nothing is in effect afterwards. */
    note: (userId: number): Promise<void> => {
      waiting.set(userId, clock.now());
      return look(userId);
    },
  };
}
