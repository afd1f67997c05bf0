import type { Clock } from "../../clock.js";
import { createRateLimit } from "../limits/rate.js";
import { floodSeconds } from "../clients/telegram-errors.js";

/** Below Telegram's 30, since what leaves evenly may arrive a little less evenly. */
const PER_SECOND = 28.8;
/** The most in any second, while catching up. */
const MOST_IN_A_SECOND = 29;
/** A burst of replies makes alerts wait for this long at most. */
const LONGEST_DEBT_MILLISECONDS = 1000;
/** So many alerts a second leave however many replies do: nobody's flood silences them. */
const ALERTS_PER_SECOND = PER_SECOND / 3;
const CHAT_SPACING_MILLISECONDS = 1000;
/** When Telegram hangs, no more alerts than this hang with it. */
const MAX_ALERTS_IN_FLIGHT = 30;
const LONGEST_WAIT_OF_REPLY_SECONDS = 30;
/** A person who goes on asking puts their own alerts off by no more than this. */
const LONGEST_WAIT_BEHIND_REPLIES_MILLISECONDS = 5000;
/** Upper bounds for what a 429 asks for, in case the figure is absurd. */
const LONGEST_HOLD_MILLISECONDS = 300_000;
const LONGEST_HOLD_FOR_ALL_MILLISECONDS = 30_000;
/** A chat that got nothing for this long cannot have had too much. */
const QUIET_MILLISECONDS = 60_000;
/** When this many chats are known, those that need no spacing any more are forgotten; and when the rest have doubled, again. */
const SWEEP_AT = 10_000;

interface Job {
  /** Since when it is the next one of its chat. */
  readonly firstSince: number;
  readonly send: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  /** Jobs by chat; the chat that was served last stands last. */
  readonly waiting: Map<number, Job[]>;
  readonly inFlight: Set<number>;
}

/** Everything that goes to chats, at a pace that Telegram bears. Within a chat one follows the other. */
export interface Pacer {
  /** Goes at once, before all alerts. After a 429, `send` is called again, unless Telegram asks for more than half a minute. */
  readonly reply: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** `send` is called when it may leave, so it can tell the latest; where it resolves to false, its place is another's. */
  readonly alert: <Result>(chatId: number, send: () => Promise<Result | false>) => Promise<Result | false>;
  readonly stop: () => void;
}

export function createPacer({ clock }: { readonly clock: Clock }): Pacer {
  const rate = createRateLimit(PER_SECOND, MOST_IN_A_SECOND, LONGEST_DEBT_MILLISECONDS);
  const share = createRateLimit(ALERTS_PER_SECOND, undefined, LONGEST_DEBT_MILLISECONDS);
  const chats = createChats(clock);
  const replies: Queue = { waiting: new Map(), inFlight: new Set() };
  const alerts: Queue = { waiting: new Map(), inFlight: new Set() };
  let isLooking = false;
  let isStopped = false;
  let cancelTimer = () => {};

  /** Begins what may begin now, and looks again when something else may. */
  function look(): void {
    if (isLooking || isStopped) return;
    isLooking = true;
    queueMicrotask(() => {
      isLooking = false;
      cancelTimer();
      const now = clock.monotonic();
      for (let next = nextReady(now); next !== undefined; next = nextReady(now)) {
        // A reply waits for no even pace, but it takes its place in it: the alerts behind it leave so much later, up to their share.
        const paced = next.queue === replies ? now : Math.min(rate.earliest(), share.earliest());
        const at = next.at > now ? next.at : Math.max(paced, chats.allHeldUntil());
        if (at > now) {
          cancelTimer = clock.timer(Math.max(1, at - now), look);
          return;
        }
        void begin(next.queue, next.chatId, now);
      }
    });
  }

  function nextReady(now: number): ReturnType<typeof firstReady> {
    const roomOf = (queue: Queue, chatId: number, job?: Job): number => {
      const { roomAt, heldUntil } = chats.of(chatId);
      const spacedAt = Math.min(roomAt, (job?.firstSince ?? 0) + LONGEST_WAIT_BEHIND_REPLIES_MILLISECONDS);
      return Math.max(queue === alerts ? spacedAt : 0, heldUntil);
    };
    return firstReady(alerts.inFlight.size < MAX_ALERTS_IN_FLIGHT ? [replies, alerts] : [replies], roomOf, now);
  }

  async function begin(from: Queue, chatId: number, now: number): Promise<void> {
    const [job, following, ...others] = from.waiting.get(chatId) ?? [];
    from.waiting.delete(chatId);
    if (job === undefined) return;
    if (following !== undefined) from.waiting.set(chatId, [{ ...following, firstSince: now }, ...others]);
    const leaves = [chats.take(chatId, now), rate.take(now), ...(from === alerts ? [share.take(now)] : [])];
    from.inFlight.add(chatId);
    const { result, settle } = await sent(job);
    const seconds = floodSeconds(result);
    if (seconds !== undefined) chats.holdBack(chatId, seconds);
    const isWaitedFor = from === replies && seconds !== undefined && seconds <= LONGEST_WAIT_OF_REPLY_SECONDS;
    if (!isWaitedFor || isStopped) settle();
    else from.waiting.set(chatId, [job, ...(from.waiting.get(chatId) ?? [])]);
    if (result === false) for (const giveBack of leaves) giveBack();
    from.inFlight.delete(chatId);
    look();
  }

  function enqueue<Result>(into: Queue, chatId: number, send: () => Promise<Result>): Promise<Result> {
    if (isStopped) return Promise.reject(new Error("the pacer has stopped"));
    return new Promise<Result>((resolve, reject) => {
      const job = { firstSince: clock.monotonic(), send, resolve: resolve as (result: unknown) => void, reject };
      into.waiting.set(chatId, [...(into.waiting.get(chatId) ?? []), job]);
      look();
    });
  }

  return {
    reply: (chatId, send) => enqueue(replies, chatId, send),
    alert: (chatId, send) => enqueue(alerts, chatId, send),
    stop: () => {
      isStopped = true;
      cancelTimer();
      for (const { waiting } of [replies, alerts]) {
        for (const job of [...waiting.values()].flat()) job.reject(new Error("the pacer has stopped"));
        waiting.clear();
      }
    },
  };
}

