import { DAY_MS } from "../../clock.js";
import { setMaxListeners } from "node:events";
import { GrammyError } from "grammy";
import type { Clock } from "../../clock.js";
import { floodSeconds, tooManyRequests } from "./telegram-errors.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { createRateLimit, type RateLimit } from "../base/rate.js";
import { createHoldOnAll, NEVER } from "./hold-on-all.js";

/** Below Telegram's 30, since messages sent evenly may arrive less evenly. */
const MESSAGES_PER_SECOND = 28.8;
/** Maximum in any second while catching up. */
const MAX_PER_SECOND = 29;
/** Maximum delay that a burst of replies causes alerts. */
const MAX_DEBT_MS = 1000;
/** Minimum rate of alerts, however many replies are sent: nobody's flood silences them. */
const ALERTS_PER_SECOND = MESSAGES_PER_SECOND / 3;
/** Maximum number of alerts that hang if Telegram hangs. */
const MAX_IN_FLIGHT = 30;
/** A reply that would have to wait longer fails at once, so that the user learns sooner. */
const MAX_WAIT_OF_REPLY_MS = 30_000;
/** Maximum delay that replies to a user cause the same user's alerts. */
const MAX_WAIT_BEHIND_REPLIES_MS = 5000;

/** The pace at which Telegram takes messages: replies first, alerts in the room that they leave. */
export interface Pacer {
  /**
   * Sent at once, ahead of all alerts, but in order within a chat: each waits for the answer to the one before.
   * Retried after a 429. @throws a 429, sending nothing, if Telegram asks to wait more than half a minute.
   */
  readonly reply: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** Like a reply, but it isn't a new message, so it doesn't count towards the rate. */
  readonly edit: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** Until the returned function is called, replies and edits in this chat pass a hold on all chats. */
  readonly hurry: (chatId: number) => () => void;
  /**
   * `send` is called when the alert may be sent, so it can report the latest; if it resolves to false, its slot is
   * reused. @throws a 429, and at once if the chat has to be left alone for more than half a minute.
   */
  readonly alert: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** Like an alert, but edits a message, at a separate rate: many cards that end at once don't hold up alerts. */
  readonly change: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** Nothing waits any more afterwards. */
  readonly stop: () => void;
}

/** Sends everything that goes to chats at a pace within Telegram's limits. */
export function createPacer({ clock }: { readonly clock: Clock }): Pacer {
  const chats = createChats(clock);
  const rate = createRateLimit(MESSAGES_PER_SECOND, MAX_PER_SECOND, MAX_DEBT_MS);
  const alertRate = createRateLimit(ALERTS_PER_SECOND, undefined, MAX_DEBT_MS);
  const changeRate = createRateLimit(MESSAGES_PER_SECOND, MAX_PER_SECOND);
  const asked = createKeyedQueue();

  const edit = <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> =>
    asked.take(chatId, async () => {
      for (;;) {
        await chats.until(() => chats.notLong(chats.heldUntil(chatId)));
        // Somebody else's request may have begun to probe meanwhile.
        if (chats.heldUntil(chatId) > clock.monotonic()) continue;
        const isRefused = chats.begin(chatId);
        const attempt = send();
        if (!(await isRefused(attempt)) || chats.isLong(chats.heldUntil(chatId))) return attempt;
      }
    });

  return {
    reply: <Result>(chatId: number, send: () => Promise<Result>): Promise<Result> =>
      edit(chatId, () => {
        const now = clock.monotonic();
        // Doesn't wait its turn, but takes one: later alerts are delayed accordingly, down to their own rate.
        chats.take(chatId, now);
        rate.take(now);
        return send();
      }),
    edit,
    hurry: chats.hurry,
    alert: createLane(chats, clock, [rate, alertRate], true),
    change: createLane(chats, clock, [changeRate], false),
    stop: chats.stop,
  };
}

