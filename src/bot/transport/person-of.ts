import type { Update } from "grammy/types";

/** Whose line an update stands in. */
export function personOf({ message, callback_query: tap, my_chat_member: member }: Update): number {
  return tap?.from.id ?? message?.from.id ?? member?.from.id ?? 0;
}
