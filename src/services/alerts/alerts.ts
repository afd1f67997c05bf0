import { setMaxListeners } from "node:events";
import type { AlertKind } from "../../model/alert-control.js";
import { within } from "../../clock.js";
import type { Person } from "../../model/person.js";
import { changePerson, personOf } from "../people.js";
import type { CommonParts } from "../common-parts.js";
import { modeFor } from "./control.js";
import type { Pacer } from "./pacer.js";
import { pauseAfter } from "../back-off.js";
import { deliveryFailureOf } from "../telegram-errors.js";

/** What one message is to tell a person. */
export interface Due<Message> {
  readonly message: Message;
  /** Which switch of the person's settings it obeys; it comes always when there is none. */
  readonly kind: AlertKind | undefined;
  /** It is sent without a sound. */
  readonly isMuted?: boolean;
  /** Nothing comes after it that would include it, so when it is not wanted it counts as told. */
  readonly isLast: boolean;
  /** Asked right before it leaves, where it must not leave twice: false when it may have left already. */
  readonly mayLeave?: () => Promise<boolean>;
  readonly noteAsTold: () => Promise<unknown>;
}

/** Where messages to people wait in the store, under the source's own keys. */
export interface Source<Message> {
  readonly name: string;
  /** Where something may be waiting for a person. */
  readonly keysOf: (userId: number, person: Person) => readonly string[] | Promise<readonly string[]>;
  readonly due: (
    userId: number,
    person: Person,
    key: string,
  ) => Due<Message> | undefined | Promise<Due<Message> | undefined>;
  /** Nothing can be sent to the person for now, or can again. Safe to repeat. */
  readonly rest?: (userId: number, isResting: boolean) => Promise<void>;
}

/** Adds a source; gives what is to be called after something that may be due was written to the store. */
export type AddSource<Message> = (source: Source<Message>) => (userId: number, key: string) => void;

/** A queue: how much is in it, and for how many milliseconds the oldest has been; 0 where there is none. */
export interface Waiting {
  readonly count: number;
  readonly oldestMilliseconds: number;
}

/** So long a stop waits for what has left, in milliseconds; then it counts as not told, and may come again. */
const STOP_MILLISECONDS = 10_000;
const BACK_OFF = { first: 1000, longest: 60_000 };

interface Place<Message> {
  readonly source: Source<Message>;
  readonly key: string;
  /** By the monotonic clock, when it was first offered. */
  readonly since: number;
}

/** Where something may be due to a person, in the order in which it was offered. */
interface Line<Message> {
  readonly places: Map<string, Place<Message>>;
  /** Since when the one that is next has waited. */
  since: number;
}

export type Alerts<Message> = ReturnType<typeof createAlerts<Message>>;

/**
 * Empties the outboxes. What is due is read from the store at the moment when it may leave, so several changes that waited
 * make one message, and it is noted as told after Telegram took it: a crash in between is the one way to tell something
 * twice. One message follows the other within a chat; what fails for a while is tried again and again. Who can't be reached
 * rests until their next message.
 */
