import type { Clock } from "../../clock.js";
import { createPump } from "../limits/pump.js";
import { createRateLimit } from "../limits/rate.js";
import { floodSeconds } from "../clients/telegram-errors.js";

/** Below Telegram's 30, since what leaves evenly may arrive a little less evenly. */
const PER_SECOND = 28.8;
/** In a second in which late ones are made up for. */
const MOST_IN_A_SECOND = 29;
/** For this long a burst of replies makes alerts wait. */
const LONGEST_DEBT_MILLISECONDS = 1000;
/** So many alerts a second leave however many replies do: nobody's flood silences them. */
const ALERTS_PER_SECOND = PER_SECOND / 3;
const CHAT_SPACING_MILLISECONDS = 1000;
/** When Telegram hangs, no more alerts than this hang with it. */
const MAX_ALERTS_UNDER_WAY = 30;
const LONGEST_WAIT_OF_REPLY_SECONDS = 30;
/** A person who goes on asking puts their own alerts off by no more than this. */
const LONGEST_WAIT_BEHIND_REPLIES_MILLISECONDS = 5000;
/** Whatever a 429 asks for, it is asked again within minutes whether it meant it; all wait for much less. */
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

interface Chat {
  /** When the chat has room for an alert again. */
  roomAt: number;
  /** The last message that went to it came after a long quiet. */
  wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  heldUntil: number;
}

const unknown: Readonly<Chat> = { roomAt: Number.NEGATIVE_INFINITY, wasQuiet: true, heldUntil: 0 };

interface Queue {
  /** Jobs by chat; the chat that was served last stands last. */
  readonly waiting: Map<number, Job[]>;
  readonly underWay: Set<number>;
}

/**
 * Everything that goes to chats, at a pace that Telegram bears. A reply's `send` may be called again when Telegram answers 429,
 * which means that nothing was sent; whatever else becomes of it is the caller's. Within a chat one follows the other.
 */
export type Pacer = ReturnType<typeof createPacer>;

