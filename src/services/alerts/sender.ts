import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { isFinal } from "../../model/order.js";
import { alertFor, watchedOrders, watcherOf, withAlertTold, type OrderAlert } from "../orders/watched-order.js";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { modeFor } from "./control.js";
import { kindOfNotice, withoutNotice } from "./notice.js";
import type { Notice } from "../../model/notice.js";
import type { Pacer } from "./pacer.js";
import { deliveryFailureOf, describeFailure } from "./telegram-failure.js";

/** What one message tells. */
export type Alert = OrderAlert | { readonly about: "notice"; readonly notice: Notice };

/** Where something may be waiting for a person: with a watched order, or among the person's own notices. */
export type Source = { readonly order: string } | "notices";

export interface Sender {
  /** Takes up the notices that wait in people's documents. */
  readonly start: () => Promise<void>;
  /** Ends when what has left is noted; what waits stays in the store. */
  readonly stop: () => Promise<void>;
  /** Something may be due to a person: to be called after it was written to the store. */
  readonly offer: (userId: number, source: Source) => void;
}

export interface SenderParts<Message> {
  readonly store: Store;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly render: (alert: Alert, person: Person) => Message;
  /** Sends to a chat, past no other pacing and without repeating. @throws GrammyError, or anything else for no answer. */
  readonly deliver: (chatId: number, message: Message, options: { readonly isSilent: boolean }) => Promise<unknown>;
  /** The person can't be reached: lets their watches rest. */
  readonly rest: (userId: number) => Promise<void>;
}

/** What is due, whether it makes a sound, and how it is noted as told. */
interface Due {
  readonly alert: Alert;
  readonly mode: "on" | "silent" | "off";
  readonly noteAsTold: () => Promise<unknown>;
}

const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Empties the outboxes. What is due is read from the store at the moment when it may leave, so several changes that waited
 * make one message, and it is noted as told after Telegram took it: a crash in between is the one way to tell something
 * twice. One message follows the other within a chat; what fails for a while is tried again and again.
 */
