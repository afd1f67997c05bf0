import type { Clock } from "../../clock.js";

export const NEVER = Number.NEGATIVE_INFINITY;
/** Two chats refused within this time can mean all chats. */
const TOGETHER_MS = 1000;
/** After a hold on all chats, the first request has this long before another one probes. */
const PROBE_MS = 3000;

/**
 * Telegram doesn't say what a 429 is for, so it is taken to mean the one chat. If two private chats are refused within a
 * second after a long silence, and no request in between was taken, it means all chats, for the shortest time that was
 * named. Groups have limits of their own, and those who flood the bot are seldom silent: neither proves anything. When
 * the time is over, one request probes: if it is taken, all go on; if two in a row are refused, all wait again.
 */
export function createHoldOnAll(clock: Pick<Clock, "monotonic">, wake: () => void) {
  const nobody = { chatId: 0, at: NEVER, heldUntil: NEVER };
  /** Until when nobody is asked. In the past while it is open who probes, and {@link NEVER} without a hold. */
  let heldUntil = NEVER;
  /** The last refusal of a private chat that had been quiet, unless Telegram has taken a request since. */
  let last = nobody;
  /** The time that was named, if the last request that probed was refused. */
  let namedToProbe: number | undefined;

  function hold(until: number): void {
    heldUntil = until;
    wake();
  }

  return {
    heldUntil: () => heldUntil,
    /** Call it right before a request. @returns functions of which the one is called that says how it ended. */
    begin: (chatId: number) => {
      const begunAt = clock.monotonic();
      const isProbe = heldUntil !== NEVER && heldUntil <= begunAt;
      if (isProbe) heldUntil = begunAt + PROBE_MS;
      return {
        taken: (): void => {
          if (begunAt > last.at) last = nobody;
          if (!isProbe) return;
          namedToProbe = undefined;
          hold(NEVER);
        },
        /** It wasn't sent, or nobody knows. */
        unknown: (): void => {
          if (isProbe) hold(clock.monotonic());
        },
        refused: (named: number, wasQuiet: boolean): void => {
          const at = clock.monotonic();
          if (isProbe) {
            hold(namedToProbe === undefined ? at : Math.min(namedToProbe, named));
            namedToProbe = namedToProbe === undefined ? named : undefined;
            return;
          }
          if (chatId < 0 || !wasQuiet) return;
          if (last.chatId !== chatId && at - last.at <= TOGETHER_MS)
            heldUntil = Math.min(heldUntil === NEVER ? last.heldUntil : heldUntil, named);
          last = { chatId, at, heldUntil: named };
        },
      };
    },
  };
}
