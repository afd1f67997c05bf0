import type { Update } from "grammy/types";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";
import { waitAfter } from "./back-off.js";
import type { Inbox } from "./inbox.js";
import { createUpdateWindow } from "./update-window.js";

/** An update that takes longer is kept in the inbox, so that it can be confirmed and those behind it are seen. */
const KEEP_AFTER_MILLISECONDS = 200;
/** More slow ones than this mean a busy disk, to which keeping each would only add: they have longer. */
const FEW_SLOW = 16;
const KEEP_MANY_AFTER_MILLISECONDS = 1_000;
/** From one request to the next while updates hold the offset back, if it has moved meanwhile. */
const MOVED_PACE_MILLISECONDS = 50;
/** The same where it has not moved: within half a second Telegram answers a repeated offset with a single update. */
const SAME_PACE_MILLISECONDS = 550;
/** How long the last request may take when the bot stops. */
const CONFIRM_MILLISECONDS = 3_000;
/** Telegram gives no more at once. */
const BATCH_SIZE = 100;

/**
 * Long polling which loses nothing: an update is confirmed to Telegram (by a request with a higher offset) only when it
 * and all before it were handled, or lie in the durable inbox. What Telegram repeats meanwhile is not given out again.
 */
export function createUpdateSource(parts: {
  readonly getUpdates: (
    request: { offset: number; limit: number; timeout: number },
    signal: AbortSignal,
  ) => Promise<readonly Update[]>;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
}) {
  const { getUpdates, inbox, clock, log } = parts;
  const window = createUpdateWindow(BATCH_SIZE);
  /** Ids of updates in the inbox. */
  const kept = new Set<number>();
  let inboxWasRead = false;
  let requested = { offset: 0, at: Number.NEGATIVE_INFINITY };
  /** What Telegram has answered to: a request that was called off may never have reached it. */
  let answered = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  /** Aborted to end a pause. */
  let waking = new AbortController();

  async function keep(update: Update): Promise<void> {
    kept.add(update.update_id);
    await inbox.keep(update);
    window.settle(update.update_id);
    // It may have been handled while it was written.
    if (!kept.has(update.update_id)) await inbox.forget(update.update_id);
  }

  /** Keeps what takes long, and returns whether that worked. */
  async function keepSlow(): Promise<boolean> {
    const now = clock.monotonic();
    const slow = window.unsettledSince(now - KEEP_AFTER_MILLISECONDS);
    const due = slow.length <= FEW_SLOW ? slow : window.unsettledSince(now - KEEP_MANY_AFTER_MILLISECONDS);
    try {
      await Promise.all(due.map(keep));
      return true;
    } catch (error) {
      log.error({ reason: error }, "A slow update could not be kept; it holds up those behind it");
      return false;
    }
  }

  /** Waits while a request would bring little but repeats. */
  async function pace(signal: AbortSignal): Promise<void> {
    let inboxWorks = true;
    while (!window.isWorthAsking() && !signal.aborted) {
      if (inboxWorks) inboxWorks = await keepSlow();
      const moved = window.offset() !== requested.offset;
      const wait = requested.at + (moved ? MOVED_PACE_MILLISECONDS : SAME_PACE_MILLISECONDS) - clock.monotonic();
      if (wait <= 0) return;
      await pause(Math.min(wait, MOVED_PACE_MILLISECONDS), signal);
    }
  }

  /** Waits this long, or until a request is worthwhile. */
  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    waking = new AbortController();
    const end = () => waking.abort();
    // Not by AbortSignal.any: the program's own signal would keep one of its kind for each pause.
    signal.addEventListener("abort", end);
    await clock.sleep(milliseconds, waking.signal).catch(() => undefined);
    signal.removeEventListener("abort", end);
  }

  return {
    /**
     * Updates that were not given out before, at most `limit` of them; none when nothing is new.
     * @throws Fault `service-unauthorized`, and the signal's reason when it is aborted.
     */
    next: async (limit: number, signal: AbortSignal): Promise<Update[]> => {
      if (!inboxWasRead) {
        const left = await inbox.left();
        inboxWasRead = true;
        for (const update of left) kept.add(update.update_id);
        if (left.length > 0) return left;
      }
      await pace(signal);
      signal.throwIfAborted();
      requested = { offset: window.offset(), at: clock.monotonic() };
      try {
        const batch = await getUpdates(
          { offset: requested.offset, limit: BATCH_SIZE, timeout: LONG_POLL_SECONDS },
          signal,
        );
        failures = 0;
        answeredAt = clock.monotonic();
        answered = requested.offset;
        window.confirmed(requested.offset);
        // A server that does not hold a poll until something comes would be asked without a pause.
        const early = requested.at + MOVED_PACE_MILLISECONDS - answeredAt;
        if (batch.length === 0 && early > 0) await clock.sleep(early, signal).catch(() => undefined);
        return window.take(batch, limit, answeredAt);
      } catch (error) {
        signal.throwIfAborted();
        await waitAfter(error, ++failures, { clock, log, signal });
        return [];
      }
    },
    /** To be called when an update was handled, whatever came of it. */
    handled: async (updateId: number): Promise<void> => {
      window.settle(updateId);
      // Aborting again would make another error, which costs more than all else here.
      if (!waking.signal.aborted && window.isWorthAsking()) waking.abort();
      if (kept.delete(updateId)) await inbox.forget(updateId);
    },
    /** Tells Telegram what was handled since the last request. */
    confirm: async (): Promise<void> => {
      if (window.offset() === answered) return;
      await getUpdates({ offset: window.offset(), limit: 1, timeout: 0 }, AbortSignal.timeout(CONFIRM_MILLISECONDS));
    },
    /** When Telegram answered last, by the monotonic clock; minus infinity until it does. */
    lastAnswerAt: () => answeredAt,
  };
}