/** For messages that nobody waits for: each is sent once its chat has room and one of the rates allows it. */
function createLane(chats: Chats, clock: Clock, rates: RateLimit[], isSpaced: boolean) {
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
      const places = [...(isSpaced ? [chats.take(chatId, now, now)] : []), ...rates.map(({ take }) => take(now))];
      return { places, isRefused: chats.begin(chatId) };
    };
    const attempt = async () => {
      const turn = await turns.take(chatId, takePlaces);
      if (turn === undefined) return undefined;
      const sent = send();
      await turn.isRefused(sent);
      const result = await sent;
      if (result === false) for (const giveBack of turn.places) giveBack();
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
const MAX_HOLD_MS = DAY_MS;
/** A chat that was sent nothing for this long can't have exceeded its limit. */
const QUIET_MS = 60_000;
/** Number of known chats at which those that need no spacing are forgotten; repeated when the rest have doubled. */
const SWEEP_AT = 10_000;

interface Chat {
  /** When the chat has room for an alert again. */
  readonly roomAt: number;
  /** When its last alert was sent. */
  readonly alertedAt: number;
  /** When the last message to it, or edit in it, was sent. */
  readonly askedAt: number;
  /** That one followed a long silence. */
  readonly wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  readonly heldUntil: number;
}

const unknownChat: Chat = { roomAt: NEVER, alertedAt: NEVER, askedAt: NEVER, wasQuiet: true, heldUntil: NEVER };

type Chats = ReturnType<typeof createChats>;

/** When each chat may be sent something. All times are from the monotonic clock. */
function createChats(clock: Clock) {
  const chats = new Map<number, Chat>();
  /** The chats of confirmed cards that are being sent, one entry each. */
  const hurried: number[] = [];
  let sweepAt = SWEEP_AT;
  const { until, wake, stop } = createWaiting(clock);
  const all = createHoldOnAll(clock, wake);
  const of = (chatId: number): Chat => chats.get(chatId) ?? unknownChat;

  function change(chatId: number, next: Partial<Chat>): void {
    const now = clock.monotonic();
    if (chats.size >= sweepAt && !chats.has(chatId)) {
      for (const [id, { askedAt, heldUntil }] of chats) {
        if (now - askedAt > QUIET_MS && heldUntil <= now) chats.delete(id);
      }
      sweepAt = Math.max(SWEEP_AT, 2 * chats.size);
    }
    chats.set(chatId, { ...of(chatId), ...next });
  }

  const isLong = (heldUntil: number): boolean => heldUntil - clock.monotonic() > MAX_WAIT_OF_REPLY_MS;

  return {
    of,
    until,
    stop,
    isLong,
    heldUntil: (chatId: number): number =>
      Math.max(of(chatId).heldUntil, hurried.includes(chatId) ? NEVER : all.heldUntil()),
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
      change(chatId, { roomAt: now + SPACING_MS, alertedAt });
      return () => change(chatId, { roomAt: before.roomAt, alertedAt: before.alertedAt });
    },
    /**
     * Call it for a chat that isn't held, right before its request.
     * @returns what records the request's end, and tells whether Telegram refused it.
     */
    begin: (chatId: number): ((attempt: Promise<unknown>) => Promise<boolean>) => {
      const begunAt = clock.monotonic();
      const { askedAt, wasQuiet } = of(chatId);
      change(chatId, { askedAt: begunAt, wasQuiet: begunAt - askedAt > QUIET_MS });
      const { taken, refused, unknown } = all.begin(chatId);
      return async (attempt) => {
        const outcome = await attempt.catch((error: unknown) => error);
        const seconds = floodSeconds(outcome);
        if (outcome === false) change(chatId, { askedAt, wasQuiet });
        if (seconds === undefined) {
          if (outcome === false || (outcome instanceof Error && !(outcome instanceof GrammyError))) unknown();
          else taken();
          return false;
        }
        const heldUntil = clock.monotonic() + Math.min(seconds * 1000, MAX_HOLD_MS);
        change(chatId, { heldUntil: Math.max(of(chatId).heldUntil, heldUntil) });
        refused(heldUntil, of(chatId).wasQuiet);
        return true;
      };
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
