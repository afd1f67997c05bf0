import { setMaxListeners } from "node:events";
import type { Clock } from "../../clock.js";
import { floodSeconds, tooManyRequests } from "../clients/telegram-errors.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { createRateLimit } from "../limits/rate.js";

/** Below Telegram's 30, since what leaves evenly may arrive a little less evenly. */
const PER_SECOND = 28.8;
/** The most in any second, while catching up. */
const MAX_PER_SECOND = 29;
/** A burst of replies makes alerts wait for this long at most. */
const MAX_DEBT_MS = 1000;
/** So many alerts a second leave however many replies do: nobody's flood silences them. */
const ALERTS_PER_SECOND = PER_SECOND / 3;
/** When Telegram hangs, no more alerts than this hang with it. */
const MAX_IN_FLIGHT = 30;
/** Somebody who waits for a reply is told sooner that there is none. */
const MAX_WAIT_OF_REPLY_MS = 30_000;
/** A person who goes on asking puts their own alerts off by no more than this. */
const MAX_WAIT_BEHIND_REPLIES_MS = 5000;

export type Pacer = ReturnType<typeof createPacer>;

/** Everything that goes to chats, at a pace that Telegram bears. */
export function createPacer({ clock }: { readonly clock: Clock }) {
  const chats = createChats(clock);
  const rate = createRateLimit(PER_SECOND, MAX_PER_SECOND, MAX_DEBT_MS);
  const alertRate = createRateLimit(ALERTS_PER_SECOND, undefined, MAX_DEBT_MS);
  const changeRate = createRateLimit(PER_SECOND, MAX_PER_SECOND);
  const asked = createKeyedQueue();

  const edit = <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> =>
    asked.take(chatId, async () => {
      for (;;) {
        await chats.until(() => chats.notLong(chats.heldUntil(chatId)));
        const attempt = send();
        if (!(await chats.isRefused(chatId, attempt)) || chats.isLong(chats.heldUntil(chatId))) return attempt;
      }
    });

  return {
    /**
     * Goes at once, before all alerts; what was asked for in a chat leaves in its order, each once the one before was answered. After
     * a 429, `send` is called again. @throws a 429, and nothing leaves, where Telegram asks for more than half a minute.
     */
    reply: <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> =>
      edit(chatId, () => {
        const now = clock.monotonic();
        // It waits for no even pace, but takes its place in it: the alerts behind it leave so much later, up to their share.
        chats.take(chatId, now);
        rate.take(now);
        return send();
      }),
    /** As a reply, but no message: it takes no place. */
    edit,
    /** Until the function that it returns is called, replies and edits of this chat pass while Telegram asks all to wait. */
    hurry: chats.hurry,
    /**
     * `send` is called when it may leave, so it can tell the latest; where it resolves to false, its place is another's. @throws a
     * 429, and at once where the chat has to be left alone for more than half a minute.
     */
    alert: createLane(chats, clock, [rate, alertRate], true),
    /** As an alert, but it changes a message, in an even pace of its own: cards that ended at once don't hold up alerts. */
    change: createLane(chats, clock, [changeRate], false),
    stop: chats.stop,
  };
}

/** Where nobody waits for an answer: each leaves once its chat has room and one of the rates allows it. */
function createLane(chats: Chats, clock: Clock, rates: ReturnType<typeof createRateLimit>[], isSpaced: boolean) {
  const [inFlight, turns] = [createKeyedQueue(MAX_IN_FLIGHT), createKeyedQueue(1)];

  return async <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> => {
    const askedAt = clock.monotonic();
    const readyAt = (): number => {
      const { heldUntil: ownHeldUntil, roomAt, alertedAt } = chats.of(chatId);
      // What all have to wait for, it waits for, too: it would only be put off, in a write.
      chats.notLong(ownHeldUntil);
      const heldUntil = chats.heldUntil(chatId);
      const latestAt = Math.max(askedAt, alertedAt, heldUntil) + MAX_WAIT_BEHIND_REPLIES_MS;
      // Replies that waited as well go first.
      return Math.max(isSpaced ? Math.min(roomAt, latestAt) : 0, heldUntil + 1);
    };
    const takePlaces = async () => {
      await chats.until(() => Math.min(...rates.map(({ earliest }) => earliest())));
      const now = clock.monotonic();
      if (readyAt() > now) return undefined;
      return [...(isSpaced ? [chats.take(chatId, now, now)] : []), ...rates.map(({ take }) => take(now))];
    };
    const attempt = async () => {
      const places = await turns.take(chatId, takePlaces);
      if (places === undefined) return undefined;
      const sent = send();
      await chats.isRefused(chatId, sent);
      const result = await sent;
      if (result === false) for (const giveBack of places) giveBack();
      return { result };
    };
    for (;;) {
      await chats.until(readyAt);
      const sent = await inFlight.take(chatId, attempt);
      if (sent !== undefined) return sent.result;
    }
  };
}

