import type { Clock } from "../../clock.js";
import { createRateLimit } from "../limits/rate.js";
import { floodSeconds, tooManyRequests } from "../clients/telegram-errors.js";
import { createChats } from "./chats.js";

/** Below Telegram's 30, since what leaves evenly may arrive a little less evenly. */
const PER_SECOND = 28.8;
/** The most in any second, while catching up. */
const MAX_PER_SECOND = 29;
/** A burst of replies makes alerts wait for this long at most. */
const MAX_DEBT_MS = 1000;
/** So many alerts a second leave however many replies do: nobody's flood silences them. */
const ALERTS_PER_SECOND = PER_SECOND / 3;
/** When Telegram hangs, no more alerts than this hang with it. */
const MAX_ALERTS_IN_FLIGHT = 30;
/** Somebody who waits for a reply is told sooner that there is none. */
const MAX_WAIT_OF_REPLY_MS = 30_000;
/** A person who goes on asking puts their own alerts off by no more than this. */
const MAX_WAIT_BEHIND_REPLIES_MS = 5000;

interface Job {
  /** Since when it is the next one of its chat. */
  readonly firstSince: number;
  readonly send: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  /** Nobody waits for it: what can't leave soon is put off by its caller. */
  readonly isLater: boolean;
  /** Jobs by chat; the chat that was served last stands last. */
  readonly waiting: Map<number, Job[]>;
  readonly inFlight: Set<number>;
}

/** Everything that goes to chats, at a pace that Telegram bears. Within a chat one follows the other. */
export interface Pacer {
  /**
   * Goes at once, before all alerts. After a 429, `send` is called again; where Telegram asks for more than half a minute, and for
   * what is meant for the chat meanwhile, a 429 is the answer, and nothing leaves.
   */
  readonly reply: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** As a reply, but no message: it waits for no pace. */
  readonly edit: <Result>(chatId: number, send: () => Promise<Result>) => Promise<Result>;
  /** Until the function that it returns is called, replies and edits of this chat pass while Telegram asks all to wait. */
  readonly hurry: (chatId: number) => () => void;
  /**
   * `send` is called when it may leave, so it can tell the latest; where it resolves to false, its place is another's. @throws a
   * 429, at once where the chat has to be left alone for more than half a minute.
   */
  readonly alert: <Result>(chatId: number, send: () => Promise<Result | false>) => Promise<Result | false>;
  /** As an alert, but it changes a message, in an even pace of its own: cards that ended at once don't hold up alerts. */
  readonly change: Pacer["alert"];
  readonly stop: () => void;
}

export function createPacer({ clock }: { readonly clock: Clock }): Pacer {
  const pacing = createPacing(clock);
  const { rate, share, chats, replies, edits, changes, alerts } = pacing;
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
      for (let next = nextReady(pacing, now); next !== undefined; next = nextReady(pacing, now)) {
        // A reply waits for no even pace, but it takes its place in it: the alerts behind it leave so much later, up to their share.
        const paced = next.queue === alerts ? Math.min(rate.earliest(), share.earliest()) : now;
        const at = Math.max(next.at, paced);
        if (at > now) {
          cancelTimer = clock.timer(Math.max(1, at - now), look);
          return;
        }
        void begin(next.queue, next.chatId, now);
      }
    });
  }

  async function begin(from: Queue, chatId: number, now: number): Promise<void> {
    const [job, following, ...others] = from.waiting.get(chatId) ?? [];
    from.waiting.delete(chatId);
    if (job === undefined) return;
    if (following !== undefined) from.waiting.set(chatId, [{ ...following, firstSince: now }, ...others]);
    const leaves = takePlaces(pacing, from, chatId, now);
    // Edits to one chat may overtake each other, as their callers wait for each.
    if (from !== edits) from.inFlight.add(chatId);
    const { result, settle } = await sent(job);
    const seconds = floodSeconds(result);
    if (seconds !== undefined) chats.holdBack(chatId, seconds);
    const isWaitedFor = seconds !== undefined && !from.isLater && !isGivenBack(pacing, from, chatId);
    if (!isWaitedFor || isStopped) settle();
    else from.waiting.set(chatId, [job, ...(from.waiting.get(chatId) ?? [])]);
    if (seconds !== undefined) giveBackAll(pacing, chatId);
    if (result === false) for (const takeBack of leaves) takeBack();
    from.inFlight.delete(chatId);
    look();
  }

  function enqueue<Result>(into: Queue, chatId: number, send: () => Promise<Result>): Promise<Result> {
    if (isStopped) return Promise.reject(new Error("the pacer has stopped"));
    return new Promise<Result>((resolve, reject) => {
      const job = { firstSince: clock.monotonic(), send, resolve: resolve as (result: unknown) => void, reject };
      if (isGivenBack(pacing, into, chatId)) giveBack(pacing, into, chatId, job);
      else into.waiting.set(chatId, [...(into.waiting.get(chatId) ?? []), job]);
      look();
    });
  }

  return {
    reply: (chatId, send) => enqueue(replies, chatId, send),
    edit: (chatId, send) => enqueue(edits, chatId, send),
    hurry: chats.hurry,
    change: (chatId, send) => enqueue(changes, chatId, send),
    alert: (chatId, send) => enqueue(alerts, chatId, send),
    stop: () => {
      isStopped = true;
      cancelTimer();
      [replies, edits, changes, alerts].forEach(empty);
    },
  };
}