export function createSender<Message>(parts: SenderParts<Message>): Sender {
  const { store, pacer, clock, log } = parts;
  const stopping = new AbortController();
  // As a function, because the compiler can't see that what is awaited may change it.
  const isStopping = (): boolean => stopping.signal.aborted;
  /** What may be due to each person, by the name of its source, in the order in which it was offered. */
  const offered = new Map<number, Map<string, Source>>();
  /** People whose sources are being worked off. */
  const underWay = new Set<number>();
  /** Messages that have left, or may have, and are not noted yet. */
  const sendings = new Set<Promise<void>>();

  async function work(userId: number): Promise<void> {
    for (let failures = 0; !isStopping(); ) {
      const sources = offered.get(userId) ?? new Map<string, Source>();
      const [name, source] = sources.entries().next().value ?? [];
      if (name === undefined || source === undefined) return;
      // Offered again meanwhile, it comes up once more.
      sources.delete(name);
      try {
        await tell(userId, source);
        failures = 0;
      } catch (error) {
        if (isStopping()) return;
        failures += 1;
        log.warn({ userId, reason: describeFailure(error), failures }, "an alert could not be sent yet");
        offered.set(userId, new Map([[name, source], ...sources]));
        await pause(failures);
      }
    }
  }

  /** Tells what is due from one source, until nothing is. @throws when it should be tried again. */
  async function tell(userId: number, source: Source): Promise<void> {
    while (!isStopping()) {
      const person = await personOf(userId);
      const due = person.restingSince === undefined ? await dueTo(userId, source) : undefined;
      if (due === undefined) return;
      if (due.mode !== "off") {
        const chatId = chatOf(person, userId);
        await pacer.alert(chatId, () => unlessStopping(() => send(chatId, userId, source)));
      } else if (isLast(due.alert)) {
        await due.noteAsTold();
      } else {
        // It stays untold, so that the next alert that is wanted says what happened since the one before.
        return;
      }
    }
  }

  /** Sends what is due at this moment, and notes that. @throws when it should be tried again. */
  async function send(chatId: number, userId: number, source: Source): Promise<void> {
    const due = await dueTo(userId, source);
    if (due === undefined || due.mode === "off") return;
    const message = parts.render(due.alert, await personOf(userId));
    try {
      await parts.deliver(chatId, message, { isSilent: due.mode === "silent" });
    } catch (error) {
      const failure = deliveryFailureOf(error);
      if (failure === "passing") throw error;
      if (failure === "gone") {
        log.info({ userId, reason: describeFailure(error) }, "a person can't be reached; their watches rest");
        await parts.rest(userId);
        return;
      }
      log.error({ userId, reason: describeFailure(error) }, "Telegram refuses an alert for good");
    }
    await untilDurable(due.noteAsTold);
  }

  /** Begins nothing any more once it stops; what has begun is waited for. */
  function unlessStopping(task: () => Promise<void>): Promise<void> {
    if (isStopping()) return Promise.resolve();
    const sending = task().finally(() => sendings.delete(sending));
    sendings.add(sending);
    return sending;
  }

  async function dueTo(userId: number, source: Source): Promise<Due | undefined> {
    const person = await personOf(userId);
    return source === "notices" ? dueNotice(userId, person) : dueFromOrder(userId, person, source.order);
  }

  function dueNotice(userId: number, person: Person): Due | undefined {
    const notice = person.outbox?.[0];
    if (notice === undefined) return undefined;
    const kind = kindOfNotice(notice);
    return {
      alert: { about: "notice", notice },
      mode: kind === undefined ? "on" : modeFor(person, kind, clock.now()),
      noteAsTold: () => store.update(people, String(userId), (now) => [withoutNotice(now, notice.id), undefined]),
    };
  }

  async function dueFromOrder(userId: number, person: Person, orderId: string): Promise<Due | undefined> {
    const document = await store.read(watchedOrders, orderId);
    const alert = document === undefined ? undefined : alertFor(document, userId);
    if (document === undefined || alert === undefined) return undefined;
    const mode = modeFor(person, alert.about === "gone" ? "other" : alert.change.kind, clock.now());
    const isMuted = watcherOf(document, userId)?.isMuted === true;
    return {
      alert,
      mode: mode === "on" && isMuted ? "silent" : mode,
      noteAsTold: () => store.update(watchedOrders, orderId, (now) => [withAlertTold(now, userId, alert), undefined]),
    };
  }

  async function personOf(userId: number): Promise<Person> {
    return (await store.read(people, String(userId))) ?? people.create(String(userId));
  }

  /** It was sent, so only the note of it is tried again. */
  async function untilDurable(write: () => Promise<unknown>): Promise<void> {
    for (let failures = 0; ; ) {
      try {
        await write();
        return;
      } catch (error) {
        if (isStopping()) throw error;
        failures += 1;
        log.error({ reason: describeFailure(error) }, "an alert was sent, but this could not be written down yet");
        await pause(failures);
      }
    }
  }

  async function pause(failures: number): Promise<void> {
    const seconds = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - 1, 16));
    await clock.sleep(seconds * 1000, stopping.signal).catch(() => undefined);
  }

  function offer(userId: number, source: Source): void {
    if (isStopping()) return;
    const sources = offered.get(userId) ?? new Map<string, Source>();
    offered.set(userId, sources.set(source === "notices" ? source : `order ${source.order}`, source));
    if (!underWay.has(userId)) begin(userId);
  }

  function begin(userId: number): void {
    underWay.add(userId);
    void work(userId).finally(() => {
      underWay.delete(userId);
      if (offered.get(userId)?.size === 0) offered.delete(userId);
      // Something was offered in the moment between.
      else if (!isStopping()) begin(userId);
    });
  }

  return {
    offer,
    start: async () => {
      for (const id of await store.ids(people)) {
        const person = await store.read(people, id).catch((error: unknown) => {
          log.error({ person: id, reason: describeFailure(error) }, "a person's notices could not be read");
        });
        // The document's id is the Telegram user id.
        // eslint-disable-next-line no-restricted-syntax -- an id, not money
        if (person?.outbox !== undefined) offer(Number(id), "notices");
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(sendings);
    },
  };
}

/** Whether nothing comes after it that could tell it along. */
function isLast(alert: Alert): boolean {
  return alert.about !== "change" || isFinal(alert.change.order);
}

/** A private chat has the person's own id until it is known otherwise. */
function chatOf(person: Person, userId: number): number {
  return person.chatId === 0 ? userId : person.chatId;
}