export function createAlerts<Message>(
  parts: CommonParts & {
    readonly pacer: Pacer;
    /** Sends to a chat, past no other pacing and without repeating. @throws GrammyError, or anything else for no answer. */
    readonly deliver: (chatId: number, message: Message, options: { readonly isSilent: boolean }) => Promise<unknown>;
  },
) {
  const { store, pacer, clock, log } = parts;
  const stopping = new AbortController();
  // Everyone to whom nothing can be sent waits on it for the next attempt.
  setMaxListeners(0, stopping.signal);
  // As a function, because the compiler can't see that what is awaited may change it.
  const isStopping = (): boolean => stopping.signal.aborted;
  const sources: Source<Message>[] = [];
  const lines = new Map<number, Line<Message>>();
  /** Messages that have left, or may have, and are not noted yet; and who has written meanwhile. */
  const sendings = new Map<number, Promise<boolean>>();
  const writers = new Set<number>();
  /** Whom this process has laid to rest: a message of theirs may come with the person as they were before that. */
  const rested = new Set<number>();

  const add: AddSource<Message> = (source) => {
    sources.push(source);
    return (userId, key) => offer(userId, source, key);
  };

  function offer(userId: number, source: Source<Message>, key: string): void {
    if (isStopping()) return;
    const since = clock.monotonic();
    const name = `${source.name} ${key}`;
    const line = lines.get(userId) ?? { places: new Map(), since };
    if (!line.places.has(name)) line.places.set(name, { source, key, since });
    if (lines.has(userId)) return;
    lines.set(userId, line);
    void work(userId, line);
  }

  async function work(userId: number, line: Line<Message>): Promise<void> {
    for (const [name, place] of line.places) {
      line.since = place.since;
      const begin = () => {
        // Offered again from now on, it comes up again.
        line.places.delete(name);
        return isStopping() ? Promise.resolve(false) : send(userId, place);
      };
      // A private chat has the person's id.
      await untilDone(
        () => pacer.alert(userId, begin),
        (reason, failures) => log.warn({ userId, reason, failures }, "An alert could not be sent yet"),
      );
    }
    lines.delete(userId);
  }

  /** What has begun is waited for at a stop. */
  function send(userId: number, place: Place<Message>): Promise<boolean> {
    const end = async (): Promise<void> => {
      sendings.delete(userId);
      // Whoever wrote while they were laid to rest is back, and nothing else would wake them.
      if (writers.delete(userId) && rested.has(userId)) await wake(userId);
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for the promise that it is given
    const sending = tell(userId, place).finally(end);
    sendings.set(userId, sending);
    return sending;
  }

  /** Sends what is due at this moment, if anything, and notes that. @throws when it should be tried again. */
  async function tell(userId: number, { source, key }: Place<Message>): Promise<boolean> {
    const person = await personOf(store, userId);
    const due = person.restingSince === undefined ? await source.due(userId, person, key) : undefined;
    if (due === undefined) return false;
    const mode = due.kind === undefined ? "on" : modeFor(person, due.kind, clock.now());
    if (mode === "off" || (await due.mayLeave?.()) === false) {
      // What is not the last stays untold, so that the next alert that is wanted says what happened since the one before.
      if (due.isLast) await due.noteAsTold();
      return false;
    }
    try {
      await parts.deliver(userId, due.message, { isSilent: mode === "silent" || due.isMuted === true });
    } catch (error) {
      const failure = deliveryFailureOf(error);
      if (failure === "passing") throw error;
      if (failure === "gone") {
        log.info({ userId, reason: error }, "A person can't be reached; their watches rest");
        await rest(userId);
        return true;
      }
      log.error({ userId, reason: error }, "Telegram refuses an alert for good");
    }
    // It was sent, so only the note of it is tried again.
    await untilDone(due.noteAsTold, (reason) =>
      log.error({ reason }, "An alert was sent, but this could not be written down yet"),
    );
    return true;
  }

  async function rest(userId: number): Promise<void> {
    await changePerson(store, userId, (person) => ({ restingSince: clock.now(), ...person }));
    rested.add(userId);
    for (const source of sources) await source.rest?.(userId, true);
  }

  async function wake(userId: number): Promise<void> {
    for (const source of sources) await source.rest?.(userId, false);
    // Last, so that waking goes on after an interruption.
    const person = await changePerson(store, userId, ({ restingSince: _awake, ...awake }) => awake);
    rested.delete(userId);
    for (const source of sources) for (const key of await source.keysOf(userId, person)) offer(userId, source, key);
  }

  /** Tries again after pauses until it succeeds, or this stops. */
  async function untilDone(
    task: () => Promise<unknown>,
    onFailure: (reason: unknown, failures: number) => void,
  ): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        await task();
        return;
      } catch (error) {
        if (isStopping()) return;
        onFailure(error, failures);
        await clock.sleep(pauseAfter(failures, BACK_OFF), stopping.signal).catch(() => undefined);
      }
    }
  }

  return {
    add,
    /** To be called at each message of a person. If their alerts rested, they resume, and what waited is sent. */
    wake: (userId: number, person: Person): Promise<void> | undefined => {
      const isAsleep = person.restingSince !== undefined || rested.has(userId);
      if (!sendings.has(userId)) return isAsleep ? wake(userId) : undefined;
      writers.add(userId);
      return undefined;
    },
    /** To how many people something may be due that has not left, and since how many milliseconds to the one who waits longest. */
    waiting: (): Waiting => {
      const now = clock.monotonic();
      let oldest = now;
      for (const { since } of lines.values()) oldest = Math.min(oldest, since);
      return { count: lines.size, oldestMilliseconds: now - oldest };
    },
    /** Ends when what has left is noted; what waits stays in the store. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await within(clock, STOP_MILLISECONDS, Promise.allSettled(sendings.values()));
    },
  };
}
