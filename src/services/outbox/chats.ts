import type { Clock } from "../../clock.js";

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
  /** The last message that went to it came after a long quiet. */
  readonly wasQuiet: boolean;
  /** Until when Telegram asked to leave this chat alone. */
  readonly heldUntil: number;
}

const unknown: Chat = { roomAt: Number.NEGATIVE_INFINITY, wasQuiet: true, heldUntil: 0 };

/** When each chat may get something; all times are the monotonic clock's. */
export function createChats(clock: Pick<Clock, "monotonic">) {
  const chats = new Map<number, Chat>();
  /** How many confirmed cards of each chat are being sent. */
  const hurried = new Map<number, number>();
  let allHeldUntil = 0;
  let sweepAt = SWEEP_AT;
  /** The last refusal of a private chat that had been quiet. */
  let refused = { chatId: 0, at: Number.NEGATIVE_INFINITY, until: 0 };
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

  return {
    roomAt: (chatId: number): number => of(chatId).roomAt,
    ownHeldUntil: (chatId: number): number => of(chatId).heldUntil,
    heldUntil: (chatId: number): number => Math.max(of(chatId).heldUntil, hurried.has(chatId) ? 0 : allHeldUntil),
    /** From now on until what it returns is called, what holds back all doesn't hold back this chat. */
    hurry: (chatId: number): (() => void) => {
      hurried.set(chatId, (hurried.get(chatId) ?? 0) + 1);
      return () => {
        const others = (hurried.get(chatId) ?? 1) - 1;
        if (others > 0) hurried.set(chatId, others);
        else hurried.delete(chatId);
      };
    },
    /** Notes that a message leaves; what it returns takes that back. */
    take: (chatId: number, now: number): (() => void) => {
      const { roomAt } = of(chatId);
      change(chatId, { roomAt: now + SPACING_MS, wasQuiet: now - roomAt > QUIET_MS });
      return () => change(chatId, { roomAt });
    },
    /**
     * Telegram does not say whom a 429 is for, so it means the one chat, for as long as it asks. Two private chats that had got
     * nothing for long, refused within a second, prove that it means all, for the shorter of both waits. Groups have limits of
     * their own, and who floods the bot is seldom quiet: they prove nothing.
     */
    holdBack: (chatId: number, seconds: number): void => {
      const at = clock.monotonic();
      const until = at + Math.min(seconds * 1000, MAX_HOLD_MS);
      change(chatId, { heldUntil: Math.max(of(chatId).heldUntil, until) });
      if (chatId < 0 || !of(chatId).wasQuiet) return;
      if (refused.chatId !== chatId && at - refused.at <= TOGETHER_MS)
        allHeldUntil = Math.max(allHeldUntil, Math.min(until, refused.until));
      refused = { chatId, at, until };
    },
  };
}