export function createPacer(parts: { readonly clock: Clock }) {
  const { clock } = parts;
  const rate = createRateLimit(PER_SECOND, MOST_IN_A_SECOND, LONGEST_DEBT_MILLISECONDS);
  const share = createRateLimit(ALERTS_PER_SECOND, undefined, LONGEST_DEBT_MILLISECONDS);
  const chats = new Map<number, Chat>();
  const replies: Queue = { waiting: new Map(), underWay: new Set() };
  const alerts: Queue = { waiting: new Map(), underWay: new Set() };
  let allHeldUntil = 0;
  let sweepAt = SWEEP_AT;
  let isStopped = false;

  const pump = createPump(clock, (now) => {
    for (;;) {
      const next = nextReady(now);
      if (next === undefined || next.at > now) return next?.at;
      // A reply waits for no even pace, but it takes its place in it: the alerts behind it leave so much later, up to their share.
      const paced = next.queue === replies ? now : Math.min(rate.earliest(), share.earliest());
      const slot = Math.max(paced, allHeldUntil);
      if (slot > now) return slot;
      void start(next.queue, next.chatId, now);
    }
  });

  /** The first chat that is ready, replies before alerts; where none is, the one that will be first. */
  function nextReady(now: number): { queue: Queue; chatId: number; at: number } | undefined {
    let earliest: ReturnType<typeof nextReady>;
    for (const queue of alerts.underWay.size < MAX_ALERTS_UNDER_WAY ? [replies, alerts] : [replies]) {
      for (const [chatId, [job]] of queue.waiting) {
        if (queue.underWay.has(chatId)) continue;
        const { roomAt, heldUntil } = chats.get(chatId) ?? unknown;
        const spacedAt = Math.min(roomAt, (job?.firstSince ?? 0) + LONGEST_WAIT_BEHIND_REPLIES_MILLISECONDS);
        const at = Math.max(queue === alerts ? spacedAt : 0, heldUntil);
        if (at <= now) return { queue, chatId, at };
        if (earliest === undefined || at < earliest.at) earliest = { queue, chatId, at };
      }
    }
    return earliest;
  }

  async function start(from: Queue, chatId: number, now: number): Promise<void> {
    const [job, following, ...others] = from.waiting.get(chatId) ?? [];
    from.waiting.delete(chatId);
    if (job === undefined) return;
    if (following !== undefined) from.waiting.set(chatId, [{ ...following, firstSince: now }, ...others]);
    const chat = chatOf(chatId);
    const roomBefore = chat.roomAt;
    chat.wasQuiet = now - roomBefore > QUIET_MILLISECONDS;
    chat.roomAt = now + CHAT_SPACING_MILLISECONDS;
    const taken = [rate, ...(from === alerts ? [share] : [])].map((each) => each.take(now));
    from.underWay.add(chatId);
    const { result, settle } = await job.send().then(
      (result) => ({ result, settle: () => job.resolve(result) }),
      (error: unknown) => ({ result: error, settle: () => job.reject(error) }),
    );
    const seconds = floodSeconds(result);
    if (seconds !== undefined) holdBack(chatId, seconds);
    const isWaitedFor = from === replies && seconds !== undefined && seconds <= LONGEST_WAIT_OF_REPLY_SECONDS;
    if (!isWaitedFor || isStopped) settle();
    else from.waiting.set(chatId, [job, ...(from.waiting.get(chatId) ?? [])]);
    if (result === false) {
      chat.roomAt = roomBefore;
      for (const giveBack of taken) giveBack();
    }
    from.underWay.delete(chatId);
    pump.kick();
  }

  /**
   * Telegram does not say whom a 429 is for, so it means the one chat. Two people's chats at a time that had got nothing for
   * long prove that it means all; groups have limits of their own and prove nothing.
   */
  function holdBack(chatId: number, seconds: number): void {
    const now = clock.monotonic();
    const held = (most: number): number => now + Math.min(seconds * 1000, most);
    const chat = chatOf(chatId);
    const proves = (id: number, { wasQuiet }: Chat): boolean => id > 0 && wasQuiet;
    const isForAll =
      proves(chatId, chat) &&
      [...chats].some(([id, other]) => id !== chatId && other.heldUntil > now && proves(id, other));
    chat.heldUntil = Math.max(chat.heldUntil, held(LONGEST_HOLD_MILLISECONDS));
    if (isForAll) allHeldUntil = Math.max(allHeldUntil, held(LONGEST_HOLD_FOR_ALL_MILLISECONDS));
  }

  function chatOf(chatId: number): Chat {
    if (chats.size >= sweepAt && !chats.has(chatId)) sweep();
    const chat = chats.get(chatId) ?? { ...unknown };
    chats.set(chatId, chat);
    return chat;
  }

  function sweep(): void {
    const now = clock.monotonic();
    for (const [chatId, chat] of chats) {
      if (now - chat.roomAt > QUIET_MILLISECONDS && chat.heldUntil <= now) chats.delete(chatId);
    }
    sweepAt = Math.max(SWEEP_AT, 2 * chats.size);
  }

  function enqueue<Result>(into: Queue, chatId: number, send: () => Promise<Result>): Promise<Result> {
    if (isStopped) return Promise.reject(new Error("the pacer has stopped"));
    return new Promise<Result>((resolve, reject) => {
      const job = { firstSince: clock.monotonic(), send, resolve: resolve as (result: unknown) => void, reject };
      into.waiting.set(chatId, [...(into.waiting.get(chatId) ?? []), job]);
      pump.kick();
    });
  }

  return {
    /**
     * Goes before all alerts and at once: people notice a reply that waits, and Telegram lets short bursts pass. A 429 that asks
     * for more than half a minute is handed to the caller.
     */
    reply: <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> => enqueue(replies, chatId, send),
    /**
     * Waits its turn; after a 429, nothing leaves for that chat for as long as Telegram asked. `send` is called when it may leave,
     * so it can tell the latest; where it finds nothing to send it gives false, and its place is another's.
     */
    alert: <Result>(chatId: number, send: () => Promise<Result | false>): Promise<Result | false> =>
      enqueue(alerts, chatId, send),
    /** What still waits is rejected. */
    stop: (): void => {
      isStopped = true;
      pump.stop();
      for (const { waiting } of [replies, alerts]) {
        for (const job of [...waiting.values()].flat()) job.reject(new Error("the pacer has stopped"));
        waiting.clear();
      }
    },
  };
}