const SPACING_MS = 1000;
/** What Telegram asks for is waited out whole; waits of hours were seen, and a longer one than this is absurd. */
const MAX_HOLD_MS = 86_400_000;
/** Two chats refused within so long of each other can mean all. */
const TOGETHER_MS = 1000;
/** A chat that got nothing for this long cannot have had too much. */
const QUIET_MS = 60_000;
/** When this many chats are known, those that need no spacing any more are forgotten; and when the rest have doubled, again. */
const SWEEP_AT = 10_000;

interface Chat {
  /** When the chat has room for an alert again. */
  readonly roomAt: number;
  /** When its last alert left. */
  readonly alertedAt: number;
  /** The last message that went to it came after a long quiet. */
  readonly wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  readonly heldUntil: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
const unknown: Chat = { roomAt: NEVER, alertedAt: NEVER, wasQuiet: true, heldUntil: NEVER };

type Chats = ReturnType<typeof createChats>;

/** When each chat may get something; all times are the monotonic clock's. */
function createChats(clock: Clock) {
  const chats = new Map<number, Chat>();
  /** The chats of confirmed cards that are being sent, once for each. */
  const hurried: number[] = [];
  let allHeldUntil = NEVER;
  let sweepAt = SWEEP_AT;
  /** The last refusal of a private chat that had been quiet. */
  let refused = { chatId: 0, at: NEVER, heldUntil: NEVER };
  const { until, wake, stop } = createWaiting(clock);
  const of = (chatId: number): Chat => chats.get(chatId) ?? unknown;

  function change(chatId: number, next: Partial<Chat>): void {
    const now = clock.monotonic();
    if (chats.size >= sweepAt && !chats.has(chatId)) {
      for (const [id, { roomAt, heldUntil }] of chats) {
        if (now - roomAt > QUIET_MS && heldUntil <= now) chats.delete(id);
      }
      sweepAt = Math.max(SWEEP_AT, 2 * chats.size);
    }
    chats.set(chatId, { ...of(chatId), ...next });
  }

  /**
   * Telegram does not say whom a 429 is for, so it means the one chat, for as long as it asks. Two private chats that had got
   * nothing for long, refused within a second, prove that it means all, for the shorter of both waits. Groups have limits of
   * their own, and who floods the bot is seldom quiet: they prove nothing.
   */
  function holdBack(chatId: number, seconds: number): void {
    const at = clock.monotonic();
    const heldUntil = at + Math.min(seconds * 1000, MAX_HOLD_MS);
    change(chatId, { heldUntil: Math.max(of(chatId).heldUntil, heldUntil) });
    if (chatId < 0 || !of(chatId).wasQuiet) return;
    if (refused.chatId !== chatId && at - refused.at <= TOGETHER_MS)
      allHeldUntil = Math.max(allHeldUntil, Math.min(heldUntil, refused.heldUntil));
    refused = { chatId, at, heldUntil };
  }

  const isLong = (heldUntil: number): boolean => heldUntil - clock.monotonic() > MAX_WAIT_OF_REPLY_MS;

  return {
    of,
    until,
    stop,
    isLong,
    heldUntil: (chatId: number): number =>
      Math.max(of(chatId).heldUntil, hurried.includes(chatId) ? NEVER : allHeldUntil),
    /** @throws a 429 for what would have to wait for too long. */
    notLong: (heldUntil: number): number => {
      if (isLong(heldUntil)) throw tooManyRequests((heldUntil - clock.monotonic()) / 1000);
      return heldUntil;
    },
    /** From now on until what it returns is called, what holds back all doesn't hold back this chat. */
    hurry: (chatId: number): (() => void) => {
      hurried.push(chatId);
      wake();
      return () => void hurried.splice(hurried.indexOf(chatId), 1);
    },
    /** Notes that a message leaves, or an alert; what it returns takes that back. */
    take: (chatId: number, now: number, alertedAt = of(chatId).alertedAt): (() => void) => {
      const before = of(chatId);
      change(chatId, { roomAt: now + SPACING_MS, alertedAt, wasQuiet: now - before.roomAt > QUIET_MS });
      return () => change(chatId, { roomAt: before.roomAt, alertedAt: before.alertedAt });
    },
    /** Notes what Telegram asks for. @returns whether it refused. */
    isRefused: async (chatId: number, attempt: Promise<unknown>): Promise<boolean> => {
      const seconds = floodSeconds(await attempt.catch((error: unknown) => error));
      if (seconds !== undefined) holdBack(chatId, seconds);
      return seconds !== undefined;
    },
  };
}

function createWaiting(clock: Clock) {
  let isStopped = false;
  let woken = signalForAll();

  /** Has all that waits ask again how long. */
  function wake(): void {
    woken.abort();
    woken = signalForAll();
  }

  return {
    wake,
    /** Waits until a time that is asked for again after each wait. @throws what `at` throws. */
    until: async (at: () => number): Promise<void> => {
      for (;;) {
        if (isStopped) throw new Error("the pacer has stopped");
        const wait = at() - clock.monotonic();
        if (wait <= 0) return;
        await clock.sleep(Math.max(1, wait), woken.signal).catch(() => undefined);
      }
    },
    stop: (): void => {
      isStopped = true;
      wake();
    },
  };
}

/** However many wait, each listens to it. */
function signalForAll(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
