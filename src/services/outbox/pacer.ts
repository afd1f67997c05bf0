import { setMaxListeners } from "node:events";
import type { Clock } from "../../clock.js";
import { floodSeconds, tooManyRequests } from "../clients/telegram-errors.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { createRateLimit } from "../limits/rate.js";

/** Below Telegram's 30, since messages sent evenly may arrive less evenly. */
const PER_SECOND = 28.8;
/** Maximum in any second while catching up. */
const MAX_PER_SECOND = 29;
/** Maximum delay that a burst of replies causes alerts. */
const MAX_DEBT_MS = 1000;
/** Minimum rate of alerts, however many replies are sent: nobody's flood silences them. */
const ALERTS_PER_SECOND = PER_SECOND / 3;
/** Maximum number of alerts that hang if Telegram hangs. */
const MAX_IN_FLIGHT = 30;
/** A reply that would have to wait longer fails at once, so that the user learns sooner. */
const MAX_WAIT_OF_REPLY_MS = 30_000;
/** Maximum delay that replies to a user cause the same user's alerts. */
const MAX_WAIT_BEHIND_REPLIES_MS = 5000;

export type Pacer = ReturnType<typeof createPacer>;

/** Sends everything that goes to chats at a pace within Telegram's limits. */
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
     * Sent at once, ahead of all alerts, but in order within a chat: each waits for the answer to the one before.
     * Retried after a 429. @throws a 429, sending nothing, if Telegram asks to wait more than half a minute.
     */
    reply: <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> =>
      edit(chatId, () => {
        const now = clock.monotonic();
        // Doesn't wait its turn, but takes one: later alerts are delayed accordingly, down to their own rate.
        chats.take(chatId, now);
        rate.take(now);
        return send();
      }),
    /** Like a reply, but it isn't a new message, so it doesn't count towards the rate. */
    edit,
    /** Until the returned function is called, replies and edits in this chat pass a hold on all chats. */
    hurry: chats.hurry,
    /**
     * `send` is called when the alert may be sent, so it can report the latest; if it resolves to false, its slot is
     * reused. @throws a 429, and at once if the chat has to be left alone for more than half a minute.
     */
    alert: createLane(chats, clock, [rate, alertRate], true),
    /** Like an alert, but edits a message, at a separate rate: many cards that end at once don't hold up alerts. */
    change: createLane(chats, clock, [changeRate], false),
    stop: chats.stop,
  };
}

/** For messages that nobody waits for: each is sent once its chat has room and one of the rates allows it. */
function createLane(chats: Chats, clock: Clock, rates: ReturnType<typeof createRateLimit>[], isSpaced: boolean) {
  const [inFlight, turns] = [createKeyedQueue(MAX_IN_FLIGHT), createKeyedQueue(1)];

  return async <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> => {
    const askedAt = clock.monotonic();
    const readyAt = (): number => {
      const { heldUntil: ownHeldUntil, roomAt, alertedAt } = chats.of(chatId);
      // Fails only for the chat's own hold; it waits out one on all chats, since failing would only cost a write.
      chats.notLong(ownHeldUntil);
      const heldUntil = chats.heldUntil(chatId);
      const latestAt = Math.max(askedAt, alertedAt, heldUntil) + MAX_WAIT_BEHIND_REPLIES_MS;
      // Replies that were held as well go first.
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
/** Waits that Telegram asks for are observed in full. Hours have been seen; more than this would be absurd. */
const MAX_HOLD_MS = 86_400_000;
/** Two chats refused within this time can mean all chats. */
const TOGETHER_MS = 1000;
/** A chat that was sent nothing for this long can't have exceeded its limit. */
const QUIET_MS = 60_000;
/** Number of known chats at which those that need no spacing are forgotten; repeated when the rest have doubled. */
const SWEEP_AT = 10_000;

interface Chat {
  /** When the chat has room for an alert again. */
  readonly roomAt: number;
  /** When its last alert was sent. */
  readonly alertedAt: number;
  /** The last message to it followed a long silence. */
  readonly wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  readonly heldUntil: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
const unknown: Chat = { roomAt: NEVER, alertedAt: NEVER, wasQuiet: true, heldUntil: NEVER };

type Chats = ReturnType<typeof createChats>;

/** When each chat may be sent something. All times are from the monotonic clock. */
function createChats(clock: Clock) {
  const chats = new Map<number, Chat>();
  /** The chats of confirmed cards that are being sent, one entry each. */
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
   * Telegram doesn't say what a 429 is for, so it is taken to mean the one chat. If two private chats are refused
   * within a second after a long silence, it means all chats, for the shorter of both waits. Groups have limits of
   * their own, and those who flood the bot are seldom silent: neither proves anything.
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
    /** @throws a 429 if that is too long to wait. */
    notLong: (heldUntil: number): number => {
      if (isLong(heldUntil)) throw tooManyRequests((heldUntil - clock.monotonic()) / 1000);
      return heldUntil;
    },
    /** Exempts this chat from holds on all chats until the returned function is called. */
    hurry: (chatId: number): (() => void) => {
      hurried.push(chatId);
      wake();
      return () => void hurried.splice(hurried.indexOf(chatId), 1);
    },
    /** Records that a message, or an alert, is sent. @returns a function that undoes this. */
    take: (chatId: number, now: number, alertedAt = of(chatId).alertedAt): (() => void) => {
      const before = of(chatId);
      change(chatId, { roomAt: now + SPACING_MS, alertedAt, wasQuiet: now - before.roomAt > QUIET_MS });
      return () => change(chatId, { roomAt: before.roomAt, alertedAt: before.alertedAt });
    },
    /** Records the wait that Telegram asks for. @returns whether it refused. */
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

  /** Makes everything that waits recompute its wait. */
  function wake(): void {
    woken.abort();
    woken = signalForAll();
  }

  return {
    wake,
    /** Waits until the time returned by `at`, which is called again after each wait. @throws what `at` throws. */
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

/** Unlimited listeners, since everything that waits adds one. */
function signalForAll(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