function sent({ send, resolve, reject }: Job) {
  return send().then(
    (result) => ({ result, settle: () => resolve(result) }),
    (error: unknown) => ({ result: error, settle: () => reject(error) }),
  );
}

/** The first chat that is ready, in the order of the queues; where none is, the one that will be first. */
function firstReady(
  queues: readonly Queue[],
  roomOf: (queue: Queue, chatId: number, job?: Job) => number,
  now: number,
) {
  let earliest: { readonly queue: Queue; readonly chatId: number; readonly at: number } | undefined;
  for (const queue of queues) {
    for (const [chatId, [job]] of queue.waiting) {
      if (queue.inFlight.has(chatId)) continue;
      const at = roomOf(queue, chatId, job);
      if (at <= now) return { queue, chatId, at };
      if (earliest === undefined || at < earliest.at) earliest = { queue, chatId, at };
    }
  }
  return earliest;
}

interface Chat {
  /** When the chat has room for an alert again. */
  roomAt: number;
  /** The last message that went to it came after a long quiet. */
  wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  heldUntil: number;
}

const unknown: Readonly<Chat> = { roomAt: Number.NEGATIVE_INFINITY, wasQuiet: true, heldUntil: 0 };

function createChats(clock: Clock) {
  const chats = new Map<number, Chat>();
  let allHeldUntil = 0;
  let sweepAt = SWEEP_AT;

  function change(chatId: number, next: Partial<Chat>): void {
    const now = clock.monotonic();
    if (chats.size >= sweepAt && !chats.has(chatId)) {
      for (const [id, { roomAt, heldUntil }] of chats) {
        if (now - roomAt > QUIET_MILLISECONDS && heldUntil <= now) chats.delete(id);
      }
      sweepAt = Math.max(SWEEP_AT, 2 * chats.size);
    }
    chats.set(chatId, { ...of(chatId), ...next });
  }
  const of = (chatId: number): Readonly<Chat> => chats.get(chatId) ?? unknown;

  return {
    of,
    allHeldUntil: () => allHeldUntil,
    /** Notes that a message leaves; what it returns takes that back. */
    take: (chatId: number, now: number): (() => void) => {
      const { roomAt } = of(chatId);
      change(chatId, { roomAt: now + CHAT_SPACING_MILLISECONDS, wasQuiet: now - roomAt > QUIET_MILLISECONDS });
      return () => change(chatId, { roomAt });
    },
    /**
     * Telegram does not say whom a 429 is for, so it means the one chat. Two people's chats at a time that had got nothing for
     * long prove that it means all; groups have limits of their own and prove nothing.
     */
    holdBack: (chatId: number, seconds: number): void => {
      const now = clock.monotonic();
      const held = (most: number): number => now + Math.min(seconds * 1000, most);
      const proves = (id: number, { wasQuiet }: Chat): boolean => id > 0 && wasQuiet;
      const isProven =
        proves(chatId, of(chatId)) &&
        [...chats].some(([id, other]) => id !== chatId && other.heldUntil > now && proves(id, other));
      change(chatId, { heldUntil: Math.max(of(chatId).heldUntil, held(LONGEST_HOLD_MILLISECONDS)) });
      if (isProven) allHeldUntil = Math.max(allHeldUntil, held(LONGEST_HOLD_FOR_ALL_MILLISECONDS));
    },
  };
}
