import { pauseAfter, type Clock } from "../../clock.js";
import { MAX_WAIT_MS } from "./outbox-turns.js";
import { deliveryFailureOf, floodSeconds } from "./telegram-errors.js";

/** A refusal is repeated at least this long afterwards before it is believed. */
export const REPEATED_AFTER_MS = 2000;
const DOUBT_MS = REPEATED_AFTER_MS + 100;
/** Pauses between two attempts to send the same. */
export const BACK_OFF = { first: 1000, longest: 60_000 };

/** Milliseconds to wait after a failure to send. A refusal counts only if it is repeated after {@link REPEATED_AFTER_MS}. */
export function pauseFor(err: unknown, failures: number): number {
  const seconds = floodSeconds(err);
  const backOff = Math.max(pauseAfter(failures + 1, BACK_OFF), deliveryFailureOf(err) === "passing" ? 0 : DOUBT_MS);
  return Math.min(seconds === undefined ? backOff : seconds * 1000, MAX_WAIT_MS);
}

/** Refusals to remember; after a forgotten one, Telegram is asked once more. */
const MAX_DOUBTED = 10_000;

/** How sending has ended lately, to tell a refusal of one message from trouble at Telegram. */
export interface SendOutcomes {
  /** Telegram took a message, for whomever. */
  readonly noteAccepted: () => void;
  /** Telegram refused a message to this chat, or gave no answer. */
  readonly noteFailed: (chatId: number) => void;
  /**
   * Whether a refusal is about this user or row. It is if Telegram repeats it and has taken a message in between, or
   * has not refused anybody else.
   */
  readonly isBelieved: (about: string) => boolean;
  /** It was sent. */
  readonly forget: (about: string) => void;
}

/**
 * How sends end, which tells what Telegram says of one user or message from an outage. While every send fails, within
 * two seconds and for more than one chat, no refusal says anything about anybody, whatever its words.
 */
export function createSendOutcomes({ clock }: { readonly clock: Pick<Clock, "monotonic"> }): SendOutcomes {
  let acceptedAt = Number.NEGATIVE_INFINITY;
  /** The last failure since then. */
  let failed: { readonly chatId: number; readonly at: number } | undefined;
  let isOut = false;
  /** When each user or row was last refused. */
  const doubted = new Map<string, number>();

  return {
    noteAccepted: (): void => {
      [acceptedAt, failed, isOut] = [clock.monotonic(), undefined, false];
    },
    noteFailed: (chatId: number): void => {
      const at = clock.monotonic();
      isOut ||= failed !== undefined && failed.chatId !== chatId && at - failed.at <= REPEATED_AFTER_MS;
      failed = { chatId, at };
    },
    isBelieved: (about: string): boolean => {
      const now = clock.monotonic();
      const since = doubted.get(about);
      if (since !== undefined && now - since < REPEATED_AFTER_MS) return false;
      doubted.delete(about);
      if (since !== undefined && (acceptedAt > since || !isOut)) return true;
      doubted.set(about, now);
      const [oldest = about] = doubted.keys();
      if (doubted.size > MAX_DOUBTED) doubted.delete(oldest);
      return false;
    },
    forget: (about: string): void => void doubted.delete(about),
  };
}