type Pacing = ReturnType<typeof createPacing>;

/** What waits, and what limits it. */
function createPacing(clock: Clock) {
  const queue = (isLater: boolean): Queue => ({ isLater, waiting: new Map(), inFlight: new Set() });
  return {
    clock,
    rate: createRateLimit(PER_SECOND, MAX_PER_SECOND, MAX_DEBT_MS),
    /** Of alerts alone. */
    share: createRateLimit(ALERTS_PER_SECOND, undefined, MAX_DEBT_MS),
    chats: createChats(clock),
    replies: queue(false),
    edits: queue(false),
    changes: queue(true),
    /** Of changes, which take nothing from alerts. */
    changeRate: createRateLimit(PER_SECOND, MAX_PER_SECOND),
    alerts: queue(true),
  };
}

/** Notes that something leaves; what it returns takes that back. */
function takePlaces(p: Pacing, from: Queue, chatId: number, now: number): readonly (() => void)[] {
  if (from === p.edits) return [];
  if (from === p.changes) return [p.changeRate.take(now)];
  const leaves = [p.chats.take(chatId, now), p.rate.take(now)];
  return from === p.alerts ? [...leaves, p.share.take(now)] : leaves;
}

function empty({ waiting }: Queue): void {
  for (const job of [...waiting.values()].flat()) job.reject(new Error("the pacer has stopped"));
  waiting.clear();
}

/** The first chat that is ready, in the order of the queues; where none is, the one that will be first. */
function nextReady({ chats, replies, edits, changes, changeRate, alerts }: Pacing, now: number) {
  const roomOf = (queue: Queue, chatId: number, job?: Job): number => {
    const heldUntil = chats.heldUntil(chatId);
    if (queue === changes) return Math.max(heldUntil, changeRate.earliest());
    if (queue !== alerts) return heldUntil;
    const spacedAt = Math.min(chats.roomAt(chatId), (job?.firstSince ?? 0) + MAX_WAIT_BEHIND_REPLIES_MS);
    return Math.max(spacedAt, heldUntil);
  };
  const room = alerts.inFlight.size < MAX_ALERTS_IN_FLIGHT ? [alerts] : [];
  let earliest: { readonly queue: Queue; readonly chatId: number; readonly at: number } | undefined;
  for (const queue of [replies, edits, changes, ...room]) {
    for (const [chatId, [job]] of queue.waiting) {
      if (queue.inFlight.has(chatId)) continue;
      const at = roomOf(queue, chatId, job);
      if (at <= now) return { queue, chatId, at };
      if (earliest === undefined || at < earliest.at) earliest = { queue, chatId, at };
    }
  }
  return earliest;
}

/** Alerts wait for what all have to wait for: they would only be put off, each in a write. */
function isGivenBack({ clock, chats }: Pacing, { isLater }: Queue, chatId: number): boolean {
  const until = isLater ? chats.ownHeldUntil(chatId) : chats.heldUntil(chatId);
  return until - clock.monotonic() > MAX_WAIT_OF_REPLY_MS;
}

function giveBack({ clock, chats }: Pacing, { isLater }: Queue, chatId: number, { resolve, reject }: Job): void {
  const refusal = tooManyRequests((chats.heldUntil(chatId) - clock.monotonic()) / 1000);
  if (isLater) reject(refusal);
  else resolve(refusal.answer);
}

function giveBackAll(pacing: Pacing, chatId: number): void {
  for (const queue of [pacing.replies, pacing.edits, pacing.changes, pacing.alerts]) {
    if (!isGivenBack(pacing, queue, chatId)) continue;
    for (const job of queue.waiting.get(chatId) ?? []) giveBack(pacing, queue, chatId, job);
    queue.waiting.delete(chatId);
  }
}

function sent({ send, resolve, reject }: Job) {
  return send().then(
    (result) => ({ result, settle: () => resolve(result) }),
    (error: unknown) => ({ result: error, settle: () => reject(error) }),
  );
}
